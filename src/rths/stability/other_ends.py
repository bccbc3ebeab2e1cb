"""The test ended sooner, smoothly, or pushed after its end: what a law has learnt depends on that.

An operator may end a test at any time, and lean on the specimen while all waits for the next one.
What comes of it is watched for long (`long_calm`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rths.stability.disturbance import Pusher, Start
from rths.stability.long_calm import Calm, watch_calm
from rths.stability.quiet_end import GOLDEN, QuietLoop
from rths.stability.timeline import Timeline
from rths.stability.yardstick import Yardstick

ENDS = 6
"""Ends that are tried, every second one smooth: of one plan a third of them led to a burst."""
SOONEST = 0.5
"""Part of the test after which it may be ended."""
PUSHED = (1.0, 0.5, 0.1)
"""Pushes after the test whose consequences are waited for, as shares of the largest one: of one
plan all between one motion and five led to a burst, after minutes."""


@dataclass(frozen=True)
class Ending:
    """One end of a test, or a push after it, and what came of it."""

    time: float
    """When the test was ended, s."""
    smooth: bool
    calm: Calm
    pushed: float = 0.0
    """By how much it was pushed after that, m."""


def end_otherwise(
    line: Timeline, yardstick: Yardstick, window: int, share: float = 1.0
) -> Iterator[Ending]:
    """End the test at some times, smoothly or not."""
    far = (1 - SOONEST) * line.windows
    ways = [(int(far * (k * GOLDEN % 1.0)), k % 2 == 0) for k in range(max(1, round(share * ENDS)))]
    for back, smooth in dict.fromkeys(ways):  # a short test has few windows
        yield _end(line, yardstick, window, line.windows - back, smooth)


def _end(line: Timeline, yardstick: Yardstick, window: int, last: int, smooth: bool) -> Ending:
    """End the test after some windows."""
    rehearsal, begin = line.rehearsal, line.states[last]
    state = rehearsal.end_smoothly(begin, window) if smooth else begin
    calm = watch_calm(rehearsal, yardstick, window, state)
    return Ending(float(begin[0]) * rehearsal.test.tick, smooth, calm)


def push_and_wait(loop: QuietLoop, pusher: Pusher, share: float = 1.0) -> Iterator[Ending]:
    """Push the loop at rest after its test, to one side and the other."""
    rehearsal, y = loop.rehearsal, loop.yardstick
    time = float(loop.end[0]) * rehearsal.test.tick
    for k, part in enumerate(PUSHED[: max(1, round(share * len(PUSHED)))]):
        start = pusher.aim(Start(0, part * y.limit, 1 if k % 2 else -1, 0), k)
        pulse = pusher.pulse(start, int(loop.rest[0]))
        shares = y.shares(start.size, start.alone)
        calm = watch_calm(rehearsal, y, loop.window, loop.rest, pulse, shares)
        yield Ending(time, False, calm, start.size * y.unit(start.channel))
