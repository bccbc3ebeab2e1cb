"""The loop of peaks runs each variation as the other loops do, and keeps the peaks of its rows."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from rths.loop.block import Block, kernel
from rths.loop.cycle import Cycle
from rths.loop.peak_loop import RAISED, PeakLoop

TICKS = 40


@kernel
def swing(x, p, u, y) -> int:
    # p = growth, stop, value where it is not a number;   x = last
    x[0] = -p[0] * x[0] - 0.01 * u[0]
    y[0] = x[0]
    y[1] = 1.0 / (u[0] - p[2]) if u[0] != p[2] else np.nan
    return 7 if u[0] == p[1] else 0


@kernel
def refuses(x, p, u, y):
    if u[0] == p[0]:
        raise ValueError("no more")
    y[0] = u[0]


NEVER = -1.0


def changes(*rows):
    """Begin, growth, stop and hole of some variations, as the loop takes them."""
    return np.array(rows, float)


@pytest.fixture(scope="module")
def layout(behind_a_counter):
    block = Block(swing, [1.0, NEVER, NEVER], [1.0], outputs=2)
    return behind_a_counter(block, "fused", record=("out", "count")).layout


def rows_of(layout, row):
    """Run one variation in the table loop; give its rows and why it stopped."""
    cycle = Cycle(layout, 0.1, "table")
    cycle.restore(PeakLoop(layout, [1]).make_arena(row))
    rows = np.empty((TICKS, 3))
    return rows[: cycle.advance(TICKS, rows)], cycle.stop


def test_peaks_are_those_of_the_rows(layout):
    rng = np.random.default_rng(0)
    given = changes(*([*rng.uniform(-1.1, 1.1, 2), NEVER, NEVER] for _ in range(9)))
    loop, peaks = PeakLoop(layout, [1]), np.empty((9, 3))
    assert loop.run(given, TICKS, peaks) == 9
    assert loop.stopped == (TICKS, -1, 1)
    for row, found in zip(given, peaks, strict=True):
        rows, _ = rows_of(layout, row)
        assert found.tobytes() == np.abs(rows).max(axis=0).tobytes()


def test_a_run_that_stops_is_the_last_of_a_call_and_the_next_call_goes_on(layout):
    given = changes([1, 0.5, NEVER, NEVER], [1, 1.1, 12, NEVER], [1, 0.9, NEVER, NEVER])
    loop, peaks = PeakLoop(layout, [1]), np.empty((3, 3))
    assert loop.run(given, TICKS, peaks) == 2
    rows, stop = rows_of(layout, given[1])
    assert loop.stopped == (len(rows), 1, 8)  # block 1 answered with 1 + 7
    assert (stop.tick, stop.code) == (len(rows), 7)
    assert_array_equal(peaks[1], np.abs(rows).max(axis=0))
    assert loop.run(given[2:], TICKS, peaks[2:]) == 1
    assert_array_equal(peaks[2], np.abs(rows_of(layout, given[2])[0]).max(axis=0))


def test_what_is_not_a_number_at_one_tick_is_none_in_the_end(layout):
    peaks = np.empty((1, 3))
    PeakLoop(layout, [1]).run(changes([1, 0.5, NEVER, 9]), TICKS, peaks)
    assert np.isnan(peaks[0]).tolist() == [False, True, False]


def test_a_block_that_raises_is_told_apart(behind_a_counter):
    layout = behind_a_counter(Block(refuses, [30.0]), "fused").layout
    loop, peaks = PeakLoop(layout, [1]), np.empty((3, 2))
    assert loop.run(changes([NEVER], [30.0], [NEVER]), TICKS, peaks) == 2
    assert loop.stopped[1] == RAISED
    assert loop.run(changes([NEVER]), TICKS, peaks[:1]) == 1
    assert_array_equal(peaks[0], [TICKS, TICKS])


def test_rows_of_another_size_are_refused(layout):
    loop = PeakLoop(layout, [1])
    with pytest.raises(TypeError, match="are wanted"):
        loop.run(np.zeros((2, 3)), TICKS, np.empty((2, 3)))
    with pytest.raises(TypeError, match="are wanted"):
        loop.run(np.zeros((2, 4)), TICKS, np.empty((3, 3)))
