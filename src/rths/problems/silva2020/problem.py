"""A run of the benchmark as a hybrid test: case, ground motion, plant, compensator, noise."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from rths.assembly.hybrid_test import HybridTest
from rths.errors import InputError, suggest
from rths.integrator.exact import Exact
from rths.loop.block import Vector
from rths.loop.solo import respond
from rths.problems.silva2020.frame import numerical_part, whole_equation
from rths.problems.silva2020.integration import HeldRungeKutta, Shaking
from rths.problems.silva2020.plant import Carried, Plant, Variant
from rths.problems.silva2020.sensors import DISPLACEMENT, PUBLISHED_SEED, Sensors

TICK = 1 / 4096
"""Sampling of the benchmark, s."""
SCALE, QUIET = 0.4, 5.0
"""Factor on all motions; quiet time that the distributed files have before and after, s."""
VARIABLE = "RTHS_DATA"
FILES = {
    "el_centro": "el_centro_1940",
    "kobe": "kobe_1995",
    "morgan_hill": "morgan_hill_1984",
}
BUILT_IN = "el_centro_1940_ns"
LIMITS = {"force": 8900.0, "stroke": 7e-3, "velocity": 0.3}
"""N, m, m/s."""
RECORDED = (
    "structure.displacement",
    "feedback.displacement",
    "transfer.displacement",
    "feedback.force",
)
SPREAD = {"stiffness": 5e4, "beta1": 3.3, "beta2": 3.3e3, "a3": 1.3}
"""Standard deviations of the perturbed plants."""


@dataclass(frozen=True)
class Motion:
    """A ground motion: where it is, the quiet time to put around it, its length with that."""

    name: str
    source: str
    quiet: float
    duration: float

    @property
    def ticks(self) -> int:
        """Samples of a run."""
        return int(np.floor(self.duration / TICK + 1e-9)) + 1

    def shaking(self) -> Shaking:
        """Give the excitation."""
        return Shaking(motion=self.source, scale=SCALE, start=self.quiet)


def folder_of(given: Path | None) -> Path | None:
    """Find the folder of the motions: the one named, or that of the variable."""
    named = str(given) if given is not None else os.environ.get(VARIABLE, "")
    if not named:
        return None
    for folder in (Path(named) / "ground_motions", Path(named)):
        if any((folder / f"{f}.csv").is_file() for f in FILES.values()):
            return folder
    if given is None:
        return None
    raise InputError(
        "--data",
        named,
        "has no ground motions of the benchmark",
        f"It should hold {', '.join(f'{f}.csv' for f in FILES.values())}.",
    )


def motion(name: str, folder: Path | None) -> Motion:
    """Find a motion by its name; without a folder only the built-in record is there."""
    from rths.motions.motion import read_motion

    if name == BUILT_IN:
        return Motion(name, BUILT_IN, QUIET, 31.18 + 2 * QUIET)
    if name not in FILES:
        remedy = f"{suggest(name, (*FILES, BUILT_IN))}Use {', '.join(FILES)} or {BUILT_IN}."
        raise InputError("--motions", name, "is not known", remedy)
    file = None if folder is None else folder / f"{FILES[name]}.csv"
    if file is None or not file.is_file():
        where = "the package" if file is None else str(folder)
        remedy = f"Name a directory with {FILES[name]}.csv by --data or {VARIABLE}."
        raise InputError("--motions", name, f"is not in {where}", remedy)
    return Motion(name, str(file), 0.0, read_motion(file).duration)


@cache
def reference(case: int, shaken: Motion) -> Vector:
    """Give the displacements of the frame whole, exact for a motion straight between ticks."""
    a = np.zeros(shaken.ticks)
    samples = shaken.shaking().sample(TICK)[: a.size]
    a[: samples.size] = samples
    block = Exact().block(whole_equation(case), TICK, outputs=15)
    rows = respond(block, np.column_stack([np.zeros_like(a), a]))
    return np.ascontiguousarray(rows[:, 3:6])


def noise_floor(case: int, shaken: Motion) -> float:
    """Give J2 of perfect tracking, %: the noise of the sensor alone."""
    return float(100 * DISPLACEMENT / np.std(reference(case, shaken)[:, 0]))


def draw_plants(number: int, seed: int, variant: Variant) -> list[Plant]:
    """Draw plants: independent normal numbers, none left out."""
    rng = np.random.default_rng(seed)
    nominal = Plant(variant=variant)
    draws = rng.standard_normal((number, len(SPREAD)))
    return [
        replace(
            nominal,
            **{
                name: getattr(nominal, name) + sigma * float(z)
                for (name, sigma), z in zip(SPREAD.items(), row, strict=True)
            },
        )
        for row in draws
    ]


def hybrid_test(
    case: int,
    shaken: Motion,
    compensator: Any,
    plant: Plant | None = None,
    noise_seed: int = PUBLISHED_SEED,
    record: tuple[str, ...] = RECORDED,
) -> HybridTest:
    """Build one run of the benchmark."""
    plant = plant or Plant()
    return HybridTest(
        excitation=shaken.shaking(),
        structure=numerical_part(case, plant.stiffness),
        integrator=HeldRungeKutta(),
        compensator=compensator,
        transfer=plant,
        specimen=Carried(),
        feedback=Sensors(seed=noise_seed),
        tick=TICK,
        duration=(shaken.ticks - 1) * TICK,
        record=record,
        name=f"silva2020, case {case}, {shaken.name}",
    )
