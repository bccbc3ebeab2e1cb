"""The benchmark from question to answer: the runs wanted, and what came out of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from rths.loop.block import Vector
from rths.metrics.silva2020 import NAMES
from rths.problems.silva2020.candidates import Candidate
from rths.problems.silva2020.live import LiveScore
from rths.problems.silva2020.plant import Plant, Variant
from rths.problems.silva2020.problem import LIMITS, TICK, Motion, draw_plants, noise_floor
from rths.problems.silva2020.runs import Job, Score, name_criteria, score_jobs
from rths.problems.silva2020.sensors import PUBLISHED_SEED


@dataclass(frozen=True)
class Wish:
    """What is to be run."""

    candidates: Sequence[Candidate]
    motions: Sequence[Motion]
    cases: Sequence[int] = (1, 2, 3, 4)
    variants: Sequence[Variant] = ("difference",)
    plants: int = 0
    seed: int = 1
    noise_seed: int = PUBLISHED_SEED

    @cached_property
    def drawn_plants(self) -> dict[Variant, list[Plant]]:
        """Draw the plants: the same for every compensator, case and motion."""
        return {v: draw_plants(self.plants, self.seed, v) for v in self.variants}

    def jobs(self) -> list[Job]:
        """List the runs, the nominal plant first in each case."""
        return [
            Job(candidate, case, motion, plant)
            for candidate in self.candidates
            for motion in self.motions
            for variant in self.variants
            for case in self.cases
            for plant in (Plant(variant=variant), *self.drawn_plants[variant])
        ]

    def question(self, data: str) -> dict[str, Any]:
        """Give what was asked, as it stands before the results: enough to ask it again."""
        return {
            "benchmark": "silva2020",
            "compensators": [c.name for c in self.candidates],
            "motions": [m.name for m in self.motions],
            "cases": list(self.cases),
            "variants": list(self.variants),
            "data": data,
            "noise_seed": self.noise_seed,
            "plants": self.plants,
            "seed": self.seed,
            "limits": LIMITS,
        }


@dataclass(frozen=True)
class TableLine:
    """A line of the table: a plant, or the mean or the worst of the perturbed ones."""

    plant: str
    criteria: Vector | None
    """J1...J9, None if there is no stable run."""
    unstable: str = ""
    limits: str = ""
    bad: bool = False
    """Whether a run was unstable."""


@dataclass(frozen=True)
class Cell:
    """One compensator in one case under one motion, with one variant of the plant."""

    candidate: Candidate
    motion: Motion
    case: int
    variant: Variant
    nominal: Score | None
    """None if the operator ended the benchmark before it."""
    others: list[Score]
    """Perturbed plants that are stable by themselves."""
    lost_plants: int
    """Perturbed plants that are unstable by themselves, left out."""
    live: LiveScore | None = None
    """The nominal run once more, on the clock."""

    @cached_property
    def floor(self) -> float:
        """J2 of perfect tracking, %."""
        return noise_floor(self.case, self.motion)

    @cached_property
    def stable(self) -> Vector:
        """J1...J9 of the stable perturbed runs, a row each."""
        found = [s.criteria for s in self.others if s.criteria is not None]
        return np.array(found).reshape(len(found), len(NAMES))

    @property
    def unstable(self) -> int:
        """Number of perturbed runs that were unstable."""
        return sum(s.criteria is None for s in self.others)

    def lines(self) -> list[TableLine]:
        """Give the lines of a table: nominal plant, the same on the clock, mean and worst."""
        found = []
        for word, score in (("nominal", self.nominal), ("on the clock", self.live)):
            if score is not None:
                lost = score.criteria is None
                told, limits = "yes" if lost else "no", ", ".join(score.violated)
                found.append(TableLine(word, score.criteria, told, limits, lost))
        if self.others:
            runs = self.stable
            passed = sum(bool(s.violated) for s in self.others)
            lost_plants = f"; {self.lost_plants} plants left out" if self.lost_plants else ""
            count = f"{self.unstable} of {len(self.others)}{lost_plants}"
            mean, worst = (runs.mean(axis=0), runs.max(axis=0)) if len(runs) else (None, None)
            found.append(TableLine("mean", mean, count, "", self.unstable > 0))
            found.append(TableLine("worst", worst, "", f"in {passed} runs" if passed else ""))
        return found

    def as_dict(self) -> dict[str, Any]:
        """Give what ``--json`` prints."""
        runs = self.stable
        violations = {name: sum(name in s.violated for s in self.others) for name in LIMITS}
        nominal = self.nominal
        return {
            "compensator": self.candidate.name,
            "motion": self.motion.name,
            "case": self.case,
            "variant": self.variant,
            "noise_floor": self.floor,
            "nominal": nominal and name_criteria(nominal.criteria),
            "nominal_stable": nominal is not None and nominal.criteria is not None,
            "nominal_peaks": nominal and nominal.peaks,
            "nominal_violates": nominal and nominal.violated,
            "on_the_clock": self.live and self.live.as_dict(nominal),
            "perturbed": {
                "runs": len(self.others),
                "unstable": self.unstable,
                "plants_unstable_by_themselves": self.lost_plants,
                "mean": name_criteria(runs.mean(axis=0)) if len(runs) else None,
                "worst": name_criteria(runs.max(axis=0)) if len(runs) else None,
                "violations": violations,
                "runs_by_criterion": dict(zip(NAMES, runs.T.tolist(), strict=True)),
            },
        }


def run_cells(
    wish: Wish, workers: int | None = None, tell: Callable[[int], None] | None = None
) -> list[Cell]:
    """Run all that is wished for; whoever ends it before gets what was done until then."""
    jobs = wish.jobs()
    scores = score_jobs(jobs, noise_seed=wish.noise_seed, workers=workers, tell=tell)
    own = {v: [p.damping(TICK) > 0 for p in drawn] for v, drawn in wish.drawn_plants.items()}
    cells = []
    for first in range(0, len(jobs), 1 + wish.plants):
        job, nominal = jobs[first], scores[first]
        done = [
            (s, stable)
            for s, stable in zip(scores[first + 1 :], own[job.plant.variant], strict=False)
            if s is not None
        ]
        if nominal is not None or done:
            others = [s for s, stable in done if stable]
            lost = len(done) - len(others)
            where = job.candidate, job.motion, job.case, job.plant.variant
            cells.append(Cell(*where, nominal, others, lost))
    return cells


def run_cells_live(cells: Sequence[Cell], run: Callable[[Job], LiveScore | None]) -> list[Cell]:
    """Run the nominal plant of each cell once more, on the clock, until one is ended early."""
    found = list(cells)
    for k, cell in enumerate(found):
        live = run(Job(cell.candidate, cell.case, cell.motion, Plant(variant=cell.variant)))
        if live is None:
            break
        found[k] = replace(cell, live=live)
    return found


def summary(wish: Wish, cells: Sequence[Cell], data: str) -> dict[str, Any]:
    """Give all results and all that is needed to repeat them."""
    planned = len(wish.jobs())
    done = sum((c.nominal is not None) + len(c.others) + c.lost_plants for c in cells)
    results = [cell.as_dict() for cell in cells]
    return {**wish.question(data), "runs": {"planned": planned, "done": done}, "results": results}
