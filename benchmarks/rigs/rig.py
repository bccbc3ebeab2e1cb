"""A random hybrid test, and the delay that its operator was told.

Drawn are the tick (1/512 to 1/4096 s), the delay τ (2 to 40 ms), the sort and proportions of the
actuator, the structure (one to three floors, its lowest frequency such that ω τ <= 0.8: beyond, no
compensator of the package holds a dead time with a stiff specimen), the specimen with 10 to 50 % of
the stiffness, its mass (none, or 1 to 5 % of the floor's), an earthquake, the peak of the emulated
motion (0.1 to 50 mm), the noise of the displacement sensor (0 to 50 µm) and the error of the told
delay (up to 20 % either way).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from benchmarks.rigs.actuators import ACTUATORS, Demand
from benchmarks.rigs.specimens import SPECIMENS, Wanted, make_specimen
from rths.assembly.hybrid_test import HybridTest
from rths.loop.block import Vector
from rths.registry import find

DEVELOPMENT, JUDGING = 1_000_000, 2_000_000
"""First seeds of the rigs that settings may be chosen on, and of those that only judge."""
RATES = (512, 1024, 2048, 4096)
"""Ticks in a second."""
LONGEST_ANGLE = 0.8
"""Largest ω τ of the lowest mode."""
DURATION = 20.0
"""Length of a test, s: an earthquake of 12 s and its decay."""
RUNAWAY = 100.0
"""Command, in peaks of the emulated motion, at which a run is ended: far beyond any that holds."""
MOVED = "integrator.target"


@dataclass(frozen=True)
class Rig:
    """A hybrid test without its compensator, and what its operator knows."""

    seed: int
    test: HybridTest
    told: float
    """Delay of the actuator as it was told, s."""
    stiffness: float
    """Initial stiffness of the specimen, N/m."""
    peak: float
    """Largest displacement of the emulated structure at the interface, m."""
    noise: float
    """Standard deviation of the displacement sensor, m."""
    delay: float
    """True delay of the actuator at low frequency, s."""
    reference: Vector
    """Displacement of the emulated structure at the interface, m."""
    mass: float
    """Mass of the specimen, kg."""
    sorts: tuple[str, str]
    """Sorts of actuator and specimen."""

    def fit(self, compensator: Any) -> HybridTest:
        """Give the test with a compensator."""
        return replace(self.test, compensator=compensator)


def run(test: HybridTest) -> tuple[Vector, bool]:
    """Run a test in the table loop; give its displacement, and whether it came to its end."""
    cycle, ticks = test.cycle("table"), test.clock.ticks
    rows = np.empty((ticks, 1))
    done = cycle.advance(ticks, rows)
    return rows[:done, 0], done == ticks


def _log_uniform(rng: np.random.Generator, low: float, high: float) -> float:
    return float(np.exp(rng.uniform(np.log(low), np.log(high))))


def _draw_structure(rng: np.random.Generator, frequency: float, share: float) -> tuple[Any, float]:
    """Draw a building whose emulated lowest mode has this frequency; give it and k of a specimen.

    The specimen has ``share`` of the stiffness of the storey it stands in.
    """
    floors = int(rng.choice([1, 1, 2, 3]))
    storey = int(rng.integers(floors))
    mass, k = 1000.0, np.ones(floors)
    K = np.diag(k + np.append(k[1:], 0.0)) - np.diag(k[1:], 1) - np.diag(k[1:], -1)
    lowest = float(np.linalg.eigvalsh(K / mass)[0])
    k *= (2 * np.pi * frequency) ** 2 / lowest
    specimen = share * float(k[storey])
    k[storey] -= specimen
    made = find("structure", "shear_building")(
        masses=[mass] * floors,
        stiffnesses=k.tolist(),
        damping_ratios=float(rng.uniform(0.02, 0.05)),
        interface=(storey,),
        attached="storey" if storey else "floor",
    )
    return made, specimen


def _bare_test(rng: np.random.Generator, frequency: float, share: float) -> tuple[Any, Wanted]:
    """Draw structure, clock and specimen; the actuator is ideal, the size of the motion open."""
    structure, k = _draw_structure(rng, frequency, share)
    w, floor = 2 * np.pi * frequency, structure.masses[0]
    mass = floor * rng.uniform(0.01, 0.05) if rng.random() < 0.5 else 0.0
    rate = int(rng.choice(RATES))
    ticks = int(rng.choice([1, 1, 1, 2, 4])) if rate >= 1024 else 1
    # a rigid mass feels no acceleration on a straight ramp, and all of it at its corners
    rigid = rng.random() < 2 / 3 and ticks == 1
    joint = None if rigid or not mass else float(mass * (2 * np.pi * rng.uniform(40, 120)) ** 2)
    wanted = Wanted(k, 2 * rng.uniform(0.02, 0.1) * k / w, 1.0, mass, joint)
    test = HybridTest(
        excitation=find("excitation", "synthetic_ground_motion")(
            peak=1.0, length=DURATION, ground_frequency=rng.uniform(1.0, 4.0)
        ),
        structure=structure,
        integrator=find("integrator", "central_difference")(),
        compensator=find("compensator", "none")(),
        transfer=find("transfer", "dead_time")(delay=0.0),
        specimen=make_specimen(SPECIMENS[0], wanted),
        feedback=find("feedback", "direct")(),
        tick=1 / rate,
        step=ticks / rate,
        duration=DURATION,
        record=(MOVED,),
        seed=int(rng.integers(1 << 31)),
    )
    return test, wanted


def _scale(
    test: HybridTest, sort: Callable[[Wanted], Any], wanted: Wanted, ductility: float, peak: float
) -> tuple[HybridTest, Wanted, Vector]:
    """Let the specimen yield at a share of the elastic peak, then bring the motion to its peak."""
    elastic = float(np.abs(run(test)[0]).max())
    wanted = replace(wanted, yields=elastic / ductility)
    test = replace(test, specimen=make_specimen(sort, wanted))
    factor = peak / float(np.abs(run(test)[0]).max())
    wanted = replace(wanted, yields=wanted.yields * factor)
    test = replace(test, specimen=make_specimen(sort, wanted))
    test = test.with_values({"excitation.peak": factor})
    return test, wanted, run(test)[0]


def draw_rig(seed: int) -> Rig:
    """Draw the rig of a seed."""
    rng = np.random.default_rng(seed)
    delay = _log_uniform(rng, 0.002, 0.040)
    fastest = min(10.0, LONGEST_ANGLE / (2 * np.pi * delay))
    frequency = _log_uniform(rng, 0.5, fastest)
    test, wanted = _bare_test(rng, frequency, rng.uniform(0.1, 0.5))
    sort = SPECIMENS[int(rng.integers(len(SPECIMENS)))]
    peak = _log_uniform(rng, 1e-4, 0.05)
    test, wanted, moved = _scale(test, sort, wanted, rng.uniform(1.2, 5.0), peak)
    speed = float(np.abs(np.diff(moved)).max()) / test.tick
    force = wanted.stiffness * peak + wanted.damping * speed
    demand = Demand(delay, speed, force, wanted.stiffness, test.equation.M[0, 0])
    actuator = ACTUATORS[int(rng.integers(len(ACTUATORS)))]
    noise = 0.0 if rng.random() < 0.25 else _log_uniform(rng, 1e-7, 5e-5)
    feedback = find("feedback", "noise")(displacement=noise) if noise else test.feedback
    test = replace(
        test,
        transfer=actuator(demand, rng),
        feedback=feedback,
        limits={"compensator.command": RUNAWAY * peak},
    )
    told = delay * rng.uniform(0.8, 1.2)
    sorts = actuator.__name__, sort.__name__
    return Rig(seed, test, told, wanted.stiffness, peak, noise, delay, moved, wanted.mass, sorts)
