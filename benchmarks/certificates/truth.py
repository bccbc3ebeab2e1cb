"""What truly becomes of a plan: found by running it, long and from many starts.

The test is run as planned (excitation, noise, adaptation, faults), and beyond it a quiet end.
Copies are pushed at several times of the test and after it, in each mode and in mixtures, to both
sides, from a hundredth of the peak P to four tenths of the plan's limit; after the test with the
noise on and with it silenced. A copy and its original share their noise: their distance is what
was pushed.

    runs away   a run is lost, or grows, or keeps swinging by a twentieth of P or more; the test
                itself reaches ten times its limit
    stays       every swing decays, or is below a hundredth of P
    unclear     what lies between, what hardly grows or decays whatever its size, a test beyond its
                limits that comes back, noise that keeps a loop moving                         (1)

What has not ended clearly is run four times as long. Loops are judged beyond the end of their test
because a test that ends before its motion has grown is no stable one.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from benchmarks.certificates.look import Look, look_at, split_swings
from benchmarks.certificates.rehearsal import Rehearsal, Rows
from rths.assembly.hybrid_test import HybridTest

Word = Literal["runs away", "stays", "unclear"]
TIMES, SIZES = 3, (0.01, 1.0)
"""Times of the test at which copies are pushed, and by which multiples of the peak."""
SIZES_AFTER = (0.1, 0.3, 0.5, 1.0, 1.0, 1.0, 2.0)
"""Multiples of the peak by which copies are pushed after the test."""
OF_LIMIT = 0.4
"""Share of the limit by which one copy more is pushed each time."""
BURST = 10.0
"""Limits that a test which comes back may reach before it counts as lost."""
CYCLES, LONGER, MOST = 20, 4, 300_000
"""Periods of a quiet run, how much longer the second look is, and most ticks of a run."""
PART, PARTS = 50_000, 20
"""Ticks of a part of the quiet end of a test that learns, and how many there are: minutes."""
SECOND_LOOKS = 2
"""Copies of a sort that are run longer: what they show the others would show too."""
CHATTER = 0.3
"""Share of the peak by which noise may keep a loop moving before it is doubted."""
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
        self.rng = np.random.default_rng(seed)
        self.loop = Rehearsal(test, peak)
        self.begin = round(3 * self.loop.period / test.tick)
        """Ticks within which a push has had its first effect."""
        self.cycles = min(round(CYCLES * self.loop.period / test.tick), MOST // LONGER)
        self.peak, self.limit = peak, self.loop.limit / peak

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
        come apart, though not further than they began; a hard push may throw a structure that
        yields beyond all limits at once, which proves nothing.
        """
        fair = look.wanted <= 1.0 or look.size <= self.limit or look.size == np.inf
        beyond = look.alone or (bool(look.swings) and look.swings[-1] > look.size)
        grows = look.trend == "grows" and look.settled and beyond
        return fair and (look.trend == "lost" or grows)

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
        name = "the quiet end of the test"
        ticks = PART * PARTS if self.loop.learns else self.cycles
        courses, left = [], ticks
        while left:
            rows, arena = self.loop.run(arena, min(left, PART))
            if len(rows) < min(left, PART):
                return Look(name, np.inf)
            left -= len(rows)
            courses.append(split_swings(rows / self.peak))
        swings, means = courses[-1]
        course = tuple(max(c[0]) for c in courses)
        return Look(name, np.inf, 0.0, swings, means, own=swings[-1], course=course)

    def _pushed_in_test(self, arenas: dict[int, Rows], rows: Rows, end: Rows) -> Iterator[Look]:
        loop, tail, longer = self.loop, self.cycles // 2, LONGER * self.cycles
        base = np.concatenate([rows, loop.run(end, longer)[0]])
        again = SECOND_LOOKS
        for tick, arena in arenas.items():
            for size in (*SIZES, OF_LIMIT * self.limit):
                pushed, way = self._push(arena, size)
                name = f"pushed at {tick * loop.test.tick:.3g} s by {size:.2g} peaks, {way}"
                look = self._beside(name, pushed, base[tick : len(rows) + tail], tail)
                if again and look.trend not in ("gone", "decays", "lost"):
                    again -= 1
                    look = self._beside(name, pushed, base[tick:], longer)
                    look = replace(look, settled=True)
                yield replace(look, wanted=size)

    def _pushed_after(self, arena: Rows) -> Iterator[Look]:
        """Push the loop after its test: silenced, and with its noise if it has any."""
        silent = self.loop.silence(arena)
        yield self._rest(silent, self.cycles)
        yield from self._pushed_at_rest("silent", silent, alone=True)
        if self.loop.noisy:
            yield from self._pushed_at_rest("noisy", arena, alone=False)

    def _pushed_at_rest(self, how: str, arena: Rows, alone: bool) -> Iterator[Look]:
        base = self.loop.run(arena, LONGER * self.cycles)[0]
        if len(base) < LONGER * self.cycles:
            yield Look(f"{how}, not pushed", np.inf)
            return
        again = SECOND_LOOKS
        for size in (*SIZES_AFTER, OF_LIMIT * self.limit):
            pushed, way = self._push(arena, size)
            name = f"{how}, pushed by {size:.2g} peaks, {way}"
            look = self._beside(name, pushed, base[: self.cycles], alone=alone)
            if again and look.trend not in ("gone", "lost"):
                again -= 1
                look = self._beside(name, pushed, base, alone=alone)
                look = replace(look, settled=True)
            yield replace(look, wanted=size)

    def _rest(self, silent: Rows, ticks: int) -> Look:
        """What is left of the test's motion if no noise keeps it up."""
        look = self._alone("silent after the test", silent, ticks)
        again = look.trend not in ("gone", "lost") and ticks == self.cycles
        return self._rest(silent, LONGER * self.cycles) if again else look

    def _push(self, arena: Rows, size: float) -> tuple[Rows, str]:
        """Push a copy to a random side, in a mode or in a mixture of all of them."""
        loop, n = self.loop, self.loop.rates.size
        i = int(self.rng.integers(n + 1))
        sign = self.rng.choice([-1.0, 1.0])
        if i < n:
            shape, rate, way = loop.shapes[:, i], float(loop.rates[i]), f"mode {i + 1}"
        else:
            shape = loop.shapes @ self.rng.normal(size=n)
            rate = float(np.exp(self.rng.uniform(*np.log(loop.rates[[0, -1]] * (1, 3)))))
            way = "a mixture"
        return loop.push(arena, sign * size * self.peak, shape, rate), way

    def _beside(
        self, name: str, pushed: Rows, base: Rows, quiet: int | None = None, alone: bool = False
    ) -> Look:
        """Run a pushed copy beside its original."""
        rows, _ = self.loop.run(pushed, len(base))
        return look_at(name, rows, base, quiet or len(base), self.begin, self.peak, alone)

    def _alone(self, name: str, arena: Rows, ticks: int) -> Look:
        """Run what is not pushed: it is its own distance from rest."""
        rows, _ = self.loop.run(arena, ticks)
        rest = np.zeros((ticks, rows.shape[1]))
        look = look_at(name, rows, rest, ticks, len(rows), self.peak, alone=True)
        return replace(look, size=np.inf, gain=0.0, settled=True)

    def _weigh(self, looks: list[Look], reached: float) -> tuple[Word, str]:
        """Give the worst word of all looks."""
        seen = [k for k in looks[1:] if k.settled]
        lasting = [k for k in seen if k.trend == "lasts" and k.alone]
        if lasting and not hardly_decays(lasting):
            return "runs away", str(lasting[0])
        if reached > BURST:
            return "runs away", f"the test itself reaches {reached:.3g} limits"
        first, silent = looks[:2]
        if first.bursts:
            return "runs away", f"it bursts: {first}"
        kept = first.own > CHATTER > 3 * silent.own and first.trend != "decays"
        doubts = [k for k in seen if k.trend in ("lasts", "small")] + [first] * kept
        doubts += [k for k in looks if k.trend == "lost" or (k.trend == "grows" and k.settled)]
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
    """Judge a test that is meant to reach a peak, m."""
    begin = time.process_time()
    judge = Judge(test, peak, seed)
    with np.errstate(over="ignore", invalid="ignore"):
        word, why = judge.judge()
    return Truth(word, why, judge.loop.ticks, time.process_time() - begin)
