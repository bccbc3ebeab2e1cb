"""The test ended sooner, smoothly, or pushed after its end: what a law has learnt depends on that.

An operator may end a test at any time, and lean on the specimen while all waits for the next one.
What comes of it is watched until nothing moves (`long_calm`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from rths.loop.block import Vector
from rths.stability.disturbance import Pusher, Start
from rths.stability.long_calm import Calm, Watch
from rths.stability.quiet_end import GOLDEN

ENDS = 6
"""Ends that are tried, every second one smooth: of one plan a third of them led to a burst."""
SOONEST = 0.5
"""Part of the test after which it may be ended."""
PUSHED = (1.0, -0.5, 0.1, -1.0)
"""Pushes after the test whose consequences are waited for, as shares of the largest one: of one
plan all between one motion and five led to a burst, after minutes."""


@dataclass(frozen=True)
class Ending:
    """One end of a test, or a push after it, and what came of it."""

    time: float
    """When the test was ended, s; 0 if it was pushed after its own end."""
    smooth: bool
    calm: Calm
    pushed: float = 0.0
    """By how much it was pushed, m."""


def end_otherwise(watch: Watch, share: float = 1.0) -> Iterator[Callable[[], Ending]]:
    """Give trials that end the test at some times, smoothly or not."""
    line = watch.line
    far = (1 - SOONEST) * line.windows
    ways = [(int(far * (k * GOLDEN % 1.0)), k % 2 == 0) for k in range(max(1, round(share * ENDS)))]
    for back, smooth in dict.fromkeys(ways):  # a short test has few windows
        yield partial(_end_at, watch, line.states[line.windows - back], smooth)


def _end_at(watch: Watch, begin: Vector, smooth: bool) -> Ending:
    """End the test in a state, and watch what comes of it."""
    state = watch.rehearsal.end_smoothly(begin, watch.window) if smooth else begin
    return Ending(float(begin[0]) * watch.rehearsal.test.tick, smooth, watch.watch(state))


def push_and_wait(
    watch: Watch, pusher: Pusher, rest: Vector, share: float = 1.0
) -> Iterator[Callable[[], Ending]]:
    """Give trials that push the loop from where it has come to rest after its test."""
    for k, part in enumerate(PUSHED[: max(1, round(share * len(PUSHED)))]):
        size = abs(part) * watch.yardstick.limit
        start = pusher.aim(Start(0, size, 1 if part > 0 else -1, 0), k)
        yield partial(_push_once, watch, pusher, rest, start)


def _push_once(watch: Watch, pusher: Pusher, rest: Vector, start: Start) -> Ending:
    """Push the loop at rest, and watch what comes of it."""
    y = watch.yardstick
    pulse, shares = pusher.pulse(start, int(rest[0])), y.shares(start.size, start.alone)
    calm = watch.watch(rest, pulse, shares)
    return Ending(0.0, False, calm, start.size * y.unit(start.channel))
