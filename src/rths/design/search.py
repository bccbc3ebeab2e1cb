"""Tuning: every candidate a little, the better ones more, the best thoroughly.

Candidates are looked at with their first values and along what their kinds ask for, then by the
simplex of Nelder and Mead in the logarithms of their numbers; what is chosen rather than tuned
(an order, a filter or none) is changed one at a time, and tuned on where it helps. After each round
the better part goes on [jamieson2016]. The simplex only compares costs: that a run is lost, or a
limit exceeded, is simply worse than any error.

How many rehearsals a round has follows from the length of a run, so that the same plan gives the
same answer on every machine that is quick enough; a deadline only cuts it short, and is told.

[neldermead1965] Comput. J. 7(4), 308-313; [jamieson2016] AISTATS, 240-248.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Any

import numpy as np

from rths.design.candidate import Candidate
from rths.design.known_rig import KnownRig
from rths.design.rehearsal_set import RehearsalSet, Score
from rths.design.tuned_field import TunedTogether, choices_of, tuned_together
from rths.errors import InputError
from rths.loop.block import Vector

SCANNED = 7
"""Values along a number that is asked for and whose size nothing tells."""
BESIDE = (0.85, 1.15)
"""Factors that are tried along a time that is asked for."""
SIMPLEX = 0.15
"""Size of the first simplex, in logarithms: numbers change by 15 %."""
MOST_NUMBERS, FOR_EACH = 6, 5
"""Numbers that are tuned at a time, those that the kind asks for first; and evaluations that a
simplex needs at least for each."""
FEWEST, MOST = 5, 2000
"""Evaluations of a candidate in a round."""
LOST_COST = 1e6
"""Cost of what cannot be built."""


@dataclass(frozen=True)
class Round:
    """One round of the search."""

    keep: int | None
    """How many candidates take part; all if None."""
    share: float
    """Share of all rehearsals."""
    scenarios: int | None
    """How many of the scenarios are run; all if None."""
    choices: bool = False
    """Whether words and orders are changed too."""


@dataclass(frozen=True)
class Effort:
    """How much is searched."""

    ticks: float
    """Ticks of all rehearsals together."""
    seconds: float
    """Deadline of the search."""
    rounds: tuple[Round, ...]
    finalists: int
    """Candidates that are judged at most."""
    plants: int
    """Plants among the scenarios."""
    samples: int
    """Perturbed runs of a finalist."""
    whole: float = inf
    """Deadline of all of it, s: no judgement is begun that would last beyond."""
    certificate: float = 1.0
    """Share of the disturbances of a certificate that are tried."""

    def scenarios_after(self, rounds: int) -> int | None:
        """Give how many scenarios score what went through some rounds; all if None.

        Costs are compared between those with as many alone.
        """
        return self.rounds[rounds - 1].scenarios if rounds else None


QUICK = Effort(
    2e8,
    26.0,
    (Round(None, 0.3, 4), Round(8, 0.35, None), Round(4, 0.35, None, choices=True)),
    finalists=8,
    plants=4,
    samples=300,
    whole=52.0,
)
THOROUGH = Effort(
    2e10,
    inf,
    (
        Round(None, 0.2, None),
        Round(14, 0.3, None, choices=True),
        Round(6, 0.5, None, choices=True),
    ),
    finalists=10,
    plants=12,
    samples=3000,
)


@dataclass(eq=False)
class Tuned:
    """A candidate as far as it was tuned."""

    candidate: Candidate
    score: Score | None = None
    evaluations: int = 0
    runs: int = 0
    rounds: int = 0
    """Rounds that it has gone through."""
    cut: bool = False
    """Whether the deadline ended it."""
    looked: bool = False
    """Whether its margin was looked for in rehearsals."""
    margin: float | None = None
    """Extra delay up to which its rehearsal holds, s; None if that is beyond what was tried."""

    @property
    def cost(self) -> float:
        """Cost of the best that was found."""
        return LOST_COST if self.score is None else self.score.cost


class _Tuner:
    """Tunes one candidate within a number of evaluations."""

    def __init__(
        self,
        sets: RehearsalSet,
        begun: Tuned,
        evaluations: int,
        scenarios: int | None,
        ends: Callable[[], bool],
    ) -> None:
        self.sets, self.scenarios, self.ends = sets, scenarios, ends
        self.best = replace(begun, score=None)
        self.left, self.tried = evaluations, False

    def try_one(self, candidate: Candidate) -> float:
        """Score a candidate, keep it if it is the best so far, give its cost."""
        if self.left <= 0:
            return LOST_COST
        if self.tried and self.ends():  # one is tried in any case: its score is that of this round
            self.left, self.best.cut = 0, True
            return LOST_COST
        self.left, self.tried = self.left - 1, True
        self.best.evaluations += 1
        try:
            found = self.sets.score(candidate, self.scenarios)
        except (InputError, ArithmeticError, np.linalg.LinAlgError, MemoryError):
            return LOST_COST
        self.best.runs += found.runs
        if self.best.score is None or found.cost < self.best.score.cost:
            self.best.candidate, self.best.score = candidate, found
        return found.cost

    def move(self, start: Candidate, numbers: Sequence[TunedTogether], z: Vector) -> float:
        """Score a candidate at a place of its numbers."""
        try:
            return self.try_one(start.with_values(numbers, z))
        except (InputError, ArithmeticError, ValueError):
            return LOST_COST

    def scan(self, rigs: Sequence[KnownRig]) -> None:
        """Look along each number that is asked for, from the best so far."""
        for k in range(len(numbers_of(self.best.candidate, rigs))):
            start = self.best.candidate
            numbers = numbers_of(start, rigs)
            if not numbers[k].asked:
                continue
            low, high = numbers[k].ends
            near = [float(np.log(f)) for f in BESIDE if low <= np.log(f) <= high]
            wide = high - low > np.log(1e4)
            for at in np.linspace(low, high, SCANNED) if wide else near:
                z = np.zeros(len(numbers))
                z[k] = at
                self.move(start, numbers, z)

    def descend(self, rigs: Sequence[KnownRig], evaluations: int) -> None:
        """Let a simplex walk from the best so far."""
        from scipy.optimize import minimize

        start = self.best.candidate
        given = min(evaluations, self.left)
        numbers = numbers_of(start, rigs)[: given // FOR_EACH]
        n = len(numbers)
        if not n:
            return
        ends = [number.ends for number in numbers]
        corners = np.vstack([np.zeros(n), SIMPLEX * np.eye(n)])
        for i, (low, high) in enumerate(ends):
            if high < SIMPLEX and -low >= SIMPLEX:
                corners[1 + i, i] = -SIMPLEX
        minimize(
            lambda z: self.move(start, numbers, z),
            np.zeros(n),
            method="Nelder-Mead",
            bounds=ends,
            options={
                "initial_simplex": np.clip(corners, *np.array(ends).T),
                "maxfev": given,
                "xatol": 1e-3,
                "fatol": 1e-6,
                "adaptive": n > 3,
            },
        )

    def choose(self, rigs: Sequence[KnownRig]) -> None:
        """Change what is chosen rather than tuned, one at a time, while that helps."""
        for choice in choices_of(self.best.candidate.each[0], rigs[0]):
            for value in choice.values:
                before, start = self.best.cost, self.best.candidate
                changed = _change(start, choice.name, value)
                if changed is None:
                    continue
                if self.try_one(changed) < before:
                    self.descend(rigs, max(8, self.left // 6))


def _change(candidate: Candidate, name: str, value: Any) -> Candidate | None:
    """Give a candidate with one field changed; None if its kind refuses that."""
    try:
        return candidate.with_each([replace(c, **{name: value}) for c in candidate.each])
    except (InputError, TypeError):
        return None


def numbers_of(candidate: Candidate, rigs: Sequence[KnownRig]) -> list[TunedTogether]:
    """List what is tuned of a candidate."""
    return tuned_together(candidate.each, rigs)[:MOST_NUMBERS]


def tune(
    sets: RehearsalSet,
    rigs: Sequence[KnownRig],
    begun: Tuned,
    round_: Round,
    evaluations: int,
    ends: Callable[[], bool],
) -> Tuned:
    """Tune a candidate further."""
    tuner = _Tuner(sets, begun, evaluations, round_.scenarios, ends)
    tuner.try_one(begun.candidate)
    if begun.score is None:
        tuner.scan(rigs)
    tuner.descend(rigs, tuner.left // 2 if round_.choices else tuner.left)
    if round_.choices:
        tuner.choose(rigs)
        tuner.descend(rigs, tuner.left)
    return tuner.best


def share_out(effort: Effort, round_: Round, candidates: int, run_ticks: int, runs: int) -> int:
    """Give the evaluations of each candidate in a round."""
    each = effort.ticks * round_.share / max(1, candidates) / max(1, run_ticks * runs)
    return int(np.clip(each, FEWEST, MOST))


def deadline(seconds: float) -> Callable[[], bool]:
    """Give what tells whether the time is over."""
    end = time.monotonic() + seconds
    return lambda: time.monotonic() > end
