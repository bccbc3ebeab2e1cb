from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from rths.assembly.hybrid_test import HybridTest
from rths.compensator._gram import gram
from rths.compensator.forward_prediction import ForwardPrediction, weights
from rths.compensator.none import NoCompensation
from rths.errors import InputError
from rths.excitation.free_vibration import FreeVibration
from rths.excitation.sine import Sine
from rths.feedback.direct import Direct
from rths.integrator.central_difference import CentralDifference
from rths.loop.solo import frequency_response, respond
from rths.metrics.growth_rate import growth_rate
from rths.site import Site
from rths.specimen.spring import Spring
from rths.structure.linear import Linear
from rths.transfer.dead_time import DeadTime

H, DELTA, TAU = 1e-4, 1e-3, 9.4e-3  # W0: step 0.1 ms, sampling 1 ms, actuator 9.4 ms


def wallace(ahead, order, excitation=None, duration=1.0, tick=2 * H):
    """The mass-spring-damper rig of wallace2005 (W0), in the loop.

    For its roots a tick of 0.2 ms is enough: central differences shift them by (omega h)²/24.
    """
    compensator = NoCompensation()
    if ahead is not None:
        compensator = ForwardPrediction(ahead=ahead, order=order, points=12, sampling=DELTA)
    return HybridTest(
        excitation=excitation or FreeVibration(displacement=0.0),
        structure=Linear(mass=2.2, damping=15.0, stiffness=2250.0),
        integrator=CentralDifference(),
        compensator=compensator,
        transfer=DeadTime(delay=TAU),
        specimen=Spring(stiffness=2250.0),
        feedback=Direct(),
        tick=tick,
        duration=duration,
        record=("integrator.target",),
    )


def motion(test):
    record = np.empty((test.clock.ticks, 1))
    test.cycle("table").advance(test.clock.ticks, record)
    return record[:, 0]


def exact_weights(order, points, ahead):
    """Weights w = V (V'V)^-1 v(ahead) of the least-squares fit, in rational numbers.

    In floating point the powers in V lose the digits of its condition, 5e6 for (5, 20).
    """
    V = [[Fraction(-j) ** i for i in range(order + 1)] for j in range(points)]
    rows = [
        [sum(v[i] * v[k] for v in V) for k in range(order + 1)] + [Fraction(ahead) ** i]
        for i in range(order + 1)
    ]
    for i, pivot in enumerate(rows):  # Gauss and Jordan; V'V is positive definite
        pivot[:] = [a / pivot[i] for a in pivot]
        for row in rows[:i] + rows[i + 1 :]:
            row[:] = [a - row[i] * b for a, b in zip(row, pivot, strict=True)]
    return np.array([float(sum(a * row[-1] for a, row in zip(v, rows, strict=True))) for v in V])


@pytest.mark.parametrize(("order", "points"), [(0, 1), (1, 5), (2, 12), (3, 12), (3, 4), (5, 20)])
@pytest.mark.parametrize("ahead", [0.0, 2.6, 9.4, 40.5])
def test_weights_are_those_of_the_least_squares_fit(order, points, ahead):
    w = weights(order, points, ahead)
    # a recurrence of at most five terms, a few roundings in each
    assert_allclose(w, exact_weights(order, points, ahead), rtol=0, atol=1e-14 * np.abs(w).max())


@pytest.mark.parametrize(("order", "points"), [(3, 12), (8, 30), (11, 12)])
def test_the_polynomials_are_orthonormal_on_the_samples(order, points):
    phi = np.array([gram(order, points, -float(j)) for j in range(points)])
    assert_allclose(phi.T @ phi, np.eye(order + 1), atol=1e-12)


@given(
    order=st.integers(0, 4),
    extra=st.integers(0, 8),
    m=st.integers(1, 4),
    ahead=st.floats(0.0, 30e-3),
    c=st.lists(st.floats(-1, 1), min_size=5, max_size=5),
)
def test_a_polynomial_of_its_order_is_predicted_exactly(order, extra, m, ahead, c):
    h = 1e-3
    c = np.array(c[: order + 1])
    t = np.arange(100) * h
    d = np.polynomial.polynomial.polyval(t / 0.1, c)
    compensator = ForwardPrediction(
        ahead=ahead, order=order, points=order + 1 + extra, sampling=m * h
    )
    u = respond(compensator.block(Site(tick=h, interval=h)), d, "interpreted")[:, 0]
    exact = np.polynomial.polynomial.polyval((t + ahead) / 0.1, c)
    size = np.abs(weights(order, order + 1 + extra, ahead / (m * h))).sum()  # round-off grows so
    assert_allclose(u[60:], exact[60:], atol=1e-13 * size * (1 + np.abs(c).sum()))


def test_at_rest_the_command_is_the_displacement_before_the_start():
    block = ForwardPrediction(ahead=TAU).block(Site(tick=H, interval=H, displacement=0.01))
    assert_allclose(respond(block, np.full(50, 0.01)), 0.01, rtol=1e-12)


@pytest.mark.parametrize("f", [1.5, 7.2, 20.0])
def test_response_is_that_of_its_weights(f):
    site = Site(tick=1e-3, interval=1e-3)
    got = frequency_response(ForwardPrediction(ahead=TAU, order=2).block(site), f, 1e-3)
    z = np.exp(-2j * np.pi * f * 1e-3 * np.arange(12))
    assert_allclose(got, exact_weights(2, 12, 9.4) @ z, atol=1e-9)


@pytest.mark.parametrize(
    ("order", "shortest", "longest"),
    [(2, 2.530e-3, 40.489e-3), (3, 2.625e-3, 23.443e-3)],
    ids=["W9", "W10"],
)
def test_the_loop_is_stable_for_the_published_predictions_only(
    order, shortest, longest, loop_roots
):
    near = 0.01e-3
    for edge, inward in ((shortest, near), (longest, -near)):
        assert loop_roots(wallace(edge + inward, order))[0].real < 0
        assert loop_roots(wallace(edge - inward, order))[0].real > 0


@pytest.mark.parametrize(
    ("ahead", "order", "root"),
    [(None, 0, 1.2077 + 44.2426j), (TAU, 2, -3.937 + 45.238j), (TAU, 3, -3.430 + 45.014j)],
    ids=["W4", "W11, N = 2", "W11, N = 3"],
)
def test_rightmost_roots_of_the_loop_are_those_of_the_delay_equation(
    ahead, order, root, loop_roots
):
    found = loop_roots(wallace(ahead, order))[0]
    assert_allclose([found.real, abs(found.imag)], [root.real, root.imag], atol=2e-3)


@pytest.mark.parametrize(("ahead", "rate"), [(0.0, 1.2075), (2.6e-3, 0.0120), (TAU, -3.4296)])
def test_the_free_response_grows_as_published(ahead, rate):  # W12
    z = motion(wallace(ahead, 3, FreeVibration(displacement=0.01), 2.0, H))
    assert_allclose(growth_rate(z[5000:], H).rate, rate, atol=1e-3)


@pytest.mark.parametrize(("order", "error"), [(3, 7.3e-6), (2, 2.18e-4)])
def test_the_steady_motion_is_as_exact_as_published(order, error):  # W14
    wall = Sine(amplitude=0.01, frequency=1.5, acting="support_displacement")
    test = wallace(TAU, order, wall, 10.0, H)
    angle = 2 * np.pi * 1.5 * np.arange(test.clock.ticks) * H
    late = slice(-20_000, None)  # three periods, after 8 s of decay at 3.4 1/s
    basis = np.column_stack([np.sin(angle[late]), np.cos(angle[late])])
    z, emulated = (
        complex(*np.linalg.lstsq(basis, motion(t)[late], rcond=None)[0])
        for t in (test, test.reference_test())
    )
    assert_allclose(abs(z / emulated - 1), error, rtol=0.02)


def test_more_coefficients_than_samples_are_refused():
    with pytest.raises(InputError, match=r"compensator\.points = 3.*at least 4"):
        ForwardPrediction(ahead=TAU, order=3, points=3)
