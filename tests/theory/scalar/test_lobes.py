from math import atan, atan2, pi

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from rths.errors import InputError
from rths.theory.scalar.chart import spring_chart
from rths.theory.scalar.equation import ScalarEquation
from rths.theory.scalar.hopf import critical_delay
from rths.theory.scalar.lobes import (
    damper_lobe,
    harmless_damping,
    harmless_stiffness,
    lobe_points,
    perturbation_delay,
    spring_lobe,
)

OMEGA = st.floats(0.05, 5)
ZETA = st.floats(0.001, 0.99)


def test_w1_perturbation_formula():
    assert_allclose(perturbation_delay(15.0, 2250.0), 6.666666667e-3, rtol=1e-9)
    assert_allclose(perturbation_delay(15.0, 2250.0) * (2250 / 2.2) ** 0.5, 0.21320, rtol=1e-4)


def test_w7_harmless_stiffness():
    assert_allclose(harmless_stiffness(0.1066), 0.21199, atol=1e-5)


@pytest.mark.parametrize("zeta", [0.02, 0.1066, 0.5, 0.8])
def test_w7_no_delay_destabilises_below_it_and_some_delay_does_above(zeta):
    limit, delays = harmless_stiffness(zeta), np.linspace(0.01, 60, 600)
    assert spring_chart(zeta, delays, [0.999 * limit]).stable.all()
    assert critical_delay(ScalarEquation(zeta, 1.001 * limit)) < np.inf


@given(zeta=ZETA)
def test_l4_a_damper_up_to_twice_the_damping_ratio_bears_any_delay(zeta):
    limit = harmless_damping(zeta)
    assert limit == 2 * zeta
    assert critical_delay(ScalarEquation(zeta, 0, limit * (1 - 1e-9))) == np.inf
    assert critical_delay(ScalarEquation(zeta, 0, limit * (1 + 1e-9))) < np.inf


@given(zeta=ZETA, w=OMEGA, turn=st.integers(0, 4))
def test_lobes_satisfy_their_characteristic_equations(zeta, w, turn):
    tau, p = spring_lobe(zeta, w, turn)
    assert lobe_points(zeta, [(w, tau, p)], "spring") == [(tau, p)]
    tau, q = damper_lobe(zeta, w, turn)
    assert lobe_points(zeta, [(w, tau, q)], "damper") == [(tau, q)]


@settings(deadline=None)
@given(w=OMEGA, n=st.integers(0, 7))
def test_spurious_lobes_of_the_printed_formulas_are_rejected(w, n):
    zeta = 0.1
    _, p = spring_lobe(zeta, w)
    printed = (atan2(2 * zeta * w, w * w - 1) + n * pi) / w  # Wallace (11): n π
    assert len(lobe_points(zeta, [(w, printed, p)], "spring")) == (n % 2 == 0)
    _, q = damper_lobe(zeta, w)
    printed = (atan((1 - w * w) / (2 * zeta * w)) + n * pi) / w  # Londoño (11): every n
    assert len(lobe_points(zeta, [(w, printed, q)], "damper")) == (n % 2 == 1)


def test_a_strength_that_is_not_positive_is_no_lobe():
    tau, p = spring_lobe(0.1, 1.3)
    assert lobe_points(0.1, [(1.3, tau, -p)], "spring") == []


def test_unknown_specimen_and_zero_frequency_are_refused():
    with pytest.raises(InputError, match="spring"):
        lobe_points(0.1, [], "beam")
    with pytest.raises(InputError, match="frequency"):
        spring_lobe(0.1, 0.0)
