"""The benchmark from question to answer: the runs wanted, and what came out of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rths.loop.block import Vector
from rths.metrics.silva2020 import NAMES
from rths.studies.silva2020.candidates import Candidate
from rths.studies.silva2020.plant import Plant, Variant
from rths.studies.silva2020.problem import LIMITS, TICK, Motion, noise_floor, perturbed
from rths.studies.silva2020.runs import Job, Score, named, scored
from rths.studies.silva2020.sensors import PUBLISHED_SEED


@dataclass(frozen=True)
class Wish:
    """What is to be run."""

    candidates: Sequence[Candidate]
    motions: Sequence[Motion]
    cases: Sequence[int] = (1, 2, 3, 4)
    variant: Variant = "difference"
    plants: int = 0
    seed: int = 1
    noise_seed: int = PUBLISHED_SEED
    drawn: list[Plant] = field(init=False)

    def __post_init__(self) -> None:
        """Draw the plants: the same for every compensator, case and motion."""
        object.__setattr__(self, "drawn", perturbed(self.plants, self.seed, self.variant))

    def jobs(self) -> list[Job]:
        """List the runs, the nominal plant first in each case."""
        plants = [Plant(variant=self.variant), *self.drawn]
        return [
            Job(candidate, case, motion, plant)
            for candidate in self.candidates
            for motion in self.motions
            for case in self.cases
            for plant in plants
        ]


@dataclass(frozen=True)
class Cell:
    """One compensator in one case under one motion."""

    candidate: Candidate
    motion: Motion
    case: int
    nominal: Score | None
    others: list[Score]
    """Perturbed plants that are stable by themselves."""
    lost_plants: int
    """Perturbed plants that are unstable by themselves, left out."""

    @property
    def stable(self) -> Vector:
        """J1...J9 of the stable perturbed runs, a row each."""
        found = [s.criteria for s in self.others if s.criteria is not None]
        return np.array(found).reshape(len(found), len(NAMES))

    @property
    def unstable(self) -> int:
        """Number of perturbed runs that were unstable."""
        return sum(s.criteria is None for s in self.others)

    def as_dict(self) -> dict[str, Any]:
        """Give what ``--json`` prints."""
        runs = self.stable
        violations = {name: sum(name in s.violated for s in self.others) for name in LIMITS}
        nominal = self.nominal
        return {
            "compensator": self.candidate.name,
            "motion": self.motion.name,
            "case": self.case,
            "noise_floor": noise_floor(self.case, self.motion),
            "nominal": nominal and named(nominal.criteria),
            "nominal_stable": nominal is not None and nominal.criteria is not None,
            "nominal_peaks": nominal and nominal.peaks,
            "nominal_violates": nominal and nominal.violated,
            "perturbed": {
                "runs": len(self.others),
                "unstable": self.unstable,
                "plants_unstable_by_themselves": self.lost_plants,
                "mean": named(runs.mean(axis=0)) if len(runs) else None,
                "worst": named(runs.max(axis=0)) if len(runs) else None,
                "violations": violations,
                "J2": runs[:, 1].tolist(),
                "J4": runs[:, 3].tolist(),
            },
        }


def answered(
    wish: Wish, workers: int | None = None, told: Callable[[int], None] | None = None
) -> list[Cell]:
    """Run all that is wished for; cells that were not finished are left out."""
    jobs = wish.jobs()
    scores = scored(jobs, noise_seed=wish.noise_seed, workers=workers, told=told)
    own = [plant.damping(TICK) > 0 for plant in wish.drawn]
    each = 1 + len(own)
    cells = []
    for first in range(0, len(jobs), each):
        part = scores[first : first + each]
        if any(s is None for s in part):
            continue
        others = [s for s, ok in zip(part[1:], own, strict=True) if ok and s is not None]
        job = jobs[first]
        lost = own.count(False)
        cells.append(Cell(job.candidate, job.motion, job.case, part[0], others, lost))
    return cells


def summary(wish: Wish, cells: Sequence[Cell], data: str) -> dict[str, Any]:
    """Give all results and all that is needed to repeat them."""
    return {
        "benchmark": "silva2020",
        "variant": wish.variant,
        "data": data,
        "noise_seed": wish.noise_seed,
        "plants": wish.plants,
        "seed": wish.seed,
        "limits": LIMITS,
        "results": [cell.as_dict() for cell in cells],
    }
