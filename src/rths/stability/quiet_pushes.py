"""Which pushes a loop gets after its test: all sizes, lengths, shapes and signs.

    sizes of the ladder, then  a_n (matters/a_n)^(u²),  u evenly in 0...1: more large than small (1)
    then pushes beside the one whose motion is left longest, from the longest of those on        (2)
    motions from several sizes that keep one and the same size are a cycle                       (3)

It is pushed from rest, and while it still moves from the test. What learns is pushed twice as
often, mostly while it moves, and by about its motion: what it is taught depends on what it met.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations

import numpy as np

from rths.stability.abreast import try_abreast
from rths.stability.disturbance import Pusher, Start, ladder
from rths.stability.quiet_end import (
    GOLDEN,
    NOTHING,
    TEN_MINUTES,
    Pause,
    Push,
    QuietLoop,
    Release,
)
from rths.stability.sustained import is_steady

AS_LARGE = (0.2, 2.0)
"""Motions by which what learns and still moves is pushed: much less or more would be as at rest."""
LEARNS = 2
"""Factor on further releases of what learns."""
LOWEST, BEYOND = 6, 1.15
"""Modes that are pushed furthest, and how far beyond what is answered for: a push that is a little
longer, or of several modes, must not find what the others have just missed."""
MORE, MOST_WORK = 120, 72_000_000
"""Further releases, and steps of blocks that all of them together may take, some three seconds:
two modes are pushed ten times in each shape and to each side, so that a cycle is met that a tenth
of the sizes of a single one of them leads to."""
TIMED = 4
"""Every so many further pushes of a loop that holds one's own code are asked for timers."""
FEWEST = 12
"""Further releases of what learns, whatever they cost."""
LATE, LATE_WORK = 8, 60_000_000
"""Releases of what has its own time through what is left of ten minutes, however few pushes were
left for it; and steps that passing these may take, three seconds: where a step of a specimen costs
as much as hundreds of others it is followed for less, which is told."""
SAME, PROPORTION = 1.25, 0.25
"""Factor within which two motions that keep their size are one, and beyond which pushes differ; and
the part of the latter, in logarithms, that the former may be: without damping all of it is kept."""
PUSH_FACTORS = (0.6, 1.6, 0.8, 1.25)
"""Factors on a push whose motion was kept, the next ones where the first do not lead there."""
CLIMBED, CLIMBS, CLIMB_FACTORS = 3, 4, (0.8, 1.25, 1.6)
"""Pushes from which is climbed, turns of (2), and factors on the slowest of them: where a decay is
slow another motion is near that is kept, as what yields comes to rest elsewhere after each."""


@dataclass(frozen=True, eq=False)
class Turn:
    """A push, and what passes beside it."""

    push: Push
    pause: Pause
    """Where the loop rests after it."""
    waited: Sequence[Release] = ()
    """What became of the loop while it was left alone."""
    passed: float = 0.0
    """How long that was, s."""
    timers: bool = False
    """Whether it is watched for ten minutes if the push sets something counting."""


def release_all(
    loop: QuietLoop,
    pusher: Pusher,
    alone: Release,
    share: float = 1.0,
    meanwhile: Callable[[], None] = lambda: None,
) -> list[Release]:
    """Push with every size and sign, modes in turn, until a push is lost or a cycle is known.

    ``alone`` is the loop without a push. Where a motion was kept, smaller and larger pushes tell
    whether it has a size of its own. What has a memory comes to rest elsewhere each time: further
    pushes, drawn by chance, find where it does not come to rest.
    """
    found = [alone]
    if alone.fate in ("lost", "grows"):
        return found
    _push_every_size(loop, pusher, found)
    if is_decided(found):
        return found
    work = sum(_work_of(loop, r) for r in found)
    if not any(r.fate == "keeps" for r in found):
        found += _push_furthest(loop, pusher, share)
    _push_further(loop, pusher, share, work, found)
    if not _goes_on(found):
        meanwhile()
    if loop.has_own_time:
        _push_late(loop, pusher, share, found)
    if not is_decided(found):
        found += _climb(loop, pusher, [r for r in found if r.fate == "decays"])
    _push_beside(loop, pusher, found)
    return found


def _follow_all(loop: QuietLoop, turns: Iterable[Turn]) -> Iterator[tuple[Turn, Release]]:
    """Follow the pushes of some turns: abreast, if nothing is foreseen of one by another."""
    trials = (partial(_follow, loop, turn) for turn in turns)
    return (trial() for trial in trials) if loop.foresees else try_abreast(trials)


def _follow(loop: QuietLoop, turn: Turn) -> tuple[Turn, Release]:
    return turn, loop.follow_timers(turn.push) if turn.timers else loop.follow(turn.push)


def _release_each(
    loop: QuietLoop, pusher: Pusher, starts: Iterable[Start], timers: bool = False
) -> Iterator[Release]:
    """Push from where the loop rests, with each start; look for ``timers`` that it sets."""
    pause = loop.pause
    turns = (Turn(loop.prepare(pusher, start, pause), pause, timers=timers) for start in starts)
    return (release for _, release in _follow_all(loop, turns))


def _push_every_size(loop: QuietLoop, pusher: Pusher, found: list[Release]) -> None:
    """Push with every size of the ladder to both sides, until that is decided."""

    def is_below(size: float) -> bool:
        """Below what the test has left moving it would be the same once more."""
        kept = [r for r in found if r.fate == "keeps"]
        return bool(kept) and size < kept[-1].first

    pause, timers = loop.pause, loop.holds_own_code
    starts = (
        pusher.aim(Start(0, float(size), sign, 0), j)
        for j, size in enumerate(ladder(loop.yardstick))
        for sign in (1, -1)
    )
    turns = (Turn(loop.prepare(pusher, start, pause), pause, timers=timers) for start in starts)
    for turn, release in _follow_all(loop, turns):
        if is_below(turn.push.start.size):  # asked here: how many are under way must not matter
            continue
        found.append(release)
        if is_decided(found):
            return


def _push_further(
    loop: QuietLoop, pusher: Pusher, share: float, work: float, found: list[Release]
) -> None:
    """Push in all ways, as often as the work allows, until something does not decay."""
    fewest = len(found) + (share * FEWEST if loop.learns else 0)
    count = round(share * (LEARNS if loop.learns else 1) * MORE)

    def is_over() -> bool:
        spent = work > share * MOST_WORK and len(found) >= fewest
        return spent or _goes_on(found)

    if is_over():
        return
    for turn, release in _follow_all(loop, _further_turns(loop, pusher, count)):
        found += [release, *turn.waited]
        work += _work_of(loop, release) + _steps(loop, turn.passed)
        loop.pause = turn.pause
        if is_over():
            return


def _goes_on(found: Iterable[Release]) -> bool:
    """Tell whether a push that is answered for does not decay."""
    return any(r.fate != "decays" and not r.beyond for r in found)


def _further_turns(loop: QuietLoop, pusher: Pusher, count: int) -> Iterator[Turn]:
    """Push, then let some time pass, again and again."""
    pause, tick = loop.pause, loop.rehearsal.test.tick
    for k, (start, moving) in enumerate(_further_starts(loop, pusher, count)):
        if moving:
            pause, push = loop.prepare_moving(pusher, start, pause)
        else:
            push = loop.prepare(pusher, start, pause)
        since = pause.rest[0]
        pause, waited = loop.wait(pause, TEN_MINUTES / count)
        timers = loop.holds_own_code and k % TIMED == 0
        yield Turn(push, pause, waited, float(pause.rest[0] - since) * tick, timers)


def _push_late(loop: QuietLoop, pusher: Pusher, share: float, found: list[Release]) -> None:
    """Push what has its own time to the end of ten minutes, or as long as the work allows."""
    most, pushes = LATE_WORK / _steps(loop, 1.0), max(1, round(share * LATE))
    left = min(TEN_MINUTES - loop.followed, most)
    if _goes_on(found) or left <= 0:
        return
    for turn, release in _follow_all(loop, _late_turns(loop, pusher, pushes, left)):
        found += [*turn.waited, release]
        loop.pause = turn.pause
        if _goes_on(found):
            return


def _late_turns(loop: QuietLoop, pusher: Pusher, pushes: int, left: float) -> Iterator[Turn]:
    """Let time pass, then push by the motion, then as far as is tried."""
    pause = loop.pause
    for k in range(pushes):
        pause, waited = loop.wait(pause, left / pushes)
        size = loop.yardstick.limit if k % 2 else 1.0
        start = pusher.aim(Start(0, size, 1 if k % 4 < 2 else -1, 0), k)
        yield Turn(loop.prepare(pusher, start, pause), pause, waited, timers=loop.holds_own_code)


def is_decided(found: Sequence[Release]) -> bool:
    """Tell whether a push was lost or grew, or those that were kept are a cycle."""
    own = [r for r in found if not r.beyond]
    kept = [r for r in own if r.fate == "keeps"]
    return any(r.fate in ("lost", "grows") or r.sustained for r in own) or is_cycle(kept)


def _push_furthest(loop: QuietLoop, pusher: Pusher, share: float = 1.0) -> list[Release]:
    """Push each of the lowest modes to both sides, further than is answered for.

    What saturates is lost by a large push, and perhaps by one of a single mode. Where it does not
    decay, the push up to which is answered tells whether that is a loss or next to one. What such
    pushes set counting may act long after their motion: then they are watched for ten minutes.
    """
    lowest = range(min(pusher.modes, max(1, round(share * LOWEST))))
    none = Start(0, loop.yardstick.limit, 1, 0)
    starts = [pusher.aim_furthest(replace(none, sign=s), m) for m in lowest for s in (1, -1)]
    beyond, found = [replace(s, size=BEYOND * s.size) for s in starts], list[Release]()
    for start, release in zip(starts, _release_each(loop, pusher, beyond, True), strict=True):
        found.append(release)
        if release.fate == "decays":
            continue
        within = loop.follow_timers(loop.prepare(pusher, start, loop.pause))
        same = within.fate == release.fate or within.fate in ("lost", "grows")
        return [*found[:-1], replace(release, beyond=not same), within]
    return found


def _climb(loop: QuietLoop, pusher: Pusher, found: Sequence[Release]) -> list[Release]:
    """Climb from the pushes of different ways whose motions took longest to decay (2)."""
    pushed = sorted((r for r in found if r.size), key=lambda r: r.left, reverse=True)
    ways = {(r.mode, r.shape, r.channel): r for r in reversed(pushed)}  # of each the slowest
    slowest = sorted(ways.values(), key=lambda r: r.left, reverse=True)[:CLIMBED]
    more = list[Release]()
    for start in slowest:
        more += _climb_from(loop, pusher, start)
        if more and more[-1].fate != "decays":
            break
    return more


def _climb_from(loop: QuietLoop, pusher: Pusher, first: Release) -> list[Release]:
    """Push less and more than where a motion took long to decay, and on from the slowest."""
    y, more = loop.yardstick, list[Release]()
    slowest: Release | None = first
    for _ in range(CLIMBS):
        if slowest is None or slowest.left <= y.matters or slowest.fate != "decays":
            break
        size, ways = slowest.size / y.unit(slowest.channel), (slowest.shape, slowest.channel)
        starts = [
            Start(0, min(f * size, y.limit), slowest.sign, slowest.mode - 1, *ways)
            for f in CLIMB_FACTORS
        ]
        more += _release_each(loop, pusher, starts)
        best = max(more[-len(starts) :], key=lambda r: r.left)
        slowest = best if best.left > slowest.left else None
    return sorted(more, key=lambda r: r.fate != "decays")


def _further_starts(loop: QuietLoop, pusher: Pusher, count: int) -> Iterator[tuple[Start, bool]]:
    """Go through all modes, shapes and signs again and again, each with other sizes (1).

    The order is drawn with a fixed seed. At every third turn the loop is still moving: these have
    sizes of their own, as those at rest would lie unevenly without them. If it learns, it is still
    moving at two turns of three, and pushed by about its motion.
    """
    rng, y, modes = np.random.default_rng(13), loop.yardstick, range(pusher.modes)
    none = Start(0, 0.0, 1, 0)
    aims = [pusher.aim_at(none, m, t) for m in modes for t in range(pusher.turns)]
    ways = {(a.mode, a.shape, s, a.channel) for a in aims for s in (1, -1)}
    every = rng.permutation(sorted(ways)).tolist()
    first = rng.uniform(size=len(every))
    for k in range(count):
        turn, i = divmod(k, len(every))
        moving = turn % 3 > 0 if loop.learns else turn % 3 == 2
        u = (float(first[i]) + (turn // 3 if moving else turn - turn // 3) * GOLDEN) % 1.0
        mode, shape, sign, channel = every[i]
        size = y.limit * (y.matters / y.limit) ** (u * u)  # (1)
        if moving and loop.learns:
            size = AS_LARGE[0] * (AS_LARGE[1] / AS_LARGE[0]) ** ((turn * GOLDEN + u) % 1.0)
            size = min(size, y.limit)
        yield Start(0, size, sign, mode, shape, channel), moving


def _work_of(loop: QuietLoop, release: Release) -> float:
    """Steps of a release that count: what timers take is beside all else."""
    return 0.0 if release.timed else _steps(loop, release.time)


def _steps(loop: QuietLoop, time: float) -> float:
    """Steps of blocks that the loop takes in some time, s."""
    rehearsal = loop.rehearsal
    return time / rehearsal.test.tick * rehearsal.steps / rehearsal.ticks


def _push_beside(loop: QuietLoop, pusher: Pusher, found: list[Release]) -> None:
    """Push a little less and a little more than where a motion was kept, until that is decided.

    What moves without a push is pushed by as much as it moves.
    """
    kept = [r for r in found if r.fate == "keeps" and not r.beyond]
    if not kept:
        return
    last = kept[-1]
    size = last.size / loop.yardstick.unit(last.channel) or last.left
    ways = last.sign, max(0, last.mode - 1), last.shape, last.channel
    if is_decided(found):
        return
    limit = loop.yardstick.limit
    starts = (Start(0, min(factor * size, limit), *ways) for factor in PUSH_FACTORS)
    for release in _release_each(loop, pusher, starts):
        found.append(release)
        if is_decided(found):
            return


def is_cycle(kept: Sequence[Release]) -> bool:
    """Tell whether motions of several first sizes keep one and the same (3)."""
    swinging = (r for r in kept if r.frequency and is_steady(r))  # others creep, or decay slowly
    for a, b in combinations(swinging, 2):
        first, left = (
            max(x, y) / max(min(x, y), NOTHING) for x, y in ((a.first, b.first), (a.left, b.left))
        )
        if first > SAME and left < min(SAME, first**PROPORTION):
            return True
    return False
