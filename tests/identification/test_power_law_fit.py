"""Power-law damper from velocity and force: exact data, L17."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from rths.errors import InputError
from rths.identification.power_law_fit import power_law_fit, power_law_force

T = np.arange(0.0, 4.0, 1 / 256)
W = 2 * np.pi * 1.273
X = 0.01016 * np.minimum(T / 2, 1) * np.sin(W * T)
V = np.gradient(X, T)


@settings(deadline=None)
@given(coefficient=st.floats(1, 1e6), exponent=st.floats(0.05, 1.5))
def test_power_law_parameters_come_back_exactly(coefficient, exponent):
    fit = power_law_fit(V, power_law_force(V, coefficient, exponent))
    assert_allclose(fit.values, [coefficient, exponent], rtol=1e-6)


def test_l17_damper_law_at_the_rated_velocity():
    assert power_law_force(0.3, 60e3, 0.15) == pytest.approx(50.09e3, rel=1e-3)


def test_a_force_that_drives_the_motion_is_no_damper():
    with pytest.raises(InputError, match="signs"):
        power_law_fit(V, -power_law_force(V, 60e3, 0.15))
