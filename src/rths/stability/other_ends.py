"""The test ended sooner, smoothly, or pushed after its end: what a law has learnt depends on that.

An operator may end a test at any time, and lean on the specimen while all waits for the next one.
What comes of it is watched until nothing moves (`long_calm`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

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


def end_otherwise(watch: Watch, share: float = 1.0) -> Iterator[Ending]:
    """End the test at some times, smoothly or not."""
    line, rehearsal = watch.line, watch.rehearsal
    far = (1 - SOONEST) * line.windows
    ways = [(int(far * (k * GOLDEN % 1.0)), k % 2 == 0) for k in range(max(1, round(share * ENDS)))]
    for back, smooth in dict.fromkeys(ways):  # a short test has few windows
        begin = line.states[line.windows - back]
        state = rehearsal.end_smoothly(begin, watch.window) if smooth else begin
        yield Ending(float(begin[0]) * rehearsal.test.tick, smooth, watch.watch(state))


def push_and_wait(
    watch: Watch, pusher: Pusher, rest: Vector, share: float = 1.0
) -> Iterator[Ending]:
    """Push the loop from where it has come to rest after its test."""
    y = watch.yardstick
    for k, part in enumerate(PUSHED[: max(1, round(share * len(PUSHED)))]):
        start = pusher.aim(Start(0, abs(part) * y.limit, 1 if part > 0 else -1, 0), k)
        pulse, shares = pusher.pulse(start, int(rest[0])), y.shares(start.size, start.alone)
        yield Ending(
            0.0, False, watch.watch(rest, pulse, shares), start.size * y.unit(start.channel)
        )
