import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rths.errors import InputError
from rths.theory.delay.rightmost_roots import rightmost_root
from rths.theory.delay.root_count import unstable_count
from rths.theory.scalar.chart import damper_chart, rightmost_scalar_root, spring_chart
from rths.theory.scalar.equation import ScalarEquation
from rths.theory.scalar.hopf import hopf_points
from rths.theory.scalar.root_count import count_right_of

STRENGTH = st.one_of(st.just(0.0), st.floats(0.01, 3))
DELAY = st.one_of(st.just(0.0), st.floats(0.01, 6))


@settings(deadline=None, max_examples=150)
@given(zeta=st.floats(0, 1.5), p=STRENGTH, q=STRENGTH, tau=DELAY)
def test_agrees_with_collocation_and_its_certificate(zeta, p, q, tau):
    equation = ScalarEquation(zeta, p, q)
    fast, general = (
        rightmost_scalar_root(equation, tau),
        rightmost_root(equation.delay_equation(tau)),
    )
    simple = abs(equation.slope(fast, tau)) > 1e-3  # a double root is known to √round-off only
    assert abs(fast.real - general.real) < (1e-10 if simple else 1e-6)
    assert abs(equation.characteristic(fast, tau)) < 1e-10


@settings(deadline=None, max_examples=150)
@given(zeta=st.floats(0, 1.5), p=STRENGTH, q=STRENGTH, tau=DELAY, line=st.floats(-0.6, 0.8))
def test_closed_count_is_the_winding_count(zeta, p, q, tau, line):
    equation = ScalarEquation(zeta, p, q)
    nearest = min(abs(equation.characteristic(line + 1j * w, tau)) for w in np.linspace(0, 6, 1500))
    if nearest > 0.1:  # no root on the line itself: it changes by less than 0.1 between two points
        assert count_right_of(line, zeta, p, q, tau) == unstable_count(
            equation.delay_equation(tau), line
        )


@pytest.mark.parametrize("chart", [spring_chart, damper_chart])
def test_no_root_of_the_chart_is_further_left_than_any_other(chart):
    # the certificate itself: nothing right of the root, something right of just left of it
    delays, strengths = np.linspace(0.05, 15, 40), np.linspace(0.05, 2, 30)
    result = chart(0.05, delays, strengths)
    for i, tau in enumerate(delays):
        for j, strength in enumerate(strengths):
            p, q = (strength, 0.0) if chart is spring_chart else (0.0, strength)
            s = result.roots[i, j]
            assert count_right_of(s.real + 1e-9, 0.05, p, q, tau) == 0
            assert count_right_of(s.real - 1e-9, 0.05, p, q, tau) > 0
    assert np.array_equal(result.stable, result.roots.real <= 0)


def test_w5_w6_the_chart_changes_where_the_hopf_points_are():
    equation = ScalarEquation(0.1066, 0.5)
    points = [h.delay for h in hopf_points(equation, 13.0)]
    around = np.array([[d - 1e-6, d + 1e-6] for d in points]).ravel()
    unstable = spring_chart(0.1066, around, [0.5]).unstable.ravel()
    assert np.diff(unstable)[::2].tolist() == [2, -2, 2, 2, -2]


def test_the_order_of_the_grid_does_not_matter():
    delays, strengths = np.linspace(0.1, 9, 13), np.linspace(0.1, 2, 11)
    forward = spring_chart(0.02, delays, strengths).roots
    backward = spring_chart(0.02, delays[::-1], strengths[::-1]).roots[::-1, ::-1]
    assert np.abs(forward.real - backward.real).max() < 1e-12


@pytest.mark.parametrize(
    "arguments", [(0.1, [-1.0], [1.0]), (0.1, [1.0], [-1.0]), (-0.1, [1], [1])]
)
def test_bad_values_are_refused(arguments):
    with pytest.raises(InputError):
        spring_chart(*arguments)
