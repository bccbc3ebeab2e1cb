"""A hand is heard at once, a flood as often as a hand."""

from __future__ import annotations

import pytest

from rths.cockpit.pace import A_SECOND, AT_ONCE, Pace


def test_a_hand_never_waits():
    now = [0.0]
    pace = Pace(lambda: now[0])
    for _ in range(100):
        now[0] += 1.0 / A_SECOND
        assert pace.find_wait() == 0.0


def test_a_flood_is_heard_as_often_as_a_hand():
    now, heard = [100.0], 0
    pace = Pace(lambda: now[0])
    while now[0] < 110.0:
        now[0] += pace.find_wait()
        heard += 1
    assert heard == pytest.approx(AT_ONCE + 10.0 * A_SECOND, abs=2)


def test_whoever_rests_may_hurry_again():
    now = [0.0]
    pace = Pace(lambda: now[0])
    for _ in range(3):
        assert [pace.find_wait() for _ in range(AT_ONCE)] == pytest.approx(
            [0.0] * AT_ONCE, abs=1e-9
        )
        assert pace.find_wait() > 0.0
        now[0] += 2.0 * AT_ONCE / A_SECOND
