"""Each guard warns and trips exactly where it must: at the next number, at the next tick."""

from __future__ import annotations

from math import inf, nan, nextafter, pi

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from rths.errors import InputError
from rths.guard.base import Guard
from rths.guard.rig_status import BITS, UNREADY
from rths.hardware.wire.status import (
    APPROACHING,
    BEYOND,
    LATCHED,
    PRESSURE,
    RAMPING,
    SAFE,
    SATURATED,
    SENSOR,
    SILENCE,
    STOPPED,
)
from rths.loop.solo import respond
from rths.metrics.tracking_error_energy import tracking_error_energy
from rths.registry import find
from rths.site import Site

H = 1 / 1024  # a power of two: differences and quotients of short numbers are exact


def guard(kind: str, **given) -> Guard:
    return find("guard", kind)(**given)


def test_a_limit_trips_at_the_next_number_and_not_at_its_own(judged):
    g = guard("limit", signal="feedback.force", warn=1.0, trip=2.0)
    values = [1.0, nextafter(1.0, 2), 2.0, nextafter(2.0, 3), -1.0, nextafter(-1.0, -2), -2.0,
              nextafter(-2.0, -3), nan, inf, -inf]  # fmt: skip
    assert judged(g, values)[:, 0].tolist() == [0, 1, 1, 2, 0, 1, 1, 2, 2, 2, 2]


def test_a_pair_of_bounds_is_two_bounds(judged):
    g = guard("limit", signal="feedback.force", trip=(-1.0, 3.0))
    assert judged(g, [3.0, nextafter(3.0, 4), -1.0, nextafter(-1.0, -2)])[:, 0].tolist() == [
        0,
        2,
        0,
        2,
    ]


def test_without_bounds_only_what_is_not_finite_trips(judged):
    g = guard("finite", signal="feedback.force")
    assert judged(g, [0.0, 1e308, -1e308, nan, inf])[:, 0].tolist() == [0, 0, 0, 2, 2]


def test_rate_is_that_of_two_samples_and_none_at_the_first(judged):
    g = guard("rate", signal="feedback.force", trip=1024.0)
    found = judged(g, [5.0, 6.0, nextafter(7.0, 8), nextafter(6.0, 5) - 1])
    assert found[:, 0].tolist() == [0, 0, 2, 2]
    assert found[1, 1] == 1024.0


@pytest.mark.parametrize("signal", ["compensator.command", "safety.faded", "integrator.target[0]",
                                    "transfer.displacement", "feedback.displacement"])  # fmt: skip
def test_a_displacement_has_rested_where_the_test_begins(signal):
    site, step = Site(tick=H, interval=H, displacement=3.0), 2.0**-4
    for kind, value in (("rate", step / H), ("acceleration", step / H**2), ("jump", step)):
        g = guard(kind, signal=signal, trip=0.5 * value)
        found = respond(g.block(site), [3.0 + step, 3.0 + step])
        assert found[0].tolist() == [2.0, value]
        assert respond(g.block(site), [3.0, 3.0, 3.0])[:, 0].max() == 0


def test_where_another_signal_begins_is_not_known():
    site = Site(tick=H, interval=H, displacement=3.0)
    for kind in ("rate", "acceleration", "jump"):
        g = guard(kind, signal="feedback.force", trip=1e-3)
        assert respond(g.block(site), [100.0, 100.0, 100.0])[:, 1].tolist() == [0, 0, 0]


def test_acceleration_is_exact_on_a_parabola(judged):
    g = guard("acceleration", signal="compensator.command", trip=3.0)
    k = np.arange(6.0)
    assert np.array_equal(judged(g, 1.5 * (k * H) ** 2)[2:, 1], np.full(4, 3.0))
    assert judged(g, 1.5 * (k * H) ** 2)[:, 0].max() == 0
    assert judged(g, 1.5 * 1.0000001 * (k * H) ** 2)[:, 0].tolist()[2:] == [2] * 4


def test_a_jump_is_what_the_straight_line_does_not_foretell(judged):
    g = guard("jump", signal="feedback.force", trip=0.5)
    line = 3.0 * np.arange(10.0)
    assert judged(g, line)[:, 0].max() == 0
    line[6:] += nextafter(0.5, 1) * 2**3  # beyond the round-off of the line
    assert judged(g, line)[:, 0].tolist()[:7] == [0] * 6 + [2]


@given(amplitude=st.floats(0.1, 10), frequency=st.floats(0.5, 20))
def test_a_sine_does_not_jump_more_than_its_curvature(amplitude, frequency):
    w = 2 * pi * frequency * H
    g = guard("jump", signal="feedback.force", trip=amplitude * w * w * (1 + 1e-9))
    sine = amplitude * np.sin(w * np.arange(500))
    assert respond(g.block(Site(tick=H, interval=H)), sine)[:, 0].max() == 0


def test_a_stuck_sensor_trips_after_its_samples_and_only_if_the_target_moved(judged):
    g = guard("stuck", signal="feedback.force", trip=5, moved=1.0)
    n = 20
    moving, rest, none = np.arange(n) * 0.5, np.zeros(n), np.zeros(n)
    sensor = np.where(np.arange(n) < 4, np.arange(n), 3.0)  # stuck from the fourth sample on
    found = judged(g, np.column_stack([sensor, moving, none]))
    # the target is away by more than 1 from the third repetition on; six are more than five
    assert found[:, 0].tolist() == [0.0] * 11 + [2.0] * 9
    assert judged(g, np.column_stack([sensor, rest, none]))[:, 0].max() == 0
    alive = sensor + 1e-12 * np.arange(n)
    assert judged(g, np.column_stack([alive, moving, none]))[:, 0].max() == 0


def test_what_is_held_for_a_missed_reply_is_no_stuck_sensor(judged):
    g = guard("stuck", signal="feedback.force", trip=5, moved=1.0)
    k = np.arange(40)
    held = (k >= 5) & (k < 25)
    missed = np.where(held, k - 4, 0)
    sensor = np.where(held, 4.0, k)
    assert judged(g, np.column_stack([sensor, 0.5 * k, missed]))[:, 0].max() == 0
    stuck = np.where(k >= 5, 4.0, k)  # the reply comes again, and is still the same
    levels = judged(g, np.column_stack([stuck, 0.5 * k, missed]))[:, 0]
    assert levels[25:].tolist() == [0.0] * 7 + [2.0] * 8  # as many as without the gap


def test_a_rest_before_the_target_moves_is_no_stuck_sensor(judged):
    """An actuator is late: after a rest the target is far before the sensor shows a motion."""
    g = guard("stuck", signal="feedback.force", trip=20, moved=1.0)
    k = np.arange(200)
    target = np.maximum(k - 100, 0) * 0.5
    sensor = np.maximum(k - 110, 0) * 1.0
    assert judged(g, np.column_stack([sensor, target, 0 * k]))[:, 0].max() == 0


def test_tracking_error_forgives_exactly_the_delay_it_was_told(judged):
    target = np.sin(0.05 * np.arange(400))
    measured = np.concatenate([np.zeros(12), target[:-12]])
    rows = np.column_stack([measured, target])
    told = guard("tracking_error", trip=0.0, delay=12 * H)
    assert judged(told, rows)[:, 0].max() == 0
    other = guard("tracking_error", trip=0.0, delay=11 * H)
    assert judged(other, rows)[:, 0].max() == 2
    plain = guard("tracking_error", trip=0.5)
    assert np.array_equal(judged(plain, rows)[:, 1], measured - target)


def test_tracking_energy_is_the_published_sum(judged):
    random = np.random.default_rng(1)
    target, lag = np.cumsum(random.normal(size=300)), 7
    measured = np.concatenate([np.zeros(lag), target[:-lag]])
    force = 3.0 * measured + random.normal(size=300)
    g = guard("tracking_energy", trip=1e9)
    found = judged(g, np.column_stack([force, measured, target]))[:, 1]
    assert_allclose(found, tracking_error_energy(target, measured, H, force), rtol=1e-12, atol=1e-9)


def test_a_lagging_spring_takes_in_pi_k_x_squared_sin_phi_a_cycle(judged):
    k, amplitude, phi, per_cycle = 2250.0, 0.01, 0.1, 4000
    angle = 2 * pi * np.arange(per_cycle + 1) / per_cycle
    measured = amplitude * np.sin(angle - phi)
    rows = np.column_stack([k * measured, measured, amplitude * np.sin(angle)])
    found = judged(guard("tracking_energy", trip=1e9), rows)[-1, 1]
    assert found == pytest.approx(
        pi * k * amplitude**2 * np.sin(phi), rel=1e-5
    )  # (π/n)² of the sum


def test_energy_taken_out_does_not_trip(judged):
    angle = 2 * pi * np.arange(2001) / 1000
    measured = np.sin(angle + 0.3)  # an actuator that leads damps
    rows = np.column_stack([measured, measured, np.sin(angle)])
    found = judged(guard("tracking_energy", trip=1.0), rows)
    assert found[-1, 1] < -1.0
    assert found[:, 0].max() == 0


def test_force_disagreement_is_measured_less_expected(judged):
    g = guard("force_disagreement", estimate={"kind": "spring", "stiffness": 8.0}, trip=1.0)
    x = np.arange(5.0)
    found = judged(g, np.column_stack([8 * x + [0, 1, 1.0000001, -1, -1.0000001], x]))
    assert found[:, 0].tolist() == [0, 0, 2, 0, 2]


def test_its_estimate_is_at_the_scale_of_the_specimen(judged):
    estimate = {"kind": "spring", "stiffness": 8.0, "length_scale": 2.0, "force_scale": 4.0}
    g = guard("force_disagreement", estimate=estimate, trip=1.0)
    assert judged(g, [[16.0 * 3, 3.0]])[0, 1] == 0.0


@pytest.mark.parametrize(
    ("kind", "given"),
    [
        ("limit", {"signal": "feedback.force", "trip": (2.0, 1.0)}),
        ("limit", {"signal": "feedback.force", "trip": nan}),
        ("limit", {"signal": "feedback.force", "trip": 1.0, "name": "No 1"}),
        ("limit", {"signal": "feedback.force"}),
        ("stuck", {"signal": "feedback.force", "moved": 1e-3}),
        ("limit", {"signal": "feedback.force", "warn": 2.0, "trip": 1.0}),
        ("limit", {"signal": "feedback.force", "warn": (-2.0, 1.0), "trip": (-1.0, 3.0)}),
        ("high_frequency", {"signal": "s", "lowest": 1.0, "warn": 3.0, "trip": 2.0}),
        ("force_disagreement", {"estimate": {"stiffness": 1.0}}),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused(kind, given):
    with pytest.raises(InputError, match="guard"):
        guard(kind, **given)


def test_a_level_to_warn_may_be_that_to_trip(judged):
    g = guard("limit", signal="feedback.force", warn=(-1.0, 2.0), trip=2.0)
    assert judged(g, [2.0, -1.5, 2.5])[:, 0].tolist() == [0, 1, 2]


@pytest.mark.parametrize("mode", [RAMPING, SAFE, APPROACHING])
def test_a_rig_that_does_not_follow_trips_whatever_keeps_it(judged, mode):
    g = guard("rig_status", bit="rig_does_not_follow", trip=0.0)
    assert judged(g, [0, mode, SATURATED, SATURATED | mode])[:, 0].tolist() == [0, 2, 0, 2]


def test_before_a_test_a_rig_may_be_on_its_way_but_not_out_of_order():
    assert UNREADY == PRESSURE | SENSOR | STOPPED | SILENCE | LATCHED | BEYOND


@pytest.mark.parametrize("bit", ["oil_pressure_lost", "stopped_at_the_rig", "link_lost"])
def test_a_bit_of_the_status_counts_whatever_the_others_are(judged, bit):
    g, mine = guard("rig_status", bit=bit, trip=0.0), BITS[bit]
    others = sum(BITS.values()) - mine
    levels = judged(g, [0, mine, others, others + mine])[:, 0]
    assert levels.tolist() == [0, 2, 0, 2]


@pytest.mark.parametrize("bound", [True, "2.0", (0.0, "2.0"), (False, True)])
@pytest.mark.parametrize("field", ["warn", "trip"])
def test_a_bound_that_is_no_number_is_refused(field, bound):
    with pytest.raises(InputError, match="not a number"):
        guard("limit", signal="feedback.force", **{field: bound})
