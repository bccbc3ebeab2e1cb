"""Roots of the loop map where theory has them in closed form, and where papers give numbers."""

from __future__ import annotations

from fractions import Fraction
from math import pi

import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.loop.wiring import Owner
from rths.stability import roots
from rths.stability.entries import Entries, mutual_parts
from rths.stability.linearisation import Hints, linearise
from rths.stability.loop_change import linear_loop, roots_at_rest
from rths.stability.loop_map import LoopMap, period_of, rest_layout
from rths.stability.roots import participation, roots_of, vectors
from rths.theory.delay.rightmost_roots import rightmost_root
from rths.theory.scalar.equation import non_dimensional
from rths.theory.step.dead_time import delayed_central_difference
from rths.theory.step.lag_actuator_loop import LagActuatorLoop
from rths.theory.step.predicted_integrator import lsrt2

BAR = 1e-8
H = 1 / 1024


def assert_same_roots(found, matrix, least=1e-3):
    """Every root of the theory that is not next to zero is one of the loop, and the other way."""
    theory = np.linalg.eigvals(matrix)
    theory, loop = theory[np.abs(theory) > least], found.z[np.abs(found.z) > least]
    assert theory.size == loop.size
    assert max(np.abs(loop - z).min() for z in theory) < BAR
    assert max(np.abs(theory - z).min() for z in loop) < BAR


@pytest.mark.parametrize(("order", "spacing"), [(0, 1), (1, 2), (3, 1), (3, 2)])
@pytest.mark.parametrize("f0", [1.4, 8.0, 13.5])
def test_central_differences_with_dead_time_and_polynomial(frame, make, f0, order, spacing):
    fields = {"delay": 12.4e-3, "order": order, "spacing": spacing * 6.2e-3}
    test = frame(f0, make("compensator", "polynomial", **fields))
    share = 3.61 / (3.61 + 6.65)
    theory = delayed_central_difference(2 * pi * f0 * 6.2e-3, 0.02, share, 2, order, spacing)
    assert_same_roots(roots_at_rest(test), theory)


@pytest.mark.parametrize("order", [2, 3])
@pytest.mark.parametrize("omega", [0.1, 0.4, 1.0])
def test_lsrt2_with_hermite_prediction(rig, make, order, omega):  # U2, U4, U5 from the loop
    k = omega**2 / (2 * H) ** 2 / 2
    test = rig(
        structure=make("structure", "linear", mass=1.0, damping=0.0, stiffness=k),
        integrator=make("integrator", "lsrt2", interface_stiffness=k),
        compensator=make("compensator", "hermite", delay=2 * H, order=order),
        transfer=make("transfer", "dead_time", delay=2 * H),
        specimen=make("specimen", "spring", stiffness=k),
        tick=H,
        step=2 * H,
    )
    found = roots_at_rest(test)
    assert_same_roots(found, lsrt2(omega, f"hermite {order}"))
    assert (found.growth_rate > 0) == (order == 3)


def late_central_differences(weights):
    """Coefficients, highest power first, of the rig W0 in steps of 1 ms, in exact arithmetic.

    (m/h² + c/2h) z^(n+1) + (k - 2m/h²) z^n + (m/h² - c/2h) z^(n-1) + k Σ w_j z^(n-j) = 0
    """
    m, c, k, h = Fraction(22, 10), Fraction(15), Fraction(2250), Fraction(1, 1000)
    found = [m / h**2 + c / (2 * h), k - 2 * m / h**2, m / h**2 - c / (2 * h)]
    found += [Fraction(0)] * max(0, len(weights) - 2)
    for j, w in enumerate(weights):
        found[1 + j] += k * w
    return found


def fitted(order, points, ahead):
    """Weights of the polynomial through the last points by least squares, newest first, exact."""
    V = [[Fraction(-i) ** j for j in range(order + 1)] for i in range(points)]
    rows = [
        [sum(v[a] * v[b] for v in V) for b in range(order + 1)] + [ahead**a]
        for a in range(order + 1)
    ]
    for i, pivot in enumerate(rows):  # positive definite: no exchange of rows
        pivot[:] = [v / pivot[i] for v in pivot]
        for other in rows[:i] + rows[i + 1 :]:
            other[:] = [v - other[i] * w for v, w in zip(other, pivot, strict=True)]
    return [sum(v[a] * rows[a][-1] for a in range(order + 1)) for v in V]


def assert_roots_of(found, coefficients):
    """Every root is one of the polynomial, by Newton's step in extended precision, and none else.

    Roots of parts that the structure does not feel, memories and split zeros do not count.
    """
    z = found.z[found.counted & (np.abs(found.z) > 1e-4)].astype(np.clongdouble)
    p, slope = np.zeros_like(z), np.zeros_like(z)
    for q in coefficients:
        slope = slope * z + p
        p = p * z + np.longdouble(q.numerator) / np.longdouble(q.denominator)
    assert z.size == len(coefficients) - 1
    assert np.abs(z[:, None] - z[None, :] + np.eye(z.size)).min() > 1e3 * BAR  # all different
    assert np.abs(p / slope).max() < BAR


@pytest.mark.parametrize("tenths", [10, 30, 90, 94])
def test_pure_delay(rig, make, tenths):  # between whole ticks: linear
    whole, part = divmod(tenths, 10)
    weights = [Fraction(0)] * whole + [Fraction(10 - part, 10)] + [Fraction(part, 10)] * (part > 0)
    test = rig(transfer=make("transfer", "dead_time", delay=tenths * 1e-4))
    assert_roots_of(roots_at_rest(test), late_central_differences(weights))


@pytest.mark.parametrize("kind", ["forward_prediction", "adaptive_forward_prediction"])
@pytest.mark.parametrize("order", [2, 3])
def test_forward_prediction_by_least_squares_also_before_it_adapts(rig, make, kind, order):
    fields = {"start_order": order} if kind.startswith("adaptive") else {}
    test = rig(
        compensator=make("compensator", kind, ahead=9.4e-3, order=order, **fields),
        transfer=make("transfer", "dead_time", delay=9e-3),
    )
    weights = [Fraction(0)] * 9 + fitted(order, 12, Fraction(94, 10))
    assert_roots_of(roots_at_rest(test), late_central_differences(weights))


def test_w4_roots_approach_those_of_the_delay_equation(rig):
    equation, rate = non_dimensional(2.2, 15.0, 2250.0, 2250.0)
    exact = rate * rightmost_root(equation.delay_equation(rate * 9.4e-3))
    assert abs(exact - (1.2077 + 44.2426j)) < 1e-3
    tests = [rig(tick=h) for h in (2e-4, 1e-4)]  # whole ticks of delay
    errors = [abs(roots_at_rest(test).dominant - exact) for test in tests]
    assert errors[1] < 0.3 * errors[0] < 0.01  # second order in the step


def chen(make, rig, alpha):
    masses = (611_897.0,) * 2
    device = {"slip_force": 180e3, "slip_displacement": 5e-3, "damping": 1e5}
    return rig(
        structure=make(
            "structure",
            "shear_building",
            masses=masses,
            stiffnesses=(36007e3, 23894e3),
            damping_ratios=0.02,
            interface=(0, 1),
            attached="storey",
        ),
        integrator=make("integrator", "cr"),
        compensator=make("compensator", "inverse", alpha=alpha),
        transfer=tuple(make("transfer", "sampled_lag", alpha=a) for a in (33.0, 28.0)),
        specimen=tuple(make("specimen", "mr_elastic_plastic", count=n, **device) for n in (6, 4)),
        tick=H,
        step=10 * H,
    )


@pytest.mark.parametrize(
    ("alpha", "radius"),
    [(0, 1.04940), (10, 1.03005), (20, 1.00955), (25, 1.00058), (30, 0.99805), (33, 0.99651)],
)
def test_h7_dampers_before_slip(make, rig, alpha, radius):
    test = chen(make, rig, float(alpha))
    found = roots_at_rest(test)
    assert abs(np.exp(found.growth_rate * 10 * H) - radius) < 1e-4
    assert found.neutral == 2  # the plastic set of each damper
    M, C, K = test.structure.matrices()
    k = 36e6 * np.array([6, 4])
    c = 1e5 * np.array([6, 4])
    loop = LagActuatorLoop(
        M, C, K, test.equation.L, k, c, np.full(2, float(alpha)), np.array([33.0, 28.0]), H, 10
    )
    theory = np.abs(np.linalg.eigvals(loop.matrix())).max()
    assert abs(np.exp(found.growth_rate * 10 * H) - theory) < BAR


C7 = {"frequency": 31.240, "damping": 0.76499}
DEAD = 4.2621e-3
NAMES = ("none", "cubic", "fine cubic", "model")


def compensator(make, name):
    if name == "none":
        return make("compensator", "none")
    if name == "model":
        return make("compensator", "model_based", delay=12.4e-3, interface_stiffness=3.61e6)
    spacing = 12.4e-3 if name == "cubic" else 6.2e-3
    return make("compensator", "polynomial", delay=12.4e-3, spacing=spacing)


def stable(frame, make, name, f0, ramp="linear", slower=0.0):
    actuator = make("transfer", "second_order", delay=DEAD + slower, **C7)
    test = frame(f0, compensator(make, name), actuator, tick=1e-4, ramp=ramp)
    return roots_at_rest(test).growth_rate < 0


@pytest.mark.parametrize(
    ("ramp", "name", "first"),
    [
        *(("linear", name, f) for name, f in zip(NAMES, (1.6, 14.0, 19.0, None), strict=True)),
        *(("hold", name, f) for name, f in zip(NAMES, (1.2, 13.5, 17.5, 6.5), strict=True)),
    ],
)
def test_c9_first_unstable_frequency_with_the_actuator(frame, make, ramp, name, first):
    grid = [*np.arange(1, 30) * 0.1, *np.arange(6, 61) * 0.5]  # Hz, as the target's
    lost = (float(f0) for f0 in grid if not stable(frame, make, name, float(f0), ramp))
    seen = next(lost, None)
    if first is None:
        assert seen is None
    else:
        assert abs(grid.index(seen) - np.argmin(np.abs(np.array(grid) - first))) <= 1


@pytest.mark.parametrize(("slower", "first"), [(1.0, 16), (1.25, 13.5), (1.5, 12.5), (2.0, 10)])
def test_c15_an_underestimated_delay_costs_the_model_its_advantage(frame, make, slower, first):
    # The published grid was judged from decays, which show a growth of 0.06 1/s and more; the
    # roots themselves cross at 14.9, 13.2, 11.8 and 9.5 Hz.
    def rate(name, f0):
        actuator = make("transfer", "second_order", delay=DEAD + 1e-3 * slower, **C7)
        test = frame(f0, compensator(make, name), actuator, tick=1e-4)
        return roots_at_rest(test).growth_rate

    grid = np.arange(first - 3, first + 2, 0.5)
    seen = next(float(f0) for f0 in grid if rate("model", float(f0)) > 0.06)
    assert abs(seen - first) <= 0.5
    assert rate("cubic", 13.0) < 0 < rate("cubic", 14.0)


def test_the_map_does_not_depend_on_when_it_is_taken(rig, make):
    test = rig(compensator=make("compensator", "polynomial", delay=9.4e-3))
    layout = rest_layout(test)
    loop = LoopMap(layout, period_of(test, layout))
    first = linearise(loop, test.tick)
    loop.run(101)  # rings stand elsewhere now
    assert_allclose(linearise(loop, test.tick).J, first.J, atol=1e-15)
    assert first.linear


def test_parts_act_on_each_other_and_chains_stand_alone():
    J = np.zeros((6, 6))
    J[1, 0] = J[0, 1] = 0.5  # a pair
    J[2, 1] = J[3, 2] = 1.0  # a chain behind it
    J[4, 5] = J[5, 4] = 0.1
    J[5, 3] = 1.0
    groups = sorted(tuple(sorted(p.tolist())) for p in mutual_parts(Entries.of(J)))
    assert groups == [(0, 1), (2,), (3,), (4, 5)]


def test_a_long_delay_line_beside_the_loop_adds_no_roots(rig, make):
    short = roots_at_rest(rig(specimen=make("specimen", "spring", stiffness=0.0)))
    assert np.abs(short.z).min() > 0.9  # the two of the structure, and no spurious ones
    assert short.z.size == 2


def test_participation_names_the_predictor_that_loses_the_loop(frame, make):
    test = frame(13.5, make("compensator", "polynomial", delay=12.4e-3))
    linear = linear_loop(test)
    roots = roots_of(linear)
    z, right, left = vectors(linear, roots, 0)
    assert_allclose(z, roots.z[0], atol=1e-10)
    assert_allclose(linear.J @ right, z * right, atol=1e-9 * np.abs(linear.J).max())
    shares = participation(linear, right, left)
    assert sum(shares.values()) == pytest.approx(1)
    first, second = list(shares)[:2]
    assert first == Owner("integrator", "central_difference")
    assert second == Owner("compensator", "polynomial", 0)


@pytest.mark.parametrize("all_wrong", [False, True])
def test_hints_of_another_loop_are_never_trusted(storeys, all_wrong):
    test = storeys()
    loop = LoopMap(rest_layout(test), period_of(test, rest_layout(test)))
    plain, hints = linearise(loop, test.tick), Hints()
    linearise(loop, test.tick, hints=hints)
    idle = np.flatnonzero(~plain.J[:, : loop.plain.size].any(axis=0))
    assert sorted(hints.idle) == idle.tolist()
    if all_wrong:
        hints = Hints({key: [0] for key in hints.read}, list(range(loop.plain.size)))
    assert_allclose(linearise(loop, test.tick, hints=hints).J, plain.J, rtol=0, atol=0)
    assert sorted(hints.idle) == idle.tolist()


def test_a_line_that_is_read_all_along_is_given_to_all_eigenvalues(rig, make, monkeypatch):
    # a line through 500 of its samples: what eliminates lines took 20 s, and gave nothing
    corrected = rig(feedback=make("feedback", "force_correction", delay=5e-3, span=0.5, order=1))
    long = rig(transfer=make("transfer", "dead_time", delay=0.5))
    asked = []
    monkeypatch.setattr(roots, "outer_roots", lambda pencil: asked.append(pencil))
    for test in (corrected, long):
        layout = rest_layout(test)
        ticks = period_of(test, layout)
        linear = linearise(LoopMap(layout, ticks), ticks * test.tick)
        assert linear.size > roots.DENSE
        found = roots.roots_of(linear)
        assert found.inside == 0.0  # none is left out
    (pencil,) = asked
    assert pencil.longest > 490
