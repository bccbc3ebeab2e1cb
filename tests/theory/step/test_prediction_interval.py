import pytest
from numpy.testing import assert_allclose

from rths.errors import InputError
from rths.theory.delay.rightmost_roots import rightmost_root
from rths.theory.scalar.delayed_simulation import simulate
from rths.theory.scalar.growth_rate import growth_rate
from rths.theory.step.extrapolation import least_squares_weights
from rths.theory.step.prediction_interval import PredictedLoop, permissible_prediction

TAU = 9.4e-3


def wallace(order, sampling=1e-3):
    return PredictedLoop(2.2, 15.0, 2250.0, 2250.0, TAU, order, 12, sampling)


@pytest.mark.parametrize(
    ("order", "sampling", "low", "high"),
    [
        (2, 1e-3, 2.530, 40.489),  # W9
        (3, 1e-3, 2.625, 23.443),  # W10
        (1, 1e-3, 3.487, 89.6),
        (2, 0.5e-3, None, 41.97),
        (3, 0.5e-3, None, 18.69),
        (2, 2e-3, None, 37.25),
        (3, 2e-3, None, 23.73),
    ],
)
def test_w9_w10_permissible_prediction(order, sampling, low, high):
    found = permissible_prediction(wallace(order, sampling))
    assert abs(1e3 * found[1] - high) < (0.05 if order == 1 else 0.01)
    assert low is None or abs(1e3 * found[0] - low) < 0.01


@pytest.mark.parametrize("order", [2, 3])
def test_a_root_crosses_at_each_end_of_the_interval(order):
    loop = wallace(order)
    for end in permissible_prediction(loop):
        inward = 1e-6 if end < TAU else -1e-6
        assert rightmost_root(loop.equation(end + inward)).real < 0
        assert rightmost_root(loop.equation(end - inward)).real > 0


@pytest.mark.parametrize(("order", "root"), [(2, -3.937 + 45.238j), (3, -3.430 + 45.014j)])
def test_w11_rightmost_root_when_prediction_equals_delay(order, root):
    found = rightmost_root(wallace(order).equation(TAU))
    assert abs(found.real - root.real) < 2e-3
    assert abs(found.imag - root.imag) < 2e-3


@pytest.mark.parametrize(("ahead", "rate"), [(0.0, 1.2075), (2.6e-3, 0.0120), (TAU, -3.4296)])
def test_w12_simulated_growth_is_the_real_part_of_the_rightmost_root(ahead, rate):
    run = simulate(
        "spring", 2250 / 2.2, [TAU + 1e-3 * j for j in range(12)],
        weights=least_squares_weights(3, 12, ahead / 1e-3), damping=15 / 2.2,
        stiffness=2250 / 2.2, start=(0.01, 0.0), step=1e-4, steps=30_000,
    )  # fmt: skip
    found = growth_rate(run.displacement[5000:], 1e-4)
    assert abs(found.real - rate) < 1e-3
    assert abs(found - rightmost_root(wallace(3).equation(ahead))) < 1e-3


@pytest.mark.parametrize(("order", "error"), [(3, 7.3e-6), (2, 2.18e-4)])
def test_w14_steady_state_error(order, error):
    assert_allclose(wallace(order).steady_error(TAU, 1.5), error, rtol=0.02)


def test_w14_uncompensated_error():
    bare = PredictedLoop(2.2, 15.0, 2250.0, 2250.0, 6.7695498e-3, 0, 1, 1e-3)
    assert_allclose(bare.steady_error(0.0, 1.5), 3.34e-2, rtol=0.02)


def test_the_nearest_stable_interval_is_found_where_predicting_the_whole_delay_is_unstable():
    loop = wallace(5)
    assert rightmost_root(loop.equation(TAU)).real > 0
    low, high = permissible_prediction(loop)
    assert_allclose([1e3 * low, 1e3 * high], [2.63, 8.73], atol=0.005)  # as printed
    for end, inward in ((low, 1e-6), (high, -1e-6)):
        assert rightmost_root(loop.equation(end + inward)).real < 0
        assert rightmost_root(loop.equation(end - inward)).real > 0


def test_a_loop_without_delay_may_predict_up_to_where_the_predictor_itself_destabilises():
    loop = PredictedLoop(2.2, 15.0, 2250.0, 2250.0, 0.0, 3, 12, 1e-3)
    low, high = permissible_prediction(loop, longest=0.1)
    assert low == 0.0
    assert high < 0.1
    assert permissible_prediction(loop) == (0.0, 20e-3)  # border of the search: 20 samples
    assert rightmost_root(loop.equation(high - 1e-6)).real < 0
    assert rightmost_root(loop.equation(high + 1e-6)).real > 0


def test_a_loop_without_a_stable_prediction_is_refused():
    with pytest.raises(InputError, match="unstable"):
        permissible_prediction(PredictedLoop(2.2, 15.0, 2250.0, 2250.0, 0.1, 0, 1, 1e-3))
