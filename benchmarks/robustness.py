"""How often the bound of the robust answer covers the truth.

    coverage = share of repetitions whose bound is not below P(τ > τ_c(k))                      (1)

The rig of [wallace2005] with a lognormal delay τ and a normal stiffness k that go together. Its
critical delay τ_c(k) is taken once, from the loop at some stiffnesses, and is smooth: between them
it is interpolated. The truth is an integral over k of the conditional distribution of τ, which for
the Gaussian copula is known.
"""

from __future__ import annotations

from functools import cache
from math import log

import numpy as np

from rths.assembly.hybrid_test import HybridTest
from rths.loop.block import Vector
from rths.registry import find
from rths.stability.correlation import draw_numbers
from rths.stability.cut_loop import CutLoop
from rths.stability.distribution import LogNormal, Normal
from rths.stability.margin import first_change
from rths.stability.robustness import clopper_pearson

DELAY, STIFFNESS, CORRELATION = LogNormal(5.5e-3, 1.15), Normal(2250.0, 200.0), 0.7
CONFIDENCE = 0.95
TICK = 1e-3


def rig(stiffness: float, delay: float = 0.0) -> HybridTest:
    """The rig with an actuator that is late."""
    return HybridTest(
        excitation=find("excitation", "sine")(amplitude=0.005, frequency=1.5),
        structure=find("structure", "linear")(mass=2.2, damping=15.0, stiffness=2250.0),
        integrator=find("integrator", "central_difference")(),
        compensator=find("compensator", "none")(),
        transfer=find("transfer", "dead_time")(delay=delay),
        specimen=find("specimen", "spring")(stiffness=stiffness),
        feedback=find("feedback", "direct")(),
        tick=TICK,
        duration=1.0,
    )


@cache
def critical_delays() -> tuple[Vector, Vector]:
    """Stiffnesses over five deviations, and the critical delay of each, s."""
    stiffnesses = np.linspace(1250.0, 3250.0, 17)
    found = []
    for k in stiffnesses:
        seen = CutLoop(rig(float(k)), 30.0).opening("transfer")
        lost = first_change(lambda v, s=seen: not s.count_unstable(v), np.arange(0.0, 30.0), 1e-6)
        found.append(TICK * (lost or 30.0))
    return stiffnesses, np.array(found)


def is_lost(drawn: Vector) -> Vector:
    """Tell which rows of (delay, stiffness) are not stable."""
    return np.asarray(drawn[:, 0] > np.interp(drawn[:, 1], *critical_delays()))


def truth() -> float:
    """P of (1), by integration over the normal number behind k."""
    from scipy.special import ndtr

    g = np.linspace(-6.0, 6.0, 4001)
    k = STIFFNESS.mean + STIFFNESS.deviation * g
    at = np.log(np.interp(k, *critical_delays()) / DELAY.median) / log(DELAY.factor)
    beyond = ndtr(-(at - CORRELATION * g) / np.sqrt(1 - CORRELATION**2))
    density = np.exp(-0.5 * g**2) / np.sqrt(2 * np.pi)
    return float(np.trapezoid(beyond * density, g))


def coverage(repetitions: int, samples: int, seed: int) -> float:
    """Share (1) of repetitions."""
    uncertain = {"transfer.delay": DELAY, "specimen.stiffness": STIFFNESS}
    together = {("transfer.delay", "specimen.stiffness"): CORRELATION}
    rng, exact, covered = np.random.default_rng(seed), truth(), 0
    for _ in range(repetitions):
        lost = int(is_lost(draw_numbers(uncertain, together, rng, samples)).sum())
        covered += clopper_pearson(lost, samples, CONFIDENCE) >= exact
    return covered / repetitions
