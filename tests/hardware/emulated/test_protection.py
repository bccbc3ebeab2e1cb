"""A rig protects itself: what is beyond its own limits is found, and what is within them never."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rths.hardware.emulated.protection import protection_block
from rths.loop.solo import respond

H = 1 / 1024
LIMITS = (0.05, 0.5, 20.0, 100.0)


def found(commands, forces=0.0, silence=0.0, session=1.0, since=None):
    """Tell at which ticks a limit was left."""
    n, since = len(commands), silence if since is None else since
    told = (commands, forces, silence, session, 0.0, 0.0, 0.0, 0.0, since)
    rows = np.column_stack([np.broadcast_to(v, n) for v in told])
    return np.flatnonzero(respond(protection_block(H, [0.0], [LIMITS]), rows)[:, 0])


def sine(size, frequency, n=1500):
    return size * np.sin(2 * np.pi * frequency * np.arange(n) * H)


def cosine(size, frequency, n=1500):
    return size * np.cos(2 * np.pi * frequency * np.arange(n) * H)  # it begins without a velocity


@pytest.mark.parametrize(
    ("commands", "what"),
    [
        (sine(0.06, 0.5), "displacement"),
        (cosine(0.04, 4.0), "velocity"),
        (cosine(0.01, 8), "turns"),
    ],
)
def test_a_command_beyond_a_limit_is_found(commands, what):
    assert found(commands).size, what


def test_a_command_within_all_limits_is_not_found():
    assert not found(cosine(0.02, 3.0)).size  # 0.38 m/s, 7.1 m/s²


@given(st.floats(0.5, 10.0), st.floats(0.1, 1.0), st.lists(st.integers(0, 1499), max_size=20))
def test_what_keeps_the_limits_is_never_found_though_two_commands_fall_into_one_tick(
    frequency, share, late
):
    w = 2 * np.pi * frequency
    size = share * min(LIMITS[0], LIMITS[1] / w, LIMITS[2] / w**2)
    commands = cosine(size, frequency)
    commands[late] = commands[np.maximum(np.array(late, int) - 1, 0)]  # it came a tick later
    assert not found(commands).size


def test_a_jump_is_found_at_its_tick():
    commands = np.r_[np.zeros(100), np.full(100, 2e-3)]
    assert found(commands)[0] == 100


def test_after_a_gap_the_command_may_be_as_far_as_the_velocity_allows():
    silence = np.r_[np.zeros(100), np.arange(10) * H, np.zeros(90)]
    gone_on = np.r_[np.zeros(110), np.full(90, 0.9 * LIMITS[1] * 10 * H)]
    assert 110 not in found(gone_on, silence=silence)
    assert 110 in found(2 * gone_on, silence=silence)


@pytest.mark.parametrize("gap", [10, 50, 200])
def test_what_keeps_the_limits_is_never_found_though_commands_were_missed(gap):
    commands, silence = cosine(0.02, 3.0), np.zeros(1500)
    for first in range(200, 1200, 300):
        commands[first : first + gap] = commands[first - 1]
        silence[first : first + gap] = np.arange(1, gap + 1) * H
    assert not found(commands, silence=silence).size


def test_a_rig_that_was_away_itself_lets_the_command_have_gone_on():
    away = np.r_[np.zeros(100), 0.3, np.zeros(99)]  # it is told at the tick with the next command
    gone_on = np.r_[np.zeros(100), np.full(100, 0.9 * LIMITS[1] * 0.09)]
    assert not found(gone_on, silence=away).size
    assert found(gone_on).size


def test_a_gap_is_allowed_for_once():
    """A rig that moves with each command hears of a gap with the command that ends it."""
    gap = np.r_[np.zeros(100), 0.09, np.zeros(99)]
    late = np.r_[np.zeros(101), np.full(99, 0.9 * LIMITS[1] * 0.09)]
    assert found(late, silence=gap, since=0.0)[0] == 101
    assert not found(np.r_[late[1:], late[-1]], silence=gap, since=0.0).size


def test_the_room_that_a_gap_leaves_is_soon_gone():
    silence = np.r_[np.zeros(100), np.arange(50) * H, np.zeros(1350)]
    turns = np.r_[np.zeros(500), cosine(0.01, 8, 1000) - 0.01]
    assert found(turns, silence=silence)[0] > 500


@pytest.mark.parametrize("value", [101.0, -101.0, np.nan])
def test_a_force_beyond_its_limit_or_no_number_is_found(value):
    forces = np.r_[np.zeros(50), np.full(50, value)]
    assert found(np.zeros(100), forces)[0] == 50


def test_a_session_begins_where_its_first_command_is():
    commands, session = np.r_[np.zeros(50), np.full(50, 0.03)], np.r_[np.ones(50), np.full(50, 2.0)]
    assert not found(commands, session=session).size
    assert found(commands).size
