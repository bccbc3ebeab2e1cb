"""What truly becomes of a plan: found by running it, long and from many starts.

The test is run as planned (excitation, noise, adaptation, faults), and beyond it a quiet end.
Copies are pushed at several times of the test and after it, in each mode and in mixtures, to both
sides, from a hundredth of the motion A to half of the plan's limit, which is how far a certificate
answers for; after the test with the noise on and with it silenced. A copy and its original share
their noise: their distance is what was pushed.

    runs away   a run is lost, or grows, or keeps swinging by what matters or more; the test itself
                reaches ten times its limit
    stays       every swing decays, or is well below what matters (`look`)
    unclear     what lies between, what hardly grows or decays whatever its size, a test beyond its
                limits that comes back, noise that keeps a loop moving, a push of a hundredth that
                leads a whole A away and back                                                  (1)

A is by channel, and that of the emulated test: what a certificate states that it measures by. What
has not ended clearly is run four times as long, and without noise four times as long once more: a
motion that gets smaller may come down to a limit cycle, and until a run is below what matters its
trend is a guess. Loops are judged beyond the end of their test because a test that ends before its
motion has grown is no stable one.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from benchmarks.certificates.emulated import emulated_motion
from benchmarks.certificates.look import MATTERS, SILENT, Look, look_at, split_swings
from benchmarks.certificates.rehearsal import SIGNALS, Rehearsal, Rows
from rths.assembly.hybrid_test import HybridTest
from rths.stability.yardstick import WITHIN

Word = Literal["runs away", "stays", "unclear"]
TIMES, SIZES = 3, (0.01, 1.0)
"""Times of the test at which copies are pushed, and by which multiples of the motion."""
SIZES_AFTER = (0.1, 0.3, 0.5, 1.0, 1.0, 1.0, 2.0)
"""Multiples of the motion by which copies are pushed after the test, if a certificate answers for
that much; one more by the most that it answers for."""
DRAWN = 8
"""Further pushes after the test, by sizes that are drawn between a tenth and the largest."""
TRIES, CLOSE, BEYOND, TUNED = 14, 1.5, 1.1, 0.1
"""Tries to find the force of a push, factors by which it may stay below its size and go beyond it,
and the size from which on it must: a smaller one may be lost in a gap or a step."""
BURST = 10.0
"""Limits that a test which comes back may reach before it counts as lost."""
CYCLES, LONGER, MOST = 20, 4, 300_000
"""Periods of a quiet run, how much longer the second look is, and most ticks of a run."""
PART, PARTS = 50_000, 20
"""Ticks of a part of the quiet end of a test that learns, and how many there are: minutes."""
LEFT, PUSHED_LEFT, SIZES_LEFT = 600.0, 300.0, (0.5, 1.0, 2.0)
"""Least time, s, for which a test that learns is left alone, and after a push, and by which
multiples of the motion it is pushed, beside the largest."""
SECOND_LOOKS = 2
"""Copies of a sort that decay and are run longer: what they show the others would show too."""
WATCHES, SWING_ON = 5, 3
"""Runs of a plan that are watched longest, and those of them that swing on: three tell a cycle from
a slow decay."""
UNSETTLED = ("grows", "lasts", "small")
"""Trends of which every run is run longer."""
CHATTER = 0.3
"""Share of the motion by which noise may keep a loop moving before it is doubted."""
UNEVEN, HALF = 1.5, 0.5
"""Factor between the motions of channels from which on half of the pushes are measured by the one
that moves most: a limit of the plan is as far away for all."""
ALIKE = 1.4
"""Ratio up to which lasting swings are taken for the same."""


@dataclass(frozen=True)
class Truth:
    """What becomes of a plan, why, and what it took to find out."""

    word: Word
    why: str
    ticks: int
    seconds: float


class Judge:
    """Looks at one plan from many sides."""

    def __init__(self, test: HybridTest, peak: float, seed: int) -> None:
        """Prepare to judge a test; ``peak``, m, is its motion if none can be emulated."""
        self.rng = np.random.default_rng(seed)
        motion = emulated_motion(test)
        each = np.full(test.channels, peak) if motion is None else motion
        self.motion, self.most = np.tile(each, len(SIGNALS)), float(each.max())
        """Motion A by column, and the largest of its channels, m."""
        self.loop = Rehearsal(test, self.most)
        self.begin = round(3 * self.loop.period / test.tick)
        """Ticks within which a push has had its first effect."""
        self.cycles = min(round(CYCLES * self.loop.period / test.tick), MOST // LONGER)
        self.limit = self.loop.limit / self.most
        self.largest = max(1.0, WITHIN * self.limit)
        """Largest push, as a multiple of the motion: a certificate answers for no more."""
        self.uneven = bool(test.limits) and float(each.min()) * UNEVEN < self.most
        """Whether a limit of the plan is further away for one channel than for another."""
        self.watches, self.doubted = WATCHES, SWING_ON
        self.matters = MATTERS if self.loop.noisy else SILENT
        """Swing that matters, in motions."""

    def judge(self) -> tuple[Word, str]:
        """Give the word (1) and its reason."""
        loop = self.loop
        arenas, rows, arena = self._rehearse()
        if len(rows) < loop.end:
            return "runs away", f"the test is lost at {len(rows) * loop.test.tick:.3g} s"
        looks: list[Look] = []
        for look in self._look_around(arenas, rows, arena):
            looks.append(look)
            if self._is_lost(look):
                return "runs away", str(look)
        reached = float(np.abs(rows).max()) / loop.limit
        return self._weigh(looks, reached)

    def _look_around(self, arenas: dict[int, Rows], rows: Rows, arena: Rows) -> Iterator[Look]:
        """Look at the end of the test, and at copies that are pushed after it and within."""
        yield self._after_test(arena)
        yield from self._pushed_after(arena)
        yield from self._pushed_in_test(arenas, rows, arena)

    def _is_lost(self, look: Look) -> bool:
        """Tell whether a run is lost for certain.

        Two modes that beat grow for a while only; two motions that decay at different frequencies
        come apart, though not further than they began, and two on the same limit cycle no further
        than twice its size. Where both of them fall, nothing grows but the phase between them.
        """
        apart = look.swings[-1] if look.swings else 0.0
        beyond = look.alone or apart > max(look.size, 2 * look.beside)
        grows = look.trend == "grows" and look.settled and beyond and not look.falls
        return look.trend == "lost" or grows

    def _rehearse(self) -> tuple[dict[int, Rows], Rows, Rows]:
        """Run the test; keep its arena at the times of pushes and at the end."""
        loop = self.loop
        last = round(0.8 * loop.test.duration / loop.test.tick)
        ticks = sorted({0, *self.rng.integers(1, last, TIMES - 1).tolist()})
        arenas, parts, arena = {}, [], loop.start()
        for begin, end in zip(ticks, [*ticks[1:], loop.end], strict=True):
            arenas[begin] = arena
            rows, arena = loop.run(arena, end - begin)
            parts.append(rows)
            if len(rows) < end - begin:
                break
        return arenas, np.concatenate(parts), arena

    def _after_test(self, arena: Rows) -> Look:
        """Look at the quiet end of the test itself, with its noise.

        What learns may walk for minutes, after all has calmed down, before it bursts.
        """
        ticks = max(PART * PARTS, self._ticks(LEFT)) if self.loop.learns else self.cycles
        return self._leave("the quiet end of the test", arena, ticks)

    def _leave(self, name: str, arena: Rows, ticks: int) -> Look:
        """Leave the loop alone, and look at it part by part."""
        courses, left = [], ticks
        while left:
            rows, arena = self.loop.run(arena, min(left, PART))
            if len(rows) < min(left, PART):
                return Look(name, np.inf)
            left -= len(rows)
            courses.append(split_swings(rows / self.motion))
        swings, means = courses[-1]
        course = tuple(max(c[0]) for c in courses)
        return Look(name, np.inf, 0.0, swings, means, own=swings[-1], course=course)

    def _pushed_and_left(self, arena: Rows) -> Iterator[Look]:
        """Push what learns after its test, and leave it alone for minutes: it may burst then."""
        base = self.loop.run(arena, self.begin)[0]
        for size in (*(min(s, self.largest) for s in SIZES_LEFT), self.largest):
            pushed, way = self._push(arena, base, size)
            name = f"left alone, pushed by {size:.2g} motions, {way}"
            look = self._leave(name, pushed, self._ticks(PUSHED_LEFT))
            yield replace(look, alone=True, settled=True, matters=self.matters)

    def _ticks(self, seconds: float) -> int:
        """Give the ticks of a time."""
        return round(seconds / self.loop.test.tick)

    def _pushed_in_test(self, arenas: dict[int, Rows], rows: Rows, end: Rows) -> Iterator[Look]:
        loop, tail, longer = self.loop, self.cycles // 2, LONGER * self.cycles
        base = np.concatenate([rows, loop.run(end, longer)[0]])
        for tick, arena in arenas.items():
            for size in (*SIZES, self.largest):
                pushed, way = self._push(arena, base[tick:], size)
                name = f"pushed at {tick * loop.test.tick:.3g} s by {size:.2g} motions, {way}"
                look = self._beside(name, pushed, base[tick : len(rows) + tail], tail)
                if look.trend in UNSETTLED:
                    look = self._beside(name, pushed, base[tick:], longer)
                    look = replace(look, settled=True)
                if look.trend in UNSETTLED and self.watches:
                    _, left = loop.run(pushed, len(base) - tick)
                    look = self._watch_on(replace(look, alone=True), loop.silence(left))
                yield replace(look, wanted=size)

    def _pushed_after(self, arena: Rows) -> Iterator[Look]:
        """Push the loop after its test: silenced, and with its noise if it has any."""
        silent = self.loop.silence(arena)
        yield self._rest(silent)
        yield from self._pushed_at_rest("silent", silent, alone=True)
        if self.loop.learns:
            yield from self._pushed_and_left(silent)
        if self.loop.noisy:
            yield from self._pushed_at_rest("noisy", arena, alone=False)

    def _pushed_at_rest(self, how: str, arena: Rows, alone: bool) -> Iterator[Look]:
        base = self.loop.run(arena, LONGER * self.cycles)[0]
        if len(base) < LONGER * self.cycles:
            yield Look(f"{how}, not pushed", np.inf)
            return
        again = SECOND_LOOKS
        drawn = 0.1 * (10 * self.largest) ** self.rng.uniform(size=DRAWN)
        for size in (*(min(s, self.largest) for s in SIZES_AFTER), self.largest, *drawn):
            pushed, way = self._push(arena, base, size)
            name = f"{how}, pushed by {size:.2g} motions, {way}"
            look = self._beside(name, pushed, base[: self.cycles], alone=alone)
            again -= look.trend == "decays"
            if look.trend in UNSETTLED or (look.trend == "decays" and again >= 0):
                look = self._beside(name, pushed, base, alone=alone)
                look = self._watch_on(replace(look, settled=True), pushed)
            yield replace(look, wanted=size)

    def _rest(self, silent: Rows) -> Look:
        """What is left of the test's motion if no noise keeps it up: its own distance from rest."""
        name = "silent after the test"
        for ticks in (self.cycles, LONGER * self.cycles):
            rows, _ = self.loop.run(silent, ticks)
            rest = np.zeros((ticks, rows.shape[1]))
            look = look_at(name, rows, rest, ticks, len(rows), self.motion, True, self.matters)
            look = replace(look, size=np.inf, gain=0.0, settled=True)
            if look.trend in ("gone", "lost"):
                return look
        return self._watch_on(look, silent)

    def _watch_on(self, look: Look, arena: Rows) -> Look:
        """Run what has not ended clearly and has no original once more, in four long parts.

        Some of them; but all that swing on, until as many have been seen to swing on for long: a
        word must not stand on a run that was too short.
        """
        if not look.alone or look.trend in ("gone", "lost"):
            return look
        if not self.watches and (look.trend not in ("lasts", "grows") or not self.doubted):
            return look
        self.watches = max(0, self.watches - 1)
        swings = []
        for _ in range(LONGER):
            rows, arena = self.loop.run(arena, LONGER * self.cycles)
            if len(rows) < LONGER * self.cycles:
                return replace(look, swings=())
            swings.append(max(split_swings(rows / self.motion)[0]))
        found = replace(look, swings=tuple(swings), own=swings[-1])
        self.doubted -= found.trend in ("lasts", "grows") and self.doubted > 0
        return found

    def _push(self, arena: Rows, base: Rows, size: float) -> tuple[Rows, str]:
        """Push a copy to a random side until its targets move by a size, within a factor.

        What yields or stiffens moves otherwise than the structure alone, for which the force is
        known. Where no force moves it by the size, because it goes on by itself, it is the least
        one that does, within the same factor: a larger one would throw it beyond all limits.
        """
        shape, rate, way = self._draw_way()
        length = self.motion
        if self.uneven and self.rng.uniform() < HALF:
            length, way = np.full_like(length, self.most), f"{way}, all alike"
        side, force, low, high = self.rng.choice([-1.0, 1.0]), size, 0.0, np.inf
        for _ in range(TRIES):
            pushed = self.loop.push(arena, side * force * self.most, shape, rate)
            ratio = size / max(self._reach(pushed, base, length), 1e-12)
            if size < TUNED or 1 / BEYOND < ratio < CLOSE:
                break
            low, high = (force, high) if ratio > 1 else (low, force)
            if high < BEYOND * low:
                break
            force *= float(np.clip(ratio, 0.25, 4.0))
            if not low < force < high:
                force = float(np.sqrt(low * high))
        return pushed, way

    def _reach(self, pushed: Rows, base: Rows, length: Rows) -> float:
        """How far a push moves the targets at first, in lengths of each channel."""
        ticks, targets = min(self.begin, len(base)), self.loop.test.channels
        rows, _ = self.loop.run(pushed, ticks)
        if len(rows) < ticks:
            return float("inf")
        return float(np.abs((rows - base[:ticks]) / length)[:, :targets].max(initial=0.0))

    def _draw_way(self) -> tuple[Rows, float, str]:
        """Draw a mode, or a mixture of all of them, and the rate of its push, rad/s."""
        loop, n = self.loop, self.loop.pushed.size
        k = int(self.rng.integers(n + 1))
        if k < n:
            i = loop.pushed[k]
            return loop.shapes[:, i], float(loop.rates[i]), f"mode {i + 1}"
        ends = np.log(loop.rates[loop.pushed[[0, -1]]] * (1, 3))
        rate = float(np.exp(self.rng.uniform(*ends)))
        return loop.shapes[:, loop.pushed] @ self.rng.normal(size=n), rate, "a mixture"

    def _beside(
        self, name: str, pushed: Rows, base: Rows, quiet: int | None = None, alone: bool = False
    ) -> Look:
        """Run a pushed copy beside its original."""
        rows, _ = self.loop.run(pushed, len(base))
        ticks = quiet or len(base), self.begin
        return look_at(name, rows, base, *ticks, self.motion, alone, self.matters)

    def _weigh(self, looks: list[Look], reached: float) -> tuple[Word, str]:
        """Give the worst word of all looks."""
        seen = [k for k in looks[1:] if k.settled]
        lasting = [k for k in seen if k.trend == "lasts" and k.alone]
        if lasting and not hardly_decays(lasting):
            return "runs away", str(lasting[0])
        if reached > BURST:
            return "runs away", f"the test itself reaches {reached:.3g} limits"
        first, silent = looks[:2]
        bursts = [k for k in looks if k.bursts]
        if bursts:
            return "runs away", f"it bursts: {bursts[0]}"
        kept = first.own > CHATTER > 3 * silent.own and first.trend != "decays"
        doubts = [k for k in seen if k.trend in ("lasts", "small")] + [first] * kept
        doubts += [k for k in looks if k.trend == "lost" or (k.trend == "grows" and k.settled)]
        doubts += [k for k in looks if k.strays]
        if doubts:
            return "unclear", str(doubts[0])
        if reached > 1:
            return "unclear", f"the test itself reaches {reached:.3g} limits"
        return "stays", f"{len(looks)} runs"


def hardly_decays(lasting: list[Look]) -> bool:
    """Tell whether runs swing on differently, as they do next to a border of stability.

    On a limit cycle they swing alike, whatever the push was.
    """
    ends = np.array([k.own for k in lasting])
    return bool(ends.max() > ALIKE * ends.min())


def find_truth(test: HybridTest, peak: float, seed: int = 0) -> Truth:
    """Judge a test that is meant to reach a peak, m, if its motion cannot be emulated."""
    begin = time.process_time()
    judge = Judge(test, peak, seed)
    with np.errstate(over="ignore", invalid="ignore"):
        word, why = judge.judge()
    return Truth(word, why, judge.loop.ticks, time.process_time() - begin)
