"""Many runs of the benchmark over all cores, each scored as soon as it is done.

A perturbed plant changes the numbers of three blocks (integrator, plant, and nothing of the
compensator, which knows the nominal plant alone): all runs of a compensator share one compiled
loop, and all of one case and motion share one layout.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from rths.errors import InputError
from rths.loop.block import Vector
from rths.loop.cycle import Cycle, Engine, choose
from rths.metrics.silva2020 import NAMES, silva2020
from rths.problems.silva2020.candidates import Candidate
from rths.problems.silva2020.frame import numerical_part
from rths.problems.silva2020.plant import Plant
from rths.problems.silva2020.problem import LIMITS, TICK, Motion, hybrid_test, reference
from rths.problems.silva2020.sensors import PUBLISHED_SEED
from rths.run.operator import operator
from rths.run.virtual import Memory, run
from rths.site import Site

LOST, HOPELESS = 0.02, 50.0
"""A run is unstable if the actuator passes 20 mm, or if J2 is above 50 %."""


@dataclass(frozen=True)
class Job:
    """One run: which compensator, case and motion, and the plant (None is the nominal one)."""

    candidate: Candidate
    case: int
    motion: Motion
    plant: Plant


@dataclass(frozen=True)
class Score:
    """What a run is worth."""

    criteria: Vector | None
    """J1...J9, None if the run was unstable."""
    peaks: dict[str, float] = field(default_factory=dict)
    """Largest force (N), stroke (m) and velocity (m/s)."""

    @property
    def violated(self) -> list[str]:
        """Limits that were passed."""
        return [name for name, limit in LIMITS.items() if self.peaks.get(name, 0.0) > limit]


class Bench:
    """The tests of one compensator, case and motion: one layout, an arena for each plant."""

    def __init__(self, job: Job, noise_seed: int) -> None:
        self.case = job.case
        test = hybrid_test(job.case, job.motion, job.candidate.compensator, job.plant, noise_seed)
        self.test = replace(test, limits={"transfer.displacement": LOST})
        self.ticks = self.test.clock.ticks
        self.reference = reference(job.case, job.motion)

    def arena(self, plant: Plant) -> Vector:
        """Write the numbers of a plant, and of the numerical part that goes with it."""
        layout = self.test.layout
        arena = layout.initial.copy()
        _, C, K = numerical_part(self.case, plant.stiffness).matrices()
        outputs = layout.signals["integrator.response"].width
        equation = replace(self.test.equation, C=C, K=K)
        new = {
            f"integrator.{self.test.integrator.kind}": self.test.integrator.block(
                equation, TICK, outputs
            ),
            f"transfer.{plant.kind}[0]": plant.block(Site(TICK, TICK)),
        }
        for placed, place in zip(layout.placed, layout.places, strict=True):
            if placed.label in new:
                arena[place.p : place.p + place.np] = new[placed.label].params
        return arena

    def score(self, rows: Vector) -> Score:
        """Judge the rows of a run."""
        if len(rows) < self.ticks:
            return Score(None)
        floors, measured, moved, force = rows[:, :3], rows[:, 3], rows[:, 4], rows[:, 5]
        J = silva2020(measured, floors, self.reference, TICK)
        x = np.ascontiguousarray(moved)
        peaks = {
            "force": float(np.abs(force).max()),
            "stroke": float(np.abs(x).max()),
            "velocity": float(np.abs(np.diff(x)).max()) / TICK,
        }
        return Score(J if J[1] <= HOPELESS else None, peaks)


class Crew:
    """Threads that take job after job; the compiled loop holds no lock."""

    def __init__(self, jobs: Sequence[Job], noise_seed: int, engine: Engine) -> None:
        self.jobs, self.noise_seed, self.engine = jobs, noise_seed, engine
        self.scores: list[Score | None] = [None] * len(jobs)
        self.error: BaseException | None = None
        self._next = iter(range(len(jobs)))
        self._benches: dict[Any, Bench] = {}
        self._lock, self._building = threading.Lock(), threading.Lock()

    def bench(self, job: Job) -> Bench:
        """Give the bench of a job, built by the first who asks; the last of them only are kept."""
        key = (job.candidate.name, job.case, job.motion, job.plant.variant)
        with self._building:
            if key not in self._benches:
                made = Bench(job, self.noise_seed)
                made.test.cycle(self.engine)  # compile before the others come
                self._benches = {**dict(list(self._benches.items())[-3:]), key: made}
            return self._benches[key]

    def rehearse(self) -> None:
        """Build the loop of each compensator: one that does not fit is known before the first run.

        What a user's own block raises is named, not traced: the package cannot know its errors.
        """
        for job in {job.candidate.name: job for job in reversed(self.jobs)}.values():
            try:
                self.bench(job)
            except InputError:
                raise
            except Exception as error:
                problem = f"cannot be built into the loop ({type(error).__name__}: {error})"
                remedy = "See the page on a block of your own."
                raise InputError("--compensator", job.candidate.name, problem, remedy) from error

    def work(self, wishes: list[str], tell: Callable[[int], None] | None) -> None:
        """Run jobs until none is left, one failed, or the operator wants to stop."""
        cycle, memory, owner = None, Memory(0, 0), None
        while not wishes and self.error is None:
            with self._lock:
                k = next(self._next, None)
            if k is None:
                return
            try:
                bench = self.bench(self.jobs[k])
                if owner is not bench or cycle is None:
                    cycle, owner = Cycle(bench.test.layout, TICK, self.engine), bench
                cycle.restore(bench.arena(self.jobs[k].plant))
                memory = memory.resize(bench.ticks, len(bench.test.layout.record_slots))
                run(cycle, bench.ticks, memory)
                self.scores[k] = bench.score(memory.rows[: memory.kept])
            except BaseException as error:
                self.error = error
                return
            if tell is not None:
                tell(bench.ticks)


def score_jobs(
    jobs: Sequence[Job],
    *,
    noise_seed: int = PUBLISHED_SEED,
    workers: int | None = None,
    engine: Engine | None = None,
    tell: Callable[[int], None] | None = None,
) -> list[Score | None]:
    """Run all jobs and tell the ticks done; None where the operator ended it before."""
    ticks = sum(job.motion.ticks for job in jobs)
    crew = Crew(jobs, noise_seed, engine or choose(ticks))
    crew.rehearse()
    with operator() as wishes:
        number = min(workers or os.cpu_count() or 1, max(1, len(jobs)))
        threads = [threading.Thread(target=crew.work, args=(wishes, tell)) for _ in range(number)]
        for t in threads:
            t.start()
        for t in threads:
            while t.is_alive():  # a signal is heard between two looks, whoever received it
                t.join(0.1)
    if crew.error is not None:
        raise crew.error
    return crew.scores


def name_criteria(criteria: Vector | None) -> dict[str, float] | None:
    """Give J1...J9 by their names."""
    if criteria is None:
        return None
    return {name: float(v) for name, v in zip(NAMES, criteria, strict=True)}
