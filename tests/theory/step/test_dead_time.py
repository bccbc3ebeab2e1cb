from math import pi

import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.errors import InputError
from rths.theory.step.amplification import spectral_radius
from rths.theory.step.dead_time import delayed_central_difference, first_unstable_frequency
from rths.theory.step.extrapolated_loop import critical_extrapolated_delay
from rths.theory.step.integrator_amplification import central_difference

ZETA, SHARE, DT = 0.02, 3.61 / (3.61 + 6.65), 6.2e-3


def test_c2_uncompensated_limit_with_central_differences():
    assert_allclose(first_unstable_frequency(DT, ZETA, SHARE, 2), 1.4615, rtol=1e-4)


@pytest.mark.parametrize(
    ("order", "spacing", "low", "high"), [(0, 1, 1.4, 1.5), (3, 2, 12.5, 13.0), (3, 1, 12.0, 12.5)]
)
def test_c9_first_unstable_frequency_on_the_grid_with_dead_time(order, spacing, low, high):
    # the published grid says: still stable at `low`, unstable at `high`
    assert low < first_unstable_frequency(DT, ZETA, SHARE, 2, order, spacing) < high


@pytest.mark.parametrize("order", [0, 1, 2, 3])
def test_small_steps_approach_the_delay_equation(order):
    exact = critical_extrapolated_delay(ZETA, SHARE, order) / (2 * pi * 12.4e-3)
    errors = [
        abs(first_unstable_frequency(12.4e-3 / n, ZETA, SHARE, n, order, n, step=0.2) - exact)
        for n in (4, 8)
    ]
    assert errors[1] < 0.35 * errors[0] < 0.1 * exact  # second order in the step


def test_without_delay_it_is_the_integrator_alone():
    bare = delayed_central_difference(1.3, ZETA, SHARE, 0)
    assert_allclose(bare, central_difference(1.3, ZETA), atol=1e-15)
    assert_allclose(first_unstable_frequency(DT, 0.0, SHARE, 0, step=1.0), 1 / (pi * DT), rtol=1e-5)


def test_the_matrix_repeats_a_simulation():
    a = delayed_central_difference(0.3, ZETA, SHARE, 2, 1, 1)
    x = list(np.random.default_rng(0).normal(size=a.shape[0]))  # newest first
    state, z = np.array(x), ZETA * 0.3
    for _ in range(5):
        measured = 3 * x[2] - 2 * x[3]  # linear, two steps ahead, returned two steps late
        force = 0.09 * ((1 - SHARE) * x[0] + SHARE * measured)
        x.insert(0, (2 * x[0] - (1 - z) * x[1] - force) / (1 + z))
        state = a @ state
        assert_allclose(state, x[: state.size], rtol=1e-12)
    assert spectral_radius(a) > 1.0  # 7.7 Hz, above the 6.2 Hz of C5


def test_negative_dead_time_is_refused():
    with pytest.raises(InputError, match="dead"):
        delayed_central_difference(0.3, ZETA, SHARE, -1)
