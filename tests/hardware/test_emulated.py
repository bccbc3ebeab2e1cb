"""The emulated rig's own safety and sensors, tick by tick on a virtual clock."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from rths.errors import InputError
from rths.hardware.emulated.drive import RigSafety, drive_block
from rths.hardware.emulated.fault import NAMES, Fault, parse_fault
from rths.hardware.emulated.sensors import sensor_block
from rths.hardware.wire.status import (
    APPROACHING,
    BEYOND,
    LATCHED,
    PRESSURE,
    RAMPING,
    SAFE,
    SATURATED,
    SILENCE,
    STANDING,
    STOPPED,
)
from rths.loop.solo import respond

H = 0.01
SAFETY = RigSafety(timeout=0.05, hold=0.1, rate=0.5, position=0.0)
STEP = SAFETY.rate * H


def driven(
    commands, silence=0.0, session=1.0, goodbye=0.0, tripped=0.0, without_oil=0.0, releases=0.0,
    beyond=0.0, faults=(), engine="table",
):  # fmt: skip
    n = len(commands)
    told = (silence, session, goodbye, tripped, without_oil, releases, silence, beyond)
    rows = np.column_stack([np.broadcast_to(v, n) for v in (commands, *told)])
    block = drive_block(H, [0.0], SAFETY, tuple(parse_fault(f) for f in faults))
    y = respond(block, rows, engine)
    return y[:, 0], y[:, 1].astype(int)


def test_a_rig_at_its_safe_position_releases_its_pressure_if_it_is_asked():
    silence = np.r_[np.zeros(5), np.full(95, 1.0)]
    asked = np.r_[np.zeros(60), np.ones(40)]
    position, status = driven(np.full(100, 0.01), silence, without_oil=asked)
    assert status[59] == SILENCE | LATCHED | SAFE
    assert_array_equal(status[60:], SILENCE | LATCHED | PRESSURE | STANDING)
    assert_array_equal(position[60:], position[59])


def test_an_actuator_that_lags_is_safe_only_when_it_is_there():
    silence = np.r_[np.zeros(20), np.full(1980, 1.0)]
    position, status = driven(np.full(2000, 0.2), silence, faults=["lag=1@0.1"])
    there = np.flatnonzero(status & SAFE)
    assert there.size
    assert abs(position[there[0]]) <= STEP
    assert np.all(status[abs(position) > STEP] & SAFE == 0)


def test_without_oil_nothing_moves_whatever_else_goes_wrong():
    asked = np.r_[np.zeros(50), np.ones(50)]
    position, _ = driven(np.full(100, 0.1), without_oil=asked, faults=["saturation=0.02@0.7"])
    assert_array_equal(position[50:], position[49])


def test_before_a_session_the_rig_does_not_move():
    position, status = driven(np.full(5, 0.3), session=0.0)
    assert not position.any()
    assert_array_equal(status, SAFE)


def test_a_session_begins_with_an_approach_at_the_safe_rate():
    position, status = driven(np.full(10, 0.018))
    assert_allclose(position[:5], [0.005, 0.010, 0.015, 0.018, 0.018])
    assert_array_equal(status[:5], [APPROACHING, APPROACHING, APPROACHING, 0, 0])


def test_once_met_the_command_is_followed_at_any_rate():
    position, _ = driven([0.0, 0.3, -0.3])
    assert_array_equal(position, [0.0, 0.3, -0.3])


def test_silence_makes_it_hold_then_return_at_the_safe_rate_and_stay():
    silence = np.maximum(0.0, np.arange(60) - 2.0) * H
    commands = np.r_[0.0, 0.02, np.full(58, 0.02)]
    commands[30:] = 0.05  # what is sent after the time-out is not followed
    silence[30:] = 0.0
    position, status = driven(commands, silence)
    first = int(np.argmax(silence > SAFETY.timeout))
    held = round(SAFETY.hold / H)
    assert_array_equal(position[1 : first + held], 0.02)
    assert np.abs(np.diff(position[first:])).max() <= STEP * (1 + 1e-12)
    assert_array_equal(position[-10:], 0.0)
    assert status[first] == SILENCE | LATCHED
    assert status[first + held] == SILENCE | LATCHED | RAMPING
    assert status[-1] == SILENCE | LATCHED | SAFE


def test_a_rig_that_went_safe_stays_safe_until_a_person_releases_it():
    n = 70
    silence, session, releases = np.zeros(n), np.ones(n), np.zeros(n)
    silence[5:45] = 1.0
    session[50:], session[62:] = 2.0, 3.0
    releases[60:] = 1.0
    command = np.r_[0.0, np.full(n - 1, 0.012)]
    position, status = driven(command, silence, session, releases=releases)
    assert_array_equal(position[45:62], 0.0)  # the session at tick 50 is of no use
    assert_array_equal(status[45:60], SILENCE | LATCHED | SAFE)
    assert_array_equal(status[60:62], SAFE)
    assert_allclose(position[62:66], [0.005, 0.010, 0.012, 0.012])
    assert status[-1] == 0


def test_after_a_goodbye_a_new_session_begins_anew():
    goodbye = np.isin(np.arange(60), range(10, 50))
    session = np.where(np.arange(60) < 50, 1.0, 2.0)
    position, status = driven(np.r_[0.0, np.full(59, 0.012)], 0.0, session, goodbye)
    assert_array_equal(position[20:50], 0.0)
    assert_allclose(position[50:54], [0.005, 0.010, 0.012, 0.012])
    assert status[-1] == 0


def test_a_goodbye_that_tells_of_a_trip_latches():
    goodbye = np.arange(20) >= 3
    _, status = driven(np.r_[0.0, np.full(19, 0.02)], goodbye=goodbye, tripped=goodbye)
    assert (status[3], status[-1]) == (RAMPING | LATCHED, SAFE | LATCHED)


def test_without_oil_the_actuators_stay_where_they_are_until_a_person_releases_the_rig():
    n = 40
    oil, releases = np.isin(np.arange(n), range(5, 20)), np.arange(n) >= 25
    position, status = driven(
        np.r_[0.0, np.full(n - 1, 0.02)], without_oil=oil, releases=releases, silence=0.0
    )
    assert_array_equal(position[1:25], 0.02)
    assert_array_equal(status[5:25], PRESSURE | LATCHED | STANDING)
    assert_allclose(position[25:29], [0.015, 0.010, 0.005, 0.0], atol=1e-15)
    assert status[-1] == SAFE


def test_goodbye_returns_without_an_alarm():
    goodbye = np.arange(20) >= 3
    position, status = driven(np.r_[0.0, np.full(19, 0.02)], goodbye=goodbye)
    assert_array_equal(position[:3], [0, 0.02, 0.02])
    assert_allclose(position[3:8], [0.015, 0.010, 0.005, 0.0, 0.0], atol=1e-15)
    assert (status[3], status[-1]) == (RAMPING, SAFE)


def test_the_operator_stops_it():
    position, status = driven(np.r_[0.0, np.full(49, 0.02)], faults=["stop@0.1"])
    assert_array_equal(position[1:20], 0.02)
    assert status[9] == 0
    assert status[10] == STOPPED | LATCHED
    assert status[-1] == STOPPED | LATCHED | SAFE
    assert position[-1] == 0.0


def test_without_pressure_it_hardly_moves():
    commands = 0.1 * np.arange(20) * H
    position, status = driven(commands, faults=["pressure=0.01@0.05+0.095"])
    during = slice(5, 15)
    assert_allclose(np.diff(position)[5:14], 0.01 * H)
    assert_array_equal(status[during], PRESSURE)
    # it is 9 mm behind then, and comes nearer by 5 - 1 mm in a tick
    assert_allclose(position[15:19], [0.010, 0.015, 0.017, 0.018], atol=1e-15)
    assert_array_equal(status[15:19], [APPROACHING, APPROACHING, 0, 0])


def test_an_actuator_that_kept_up_without_pressure_goes_on_following():
    position, status = driven([0.0, 0.001, 0.002, 0.3], faults=["pressure=0.1@0+0.03"])
    assert_array_equal(position, [0.0, 0.001, 0.002, 0.3])
    assert status[3] == 0


def test_when_saturation_sets_in_or_ends_the_actuator_moves_at_the_safe_rate():
    command = np.r_[0.0, np.full(29, 0.03)]
    position, status = driven(command, faults=["saturation=0.018@0.05+0.095"])
    assert_array_equal(position[1:5], 0.03)
    assert_allclose(position[5:9], [0.025, 0.020, 0.018, 0.018])
    assert_array_equal(status[5:9] & SATURATED, SATURATED)
    assert_allclose(position[15:19], [0.023, 0.028, 0.03, 0.03])
    assert_array_equal(status[15:19], [APPROACHING, APPROACHING, 0, 0])


def test_a_rig_that_holds_does_not_jump_when_saturation_sets_in():
    silence = np.r_[0.0, 0.0, np.full(28, 1.0)]
    command = np.r_[0.0, np.full(29, 0.03)]
    position, _ = driven(command, silence, faults=["saturation=0.01@0.05"])
    assert_array_equal(position[1:5], 0.03)  # it holds from tick 2 on
    assert_allclose(position[5:10], [0.025, 0.020, 0.015, 0.010, 0.010])


@given(st.data())
def test_faults_that_come_and_go_never_make_a_step_the_command_did_not_make(data):
    # a command that moves within the safe rate, so that any faster step is the rig's own doing
    moves = data.draw(st.lists(st.floats(-1.0, 1.0), min_size=60, max_size=60))
    command = STEP * np.cumsum(moves)
    quiet = data.draw(st.sampled_from([np.inf, 20, 40]))
    faults = []
    for name, most in (("pressure", 0.5), ("saturation", 0.05)):
        for _ in range(data.draw(st.integers(0, 2))):
            value = data.draw(st.floats(0.0, most))
            start, length = data.draw(st.floats(0.0, 0.5)), data.draw(st.floats(0.01, 0.3))
            faults.append(f"{name}={value:.17g}@{start:.17g}+{length:.17g}")
    position, _ = driven(command, np.where(np.arange(60) > quiet, 1.0, 0.0), faults=faults)
    assert np.abs(np.diff(position, prepend=0.0)).max() <= STEP * (1 + 1e-9)


def test_a_saturated_actuator_goes_no_further():
    position, status = driven([0.0, 0.05, -0.05, 0.01], faults=["saturation=0.02"])
    assert_array_equal(position, [0.0, 0.02, -0.02, 0.01])
    assert_array_equal(status, [0, SATURATED, SATURATED, 0])


def test_compiled_and_interpreted_drive_agree():
    silence = np.r_[np.zeros(20), np.full(40, 1.0)]
    both = [
        driven(np.linspace(0, 0.1, 60), silence, faults=["saturation=0.02"], engine=e)
        for e in ("table", "interpreted")
    ]
    assert_array_equal(both[0], both[1])


@given(st.data())
def test_on_its_own_the_rig_never_moves_faster_than_its_safe_rate(data):
    n = 80
    command = data.draw(st.lists(st.floats(-0.1, 0.1), min_size=n, max_size=n))
    quiet = data.draw(st.lists(st.sampled_from([0.0, 0.0, 0.0, 1.0]), min_size=n, max_size=n))
    session = np.cumsum(data.draw(st.lists(st.sampled_from([0, 0, 0, 1]), min_size=n, max_size=n)))
    position, status = driven(command, quiet, session.astype(float))
    own = (status & (SILENCE | RAMPING | SAFE | APPROACHING)) != 0
    steps = np.abs(np.diff(position, prepend=0.0))
    assert steps[own].max(initial=0.0) <= STEP * (1 + 1e-9)


def measured(rows, faults=()):
    y = respond(sensor_block(H, [0.0], tuple(parse_fault(f) for f in faults)), rows)
    return y.T


def rows(n=10):
    t = np.arange(n) * H
    return np.column_stack([2.0 * t, 5.0 * t, np.full(n, 7.0), t])


def test_sound_sensors_give_what_is_there_and_its_rate():
    d, v, f, s = measured(rows())
    assert_array_equal(d, rows()[:, 0])
    assert_array_equal(f, rows()[:, 1])
    assert_allclose(v[1:], 2.0)
    assert_array_equal(s, 7.0)


def test_a_stuck_sensor_keeps_its_value():
    d, v, f, _ = measured(rows(), ["stuck_force@0.035+0.03"])
    assert_allclose(f[4:7], 5.0 * 0.03)
    assert_allclose(f[7:], rows()[7:, 1])
    assert_allclose(d, rows()[:, 0])
    _, v, _, _ = measured(rows(), ["stuck_displacement@0.035"])
    assert not v[5:].any()


def test_a_drifting_sensor_drifts():
    _, _, f, _ = measured(rows(), ["drift_force=3@0.05"])
    t = rows()[:, 3]
    assert_allclose(f, 5.0 * t + 3.0 * np.maximum(0, t - 0.05), atol=1e-15)


def test_a_broken_sensor_gives_no_number_and_the_other_does():
    d, v, f, _ = measured(rows(), ["nan_force@0.045+0.03"])
    assert_array_equal(np.isnan(f), [False] * 5 + [True] * 3 + [False] * 2)
    assert np.isfinite(d).all()
    assert np.isfinite(v).all()
    d, v, f, _ = measured(rows(), ["nan_displacement@0.045"])
    assert_array_equal(np.isnan(d), [False] * 5 + [True] * 5)
    assert_array_equal(np.isnan(v), np.isnan(d))
    assert_array_equal(f, rows()[:, 1])


def test_a_sensor_that_jumps_is_off_from_then_on():
    _, _, f, _ = measured(rows(), ["jump_force=-3@0.045"])
    assert_array_equal(f, rows()[:, 1] - np.r_[np.zeros(5), np.full(5, 3.0)])
    d, _, _, _ = measured(rows(), ["jump_displacement=2@0.045+0.02"])
    assert_array_equal(d, rows()[:, 0] + np.r_[np.zeros(5), 2.0, 2.0, np.zeros(3)])


def test_two_faults_of_a_sensor_add_up():
    _, _, f, _ = measured(
        rows(), ["jump_force=1", "jump_force=2", "drift_force=3", "drift_force=4"]
    )
    assert_allclose(f, rows()[:, 1] + 3.0 + 7.0 * rows()[:, 3])


def test_a_fault_is_read():
    kind = list(NAMES).index("drift_force")
    assert parse_fault("drift_force=0.1@2.5+1:3") == Fault(kind, 0.1, 2.5, 3.5, 3)
    assert parse_fault("loss=0.1@2.5+inf") == Fault(list(NAMES).index("loss"), 0.1, 2.5)
    assert parse_fault("stop") == Fault(0)
    assert parse_fault("clock=-5e-05").value == -5e-5


@pytest.mark.parametrize(
    "text", ["", "los=1", "loss", "loss=x", "loss=2", "jitter=-1", "loss=nan", "stop@x", "a=1@2@3"]
)
def test_another_text_is_no_fault(text):
    with pytest.raises(InputError, match="fault"):
        parse_fault(text)


def test_a_sensor_the_wrong_way_round_has_the_other_sign():
    d, _, f, _ = measured(rows(), ["flip_force@0.045+0.03"])
    assert_array_equal(f, rows()[:, 1] * np.r_[np.ones(5), -np.ones(3), np.ones(2)])
    assert_array_equal(d, rows()[:, 0])
    d, _, f, _ = measured(rows(), ["flip_displacement@0.045"])
    assert_array_equal(d, rows()[:, 0] * np.r_[np.ones(5), -np.ones(5)])


def test_an_actuator_that_lags_is_late_by_a_time_constant_that_grows():
    position, _ = driven(np.r_[0.0, np.full(9, 1e-3)], faults=["lag=0.5@0.03"])
    expected = [0.0, *[1e-3] * 9]  # it has met the command before it lags
    assert_allclose(position, expected)
    ramp = 1e-3 * np.arange(10)
    position, _ = driven(ramp, faults=["lag=0.5@0.03"])
    expected = [*ramp[:4]]
    for k in range(4, 10):
        lag = 0.5 * (k * H - 0.03)
        expected.append(expected[-1] + (ramp[k] - expected[-1]) * H / (H + lag))
    assert_allclose(position, expected)


def test_an_actuator_that_lagged_makes_up_for_it_at_the_safe_rate():
    command = 0.004 * np.arange(60)  # within the safe rate
    position, _ = driven(command, faults=["lag=0.5@0.05+0.3"])
    late = command - position
    assert late[34] > 0.02
    assert np.abs(np.diff(position)).max() <= STEP * (1 + 1e-9)
    assert_allclose(late[-1], max(late[34] - 25 * (STEP - 0.004), 0.0), atol=1e-12)


@pytest.mark.parametrize("mode", ["approaching", "following"])
def test_beyond_its_own_limits_a_rig_goes_safe_and_says_so(mode):
    n, at = 60, 1 if mode == "approaching" else 12
    command, beyond = np.full(n, 0.03), np.r_[np.zeros(at), np.ones(n - at)]
    position, status = driven(command, beyond=beyond)
    assert np.all(status[at:] & BEYOND)
    assert np.all(status[at:] & LATCHED)
    assert not (status[:at] & BEYOND).any()
    assert_allclose(position[at : at + 10], position[at - 1])  # it holds
    assert position[-1] == 0.0
    assert status[-1] & SAFE
