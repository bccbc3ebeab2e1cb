import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.special import lambertw

from rths.theory.delay import rightmost_roots as module
from rths.theory.delay.equation import DelayedTerm, first_order, second_order
from rths.theory.delay.rightmost_roots import (
    UncertifiedError,
    rightmost_root,
    rightmost_roots,
    spectrum_of_many,
)

W0 = {"mass": 2.2, "damping": 15.0, "stiffness": 2250.0}
KS = 2250.0


def wallace(delay):
    return second_order(*W0.values(), [DelayedTerm(delay, KS)])


def three_storeys(seed, longest=1.0):
    """Lowest frequency 1 rad/s, two delays, spring and damper specimens."""
    rng = np.random.default_rng(seed)
    m, k = np.diag(rng.uniform(1, 2, 3)), rng.uniform(0.8, 1.6, 3)
    frame = np.array([[k[0] + k[1], -k[1], 0], [-k[1], k[1] + k[2], -k[2]], [0, -k[2], k[2]]])
    frame /= np.linalg.eigvals(np.linalg.solve(m, frame)).real.min()
    spring, damper = np.zeros((2, 3, 3))
    spring[0, 0], damper[1, 1] = rng.uniform(0.1, 1) * frame[0, 0], rng.uniform(0.1, 1)
    late = [
        DelayedTerm(rng.uniform(0.05, longest), spring),
        DelayedTerm(rng.uniform(0.05, longest), 0.3 * spring.T, damper),
    ]
    return second_order(m, 0.04 * frame + 0.02 * m, frame, late)


@pytest.mark.parametrize(
    ("delay", "root"),
    [
        (0, -3.4091 + 45.0980j),
        (0.5e-3, -3.1530 + 45.1138j),
        (5e-3, -0.8628 + 44.9324j),
        (9.4e-3, 1.2077 + 44.2426j),
        (20e-3, 4.8511 + 41.3288j),
    ],
)
def test_w4_rightmost_roots_of_figure_4(delay, root):
    assert abs(rightmost_root(wallace(delay)) - root) < 1e-3 / 2**0.5 + 1e-4


def test_w3_critical_delay_from_the_rightmost_root():
    low, high = 6e-3, 8e-3
    while high - low > 1e-10:
        middle = (low + high) / 2
        low, high = (middle, high) if rightmost_root(wallace(middle)).real < 0 else (low, middle)
    assert_allclose(low, 6.7695498e-3, rtol=1e-7)


@settings(deadline=None, max_examples=40)
@given(
    a=st.floats(-3, 1), b=st.floats(-3, 3).filter(lambda b: abs(b) > 0.01), tau=st.floats(0.1, 2)
)
def test_roots_of_the_scalar_first_order_equation_are_lambert_w(a, b, tau):
    # y' = a y + b y(t-τ): λ = a + W_k(bτ e^(-aτ))/τ
    k = np.arange(-40, 41)
    exact = a + lambertw(b * tau * np.exp(-a * tau), k) / tau
    line = float(np.sort(exact.real)[-4]) - 0.05 / tau
    found = rightmost_roots(first_order(a, [(tau, b)]), line).roots
    expected = exact[exact.real > line]
    assert found.size == expected.size
    distance = np.abs(found[:, None] - expected[None, :])
    near_double = abs(b * tau * np.exp(1 - a * tau) + 1) < 1e-3  # W_0 and W_-1 merge at -1/e
    assert distance.min(axis=0).max() < (1e-4 if near_double else 1e-10 * (1 + abs(expected).max()))


@pytest.mark.parametrize("seed", range(20))
def test_every_root_satisfies_the_characteristic_equation(seed, characteristic_slope):
    equation = three_storeys(seed)
    for root in rightmost_roots(equation, -5.0).roots:
        smallest = np.linalg.svd(equation.characteristic(root), compute_uv=False)[-1]
        slope = np.linalg.norm(characteristic_slope(equation, root), 2)
        assert smallest / slope < 1e-10 * abs(root)


@pytest.mark.parametrize("seed", range(5))
def test_first_order_form_has_the_same_roots(seed):
    e = three_storeys(seed)
    zero, one, q = np.zeros((3, 3)), np.eye(3), e.monic
    states = [np.block([[zero, zero], [-q[0, j], -q[1, j]]]) for j in range(3)]
    states[0][:3, 3:] = one
    first = first_order(states[0], list(zip(e.delays[1:], states[1:], strict=True)))
    assert_allclose(rightmost_roots(first, -2.0).roots, rightmost_roots(e, -2.0).roots, atol=1e-10)


def test_identical_uncoupled_masses_give_each_root_twice():
    one, two = np.array([[1.0]]), np.eye(2)
    single = rightmost_roots(second_order(one, 0.2, 1.0, [DelayedTerm(1.0, 0.5)]), -2.0).roots
    both = second_order(two, 0.2 * two, two, [DelayedTerm(1.0, 0.5 * two)])
    double = rightmost_roots(both, -2.0).roots
    assert double.size == 2 * single.size
    assert np.abs(double[:, None] - single).min(axis=1).max() < 1e-6  # root of round-off


def test_a_rigid_body_root_on_the_line_is_found():
    roots = rightmost_roots(second_order(1.0, 1.0, 0.0), 0.0).roots
    assert_allclose(roots, [0.0], atol=1e-12)


def test_an_incomplete_list_is_never_returned(monkeypatch):
    monkeypatch.setattr(module, "_MOST_ROWS", 60)
    monkeypatch.setattr(
        module, "_correct", lambda q, d, starts, known, floor, outer: np.empty(0, complex)
    )
    with pytest.raises(UncertifiedError):
        rightmost_roots(three_storeys(0), -1.0)


def test_threads_give_the_same_roots_in_the_same_order():
    equations = [three_storeys(seed) for seed in range(12)]
    alone = [rightmost_roots(e, -3.0).roots for e in equations]
    for a, b in zip(alone, spectrum_of_many(equations, -3.0, threads=2), strict=True):
        assert np.array_equal(a, b.roots)
