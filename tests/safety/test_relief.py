"""The second way to safety: taken when the first one does not help, and not before."""

from __future__ import annotations

import numpy as np
import pytest

from rths.loop.solo import respond
from rths.safety.phase import RAMPING_OUT, RUNNING, TRIPPED
from rths.safety.relief import ASKED, DONE, NONE, STANDING, relief_block

PATIENCE, LONGEST, STAND, ASK = 10, 200, 20, 30
LIMITS = {"low": -0.1, "high": 0.1, "force": 1000.0, "far": 0.01}


def relieved(rows, needs_force=False):
    """Give what the relief does in each tick for rows of displacement, force, command, phase."""
    block = relief_block(
        1, patience=PATIENCE, longest=LONGEST, standing=STAND, asking=ASK,
        needs_force=needs_force, channels=list(LIMITS.values()),
    )  # fmt: skip
    return respond(block, np.array(rows, float))


def left(n, displacement=0.0, force=0.0, command=0.0, phase=TRIPPED):
    return [[displacement, force, command, phase]] * n


@pytest.mark.parametrize(
    ("beyond", "cause"),
    [({"displacement": 0.11, "command": 0.11}, 1), ({"force": -1001.0}, 2), ({"command": 0.02}, 3)],
)
def test_it_stands_then_asks_for_the_pressure_to_be_released_and_ends(beyond, cause):
    found = relieved(left(PATIENCE + STAND + ASK + 20, **beyond))
    does = found[:, 0].tolist()
    assert does[:PATIENCE] == [NONE] * PATIENCE
    assert does[PATIENCE : PATIENCE + STAND] == [STANDING] * STAND
    assert does.count(ASKED) == ASK
    assert does[-1] == DONE
    assert found[-1, 1] == cause
    assert found[PATIENCE, 3] == 2.0


def test_a_limit_that_is_left_soon_after_the_trip_is_no_reason():
    rows = [*left(PATIENCE, force=5000.0), *left(LONGEST - PATIENCE - 1)]
    assert not relieved(rows)[:, 0].any()


def test_ticks_beyond_count_together_however_they_are_spread():
    rows = [r for _ in range(PATIENCE + 1) for r in (*left(1, force=2000.0), *left(3))]
    assert relieved(rows)[-1, 0] == STANDING


def test_a_way_that_never_arrives_is_none():
    found = relieved(left(LONGEST + 2, phase=RAMPING_OUT))
    assert found[LONGEST - 1, 0] == NONE
    assert found[LONGEST, 0] == STANDING


def test_while_the_test_runs_it_does_nothing():
    assert not relieved(left(1000, force=1e9, phase=RUNNING)).any()


def test_what_is_not_a_number_counts_only_where_the_way_needs_it():
    rows = left(50, force=np.nan)
    assert not relieved(rows)[:, 0].any()
    assert relieved(rows, needs_force=True)[-1, 0] >= STANDING
