from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from rths.errors import InputError
from rths.theory.delay.rightmost_roots import rightmost_root
from rths.theory.scalar import hopf
from rths.theory.scalar.equation import ScalarEquation, non_dimensional
from rths.theory.scalar.hopf import critical_delay, hopf_points, satisfies, unstable_pairs

W0, RATE = non_dimensional(2.2, 15.0, 2250.0, 2250.0)


def test_w2_exact_critical_delay():
    first = hopf_points(W0, 1.0)[0]
    assert_allclose([first.delay, first.frequency], [0.21649093, 1.3980506], rtol=1e-7)
    assert_allclose(critical_delay(W0) / RATE, 6.7695498e-3, rtol=1e-8)


def test_w8_least_exact_prediction():
    assert_allclose(9.4e-3 - critical_delay(W0) / RATE, 2.6304502e-3, rtol=1e-6)


@pytest.mark.parametrize(
    ("equation", "longest", "crossings"),
    [
        (ScalarEquation(0.1066, 1.0), 10, [0.2165, 4.7107, 9.2050]),  # W5
        (ScalarEquation(0.1066, 0.5), 13, [0.4475, -3.9047, 5.7015, 10.9556, -12.5809]),  # W6
        (ScalarEquation(0.03, 0, 0.5), 14, [1.3227, -5.8712, 6.2370, 11.1514, -13.9044]),  # L3
    ],
)
def test_w5_w6_l3_crossings_and_their_direction(equation, longest, crossings):
    found = [h.direction * h.delay for h in hopf_points(equation, longest)]
    assert_allclose(found, crossings, atol=1e-4)


@pytest.mark.parametrize(
    ("zeta", "p", "delay"),
    [
        (0.03, 0.1, 2.12750), (0.03, 0.5, 1.32268), (0.03, 1, 1.00872), (0.03, 2, 0.66328),
        (0.03, 3, 0.48173), (0.01, 2, 0.65481), (0.05, 2, 0.67196), (0.1, 2, 0.69460),
        (0.5, 2, 0.95682), (0.9, 2, 1.76227),
    ],
)  # fmt: skip
def test_l1_l2_critical_delay_of_the_damper(zeta, p, delay):
    assert_allclose(critical_delay(ScalarEquation(zeta, 0, p)), delay, atol=1e-5)


@settings(deadline=None, max_examples=60)
@given(zeta=st.floats(0.01, 0.9), p=st.floats(0.05, 3), q=st.floats(0, 2))
def test_every_crossing_satisfies_the_equation_and_moves_a_root_its_way(zeta, p, q):
    equation = ScalarEquation(zeta, p, q)
    for h in hopf_points(equation, 10.0):
        assert abs(equation.characteristic(1j * h.frequency, h.delay)) < 1e-10
        if abs(equation.drift(1j * h.frequency, h.delay).real) > 1e-3:
            pairs = [unstable_pairs(equation, h.delay + d) for d in (-1e-6, 1e-6)]
            assert pairs[1] - pairs[0] == h.direction


@settings(deadline=None, max_examples=40)
@given(zeta=st.floats(0.02, 0.9), p=st.floats(0, 3), q=st.floats(0, 2))
def test_the_loop_is_stable_just_below_the_critical_delay_and_not_above(zeta, p, q):
    equation = ScalarEquation(zeta, p, q)
    critical = critical_delay(equation)
    if critical == inf:
        assert rightmost_root(equation.delay_equation(3.0)).real < 0
    else:
        assert rightmost_root(equation.delay_equation(critical * (1 - 1e-6))).real < 0
        assert rightmost_root(equation.delay_equation(critical * (1 + 1e-6))).real > 0


def test_an_undamped_spring_bears_no_delay():
    assert critical_delay(ScalarEquation(0.0, 0.5)) == 0.0


def test_a_wrong_frequency_or_a_negative_delay_is_no_crossing():
    assert satisfies(W0, 0.21649093097, 1.3980505908)
    assert not satisfies(W0, 0.21649093097, 1.40)
    assert not satisfies(W0, -4.0, 1.3980505908)


def test_an_infinite_range_is_refused():
    with pytest.raises(InputError):
        hopf_points(W0, inf)


def test_a_candidate_that_does_not_satisfy_the_equation_is_dropped(monkeypatch):
    monkeypatch.setattr(hopf, "crossing_frequencies", lambda *_: (1.5, 0.0))  # not a root of (1)
    assert hopf_points(W0, 20.0) == []
