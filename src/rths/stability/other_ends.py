"""The test ended sooner, smoothly, or pushed after its end: what a law has learnt depends on that.

An operator may end a test at any time, lean on the specimen while all waits, and run it once more.
What comes of it is watched for long (`long_calm`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from rths.loop.block import Vector
from rths.stability.disturbance import Pusher, Start
from rths.stability.long_calm import Calm, watch_calm
from rths.stability.quiet_end import GOLDEN, QuietLoop
from rths.stability.quiet_noise import QuietNoise
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
    """When the test was ended, s; 0 if it was not cut short."""
    smooth: bool
    calm: Calm
    pushed: float = 0.0
    """By how much it was pushed after that, m."""
    waited: float = 0.0
    """How long it was quiet before that, or before the test was run once more, s."""


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
    for k, part in enumerate(PUSHED[: max(1, round(share * len(PUSHED)))]):
        start = Start(0, part * loop.yardstick.limit, 1 if k % 2 else -1, 0)
        yield _push(loop, pusher, pusher.aim(start, k), loop.rest)


def wait_for_more(loop: QuietLoop, pusher: Pusher, noise: QuietNoise) -> Iterator[Ending]:
    """Wait after the test was run once more; push the loop after all the quiet before that."""
    if noise.end is None or noise.end_again is None or not noise.again:
        return
    calm = watch_calm(loop.rehearsal, loop.yardstick, loop.window, noise.end_again)
    yield Ending(0.0, False, calm, waited=noise.time)
    start = pusher.aim(Start(0, loop.yardstick.limit, 1, 0), 0)
    yield replace(_push(loop, pusher, start, noise.end), waited=noise.time)


def _push(loop: QuietLoop, pusher: Pusher, start: Start, state: Vector) -> Ending:
    rehearsal, y = loop.rehearsal, loop.yardstick
    pulse, shares = pusher.pulse(start, int(state[0])), y.shares(start.size, start.alone)
    calm = watch_calm(rehearsal, y, loop.window, state, pulse, shares)
    return Ending(0.0, False, calm, start.size * y.unit(start.channel))
