"""How often the bound of a rare event covers the truth, on the rig of [wallace2005].

    P(k > k_c(τ)) for a lognormal delay τ and a normal stiffness k that go together            (1)

The critical stiffness is known in closed form (`benchmarks/robustness.py`), and (1) is an integral.
The deviation of the stiffness and the median of the delay are such that P is 1e-2, 1e-4 and 1e-6.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtr

from benchmarks.robustness import critical_stiffness
from rths.loop.block import Vector
from rths.sweep.rare_event import estimate_rare

FACTOR, STIFFNESS, DEVIATION, CORRELATION = 1.05, 2250.0, 100.0, 0.5


@dataclass(frozen=True)
class Plan:
    """Uncertain numbers of the rig with a median of the delay."""

    median: float

    def truth(self) -> float:
        """P of (1)."""
        g = np.linspace(-9.0, 9.0, 6001)
        delays = self.median * np.exp(log(FACTOR) * g)
        at = (critical_stiffness(delays) - STIFFNESS) / DEVIATION
        beyond = ndtr(-(at - CORRELATION * g) / np.sqrt(1 - CORRELATION**2))
        return float(np.trapezoid(beyond * np.exp(-0.5 * g**2) / np.sqrt(2 * np.pi), g))

    def limit(self, u: Vector) -> Vector:
        """Distance of the stiffness to the critical one, above 0 where the loop is not stable."""
        delays = self.median * np.exp(log(FACTOR) * u[:, 0])
        g = CORRELATION * u[:, 0] + np.sqrt(1 - CORRELATION**2) * u[:, 1]
        return np.asarray(STIFFNESS + DEVIATION * g - critical_stiffness(delays))


def plan_of(probability: float) -> Plan:
    """Find the median of the delay that has this probability."""
    found = brentq(lambda m: log(Plan(m).truth()) - log(probability), 3e-3, 6.5e-3, xtol=1e-12)
    return Plan(float(found))


def coverage(probability: float, repetitions: int = 100, first_seed: int = 0) -> tuple[int, float]:
    """Count repetitions whose bound covers; give also the median of bound over truth."""
    plan = plan_of(probability)
    exact = plan.truth()
    seeds = range(first_seed, first_seed + repetitions)
    found = [estimate_rare(plan.limit, 2, seed=s).bound for s in seeds]
    return sum(b >= exact for b in found), float(np.median(found) / exact)
