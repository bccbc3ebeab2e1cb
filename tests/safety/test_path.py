"""The command's way: unchanged while all is well, then held and led to safety, never too fast."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rths.errors import InputError
from rths.loop.block import Block
from rths.loop.solo import respond
from rths.run.virtual import simulate
from rths.safety.path import FADE, P, X, fade, path
from rths.safety.phase import ARRIVED, HOLDING, RAMPING_OUT, RUNNING, TRIPPED

LET_GO = {"kind": "free_vibration", "displacement": 0.03}  # the limit of the command is 0.025
LIMIT = {"kind": "limit", "trip": 5.0}
ENGINES = ("table", "fused", "interpreted")


def led(commands, phases, hold, step, position):
    params = P.pack(hold=hold, fastest=step, positions=[position])
    block = Block(path, params, X.pack(commands=[0], held=0), 2)
    return respond(block, np.column_stack([commands, phases]))


@given(
    start=st.floats(-10, 10),
    position=st.floats(-10, 10),
    step=st.floats(1e-3, 5.0),
    hold=st.integers(0, 5),
)
def test_no_step_is_longer_than_the_rate_allows_not_even_by_a_bit(start, position, step, hold):
    n = hold + int(20.0 / step) + 4
    phases = [RUNNING] + [TRIPPED] * n
    found = led(np.full(n + 1, start), phases, hold, step, position)
    command, state = found[:, 0], found[:, 1]
    assert np.abs(np.diff(command)).max() <= step
    assert np.all(command[: hold + 1] == start)
    assert np.all(state[1 : hold + 1] == HOLDING)
    assert command[-1] == position
    assert state[-1] == ARRIVED
    moving = np.flatnonzero(np.diff(command))
    if moving.size > 2:  # and it is not slower than it may be
        steps = np.abs(np.diff(command))[moving[:-1]]
        np.testing.assert_allclose(steps, step, rtol=0, atol=4 * 2.0**-52 * 20)


def test_after_it_was_left_nothing_gets_through():
    commands = [1.0, 2.0, np.nan, np.inf, 1e9, -1e9, 0.0]
    phases = [RUNNING, RUNNING, TRIPPED, TRIPPED, TRIPPED, RAMPING_OUT, TRIPPED]
    assert led(commands, phases, 3, 0.5, 0.0)[:, 0].tolist() == pytest.approx(
        [1.0, 2.0, 2.0, 2.0, 2.0, 1.5, 1.0], rel=1e-15
    )


def test_a_command_fades_in_from_rest_and_is_then_itself():
    block = Block(fade, FADE.pack(ticks=4, rest=[1]), 1, 1)
    assert respond(block, np.full(6, 3.0))[:, 0].tolist() == [1.0, 1.5, 2.0, 2.5, 3.0, 3.0]


def test_a_test_in_good_order_is_the_same_with_guards_as_without(rig):
    guarded, plain = rig(), rig(safety__rate=1.0)
    plain = plain.with_values({"safety": None})
    one, other = simulate(guarded), simulate(plain)
    n = len(other.rows)
    assert other.stop.completed
    for name in other:
        assert np.array_equal(one[name][: len(other[name])], other[name])
    assert np.array_equal(one["safety.command"][:n], other["compensator.command"])


def test_it_ends_at_the_safe_position_after_the_planned_end(rig):
    record = simulate(rig(safety__position=0.004))
    assert record.stop.completed
    assert record["safety.command"][-1, 0] == 0.004
    phase = record["safety.phase"][:, 0]
    assert np.flatnonzero(phase == RAMPING_OUT)[0] == 2049  # t = 0 and 2 s of ticks
    assert len(record.rows) == record.stop.tick


def test_a_bad_command_is_never_sent_and_the_last_good_one_is_held_in_the_same_tick(rig):
    limit = 0.002
    record = simulate(rig(**{"limits__compensator.command": limit}))
    wanted, sent = record["compensator.command"][:, 0], record["safety.command"][:, 0]
    first = int(np.flatnonzero(np.abs(wanted) > limit)[0])
    assert record.stop.reason == "trip"
    assert (record.stop.tripped, record.stop.value) == (first, wanted[first])
    assert record.stop.signal == "compensator.command"
    assert np.array_equal(sent[:first], wanted[:first])
    assert sent[first] == wanted[first - 1]
    assert np.abs(sent).max() <= limit


def test_a_velocity_is_looked_at_before_the_command_leaves(rig):
    free = simulate(rig())
    speed = np.abs(np.diff(free["compensator.command"][:2049, 0])) * 1024
    level = float(np.quantile(speed, 0.9))
    record = simulate(rig(safety__velocity=level, safety__rate=0.01))
    first = int(np.flatnonzero(speed > level)[0]) + 1
    assert (record.stop.guard, record.stop.tripped) == ("velocity", first)
    assert np.abs(np.diff(record["safety.command"][:, 0])).max() * 1024 <= level


def test_what_a_measurement_shows_acts_on_the_next_command(rig):
    record = simulate(rig({"kind": "limit", "signal": "feedback.force", "trip": 5.0}))
    force, sent = record["feedback.force"][:, 0], record["safety.command"][:, 0]
    first = int(np.flatnonzero(np.abs(force) > 5.0)[0])
    assert (record.stop.tripped, record.stop.value) == (first, force[first])
    assert sent[first] == record["compensator.command"][first, 0]
    assert sent[first + 1] == sent[first]


def test_the_first_trip_stays_whatever_comes_after(rig):
    guards = [
        {"kind": "limit", "signal": "feedback.force", "trip": 5.0, "name": "late"},
        {"kind": "limit", "signal": "feedback.force", "trip": 1.0, "name": "early"},
    ]
    record = simulate(rig(*guards))
    assert record.stop.guard == "early"
    trips = record["safety.trip"][:, 0]
    assert len(set(trips[trips > 0])) == 1


def test_the_structure_never_gets_what_is_not_a_number(rig):
    fault = {"kind": "fault", "fault": "nan", "start": 0.5}
    record = simulate(rig(feedback=fault))
    assert (record.stop.signal, record.stop.tripped) == ("feedback.force", 512)
    assert np.isnan(record["feedback.force"][512:]).all()
    assert np.isfinite(record["structure.displacement"]).all()
    assert np.isfinite(record["safety.command"]).all()


def test_a_command_that_is_not_a_number_is_never_sent(rig):
    test = rig()
    cycle = test.cycle("table")
    rows = np.empty((test.clock.ticks, len(test.layout.record_slots)))
    cycle.advance(300, rows[:300])
    cycle.arena[test.layout.signals["integrator.response"].first] = np.nan  # the next target
    done = 300 + cycle.advance(len(rows) - 300, rows[300:])
    slot = test.layout.signals["safety.command"].first
    sent = rows[:done, test.layout.record_slots.tolist().index(slot)]
    assert (cycle.stop.signal, cycle.stop.tripped) == ("compensator.command", 300)
    assert np.isfinite(sent).all()
    assert sent[300] == sent[299]
    assert sent[-1] == 0.0


@pytest.mark.parametrize("engine", ENGINES)
def test_all_loops_agree_and_a_snapshot_in_the_middle_changes_nothing(rig, engine):
    test = rig({"kind": "limit", "signal": "feedback.force", "trip": 5.0}, clock__duration=0.5)
    whole = simulate(test, "table")
    cycle = test.cycle(engine)
    rows = np.empty_like(whole.rows)
    k = whole.stop.tripped + 3  # in the middle of the hold
    cycle.advance(k, rows[:k])
    kept = cycle.snapshot()
    cycle.advance(5, rows[k : k + 5])
    cycle.restore(kept)
    done = cycle.advance(len(rows) - k + 10, np.empty((len(rows) - k + 10, rows.shape[1])))
    cycle.restore(kept)
    cycle.advance(len(rows) - k, rows[k:])
    assert done == len(rows) - k
    assert np.array_equal(rows, whole.rows)
    assert whole.stop.reason == "trip"


@pytest.mark.parametrize(("request_", "reason"), [(1.0, "interrupted"), (2.0, "trip")])
def test_the_operator_ramps_out_or_trips(rig, request_, reason):
    test = rig()
    cycle = test.cycle("table")
    rows = np.empty((test.clock.ticks, len(test.layout.record_slots)))
    cycle.advance(700, rows[:700])
    cycle.arena[test.layout.signals["operator.ramp_out"].first] = request_
    cycle.advance(len(rows) - 700, rows[700:])
    assert cycle.stop.reason == reason
    assert cycle.signal("safety.command")[0] == 0.0
    if reason == "trip":
        assert (cycle.stop.guard, cycle.stop.tripped) == ("operator", 700)


def test_ramping_out_is_no_reason_to_trip_for_guards_on_the_target(rig):
    follow = {"kind": "tracking_error", "trip": 0.0005}
    record = simulate(rig(follow, transfer__delay=0.0094))
    assert record.stop.completed
    left = record["safety.phase"][:, 0] == RAMPING_OUT
    assert record["guard.tracking_error_level"][left, 0].max() == 2


def test_the_trip_is_still_told_when_it_comes_at_the_planned_end(rig):
    test = rig(clock__duration=0.5)
    cycle = test.cycle("table")
    rows = np.empty((test.clock.ticks, len(test.layout.record_slots)))
    cycle.advance(512, rows[:512])
    cycle.arena[test.layout.signals["operator.ramp_out"].first] = 2.0
    cycle.advance(len(rows) - 512, rows[512:])
    assert cycle.stop.reason == "trip"
    assert cycle.signal("safety.command")[0] == 0.0


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"limits": {}}, "limits"),
        ({"safety__position": 0.03}, "safety.position"),
        ({"safety__position": [0.0, 0.0]}, "safety.position"),
        ({"safety__rate": 0.0}, "safety.rate"),
        ({"safety__rate": 2.0}, "safety.rate"),
        ({"safety__rate": 1e-12}, r"safety\.rate.*600 s"),
        ({"limits__compensator.command": 1e9}, r"safety\.rate.*narrow limits\.compensator"),
        ({"safety__hold": 1e9}, "safety.hold"),
        ({"excitation": LET_GO}, r"limits\.compensator\.command.*0\.03 m, where the test begins"),
        ({"limits__compensator.command": [0.01, 0.02], "safety__position": 0.01}, "begins"),
        (
            {"guard": [{"kind": "limit", "signal": "nothing.there", "trip": 1}]},
            r"guard\[0\]\.signal",
        ),
        (
            {"guard": [{"kind": "limit", "signal": "feedback.force[3]", "trip": 1}]},
            r"guard\[0\]\.signal",
        ),
        ({"guard": [{"kind": "limits", "signal": "feedback.force"}]}, "kind"),
    ],
)
def test_a_plan_that_cannot_be_safe_is_refused(rig, changes, field):
    with pytest.raises(InputError, match=field):
        rig(**changes)


def test_guards_without_a_safe_path_are_refused(rig):
    test = rig({"kind": "limit", "signal": "feedback.force", "trip": 5.0})
    with pytest.raises(InputError, match="safe path"):
        test.with_values({"safety": None})


@pytest.mark.parametrize(
    "guards",
    [
        [{"name": "one"}, {"name": "one"}],
        [{"name": "operator"}],  # one that is always there
        [{"name": "limit_b"}, {}],  # those without a name have letters
    ],
)
def test_two_guards_of_the_same_name_are_refused_by_that_name(rig, guards):
    force = {**LIMIT, "signal": "feedback.force"}
    with pytest.raises(InputError) as error:
        rig(*({**force, **g} for g in guards))
    assert error.value.field == "guard.name"
    assert error.value.value == guards[0]["name"]


def test_a_first_command_that_jumps_is_not_sent(rig):
    test = rig(safety__velocity=0.5)
    cycle = test.cycle("table")
    cycle.arena[test.layout.signals["integrator.response"].first] = 0.001  # the first target
    rows = np.empty((test.clock.ticks, len(test.layout.record_slots)))
    done = cycle.advance(len(rows), rows)
    slot = test.layout.signals["safety.command"].first
    sent = rows[:done, test.layout.record_slots.tolist().index(slot)]
    assert (cycle.stop.guard, cycle.stop.tripped) == ("velocity", 0)
    assert not sent.any()
