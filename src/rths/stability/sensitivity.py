"""How the dominant root moves with each number of the plan.

    dz/dp = l' (J(p (1+ε)) - J(p (1-ε))) r / (2ε p l' r),   J r = z r,  l' J = z l'             (1)
    p ds/dp = p dz/dp / (z T)                                                                   (2)

J r is one period of the loop from a motion along r: a number costs four periods, whatever the size
of the loop. (2) is a relative change: its real part is the growth rate (1/s) gained when the number
grows by 100 %. Numbers that the plan rounds to whole steps show nothing within ε and a jump beyond.

[seydel2010] Practical Bifurcation and Stability Analysis, chapter 5.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rths.errors import InputError
from rths.stability.entries import Indices
from rths.stability.loop_change import PlanRoots
from rths.stability.loop_map import LoopMap
from rths.stability.plan_parameter import multiply, numbers
from rths.stability.roots import vectors
from rths.theory.delay.equation import Complexes

SMALL_SHARE = 1e-5
"""ε of (1): near the cube root of round-off, where the error of a central difference is least."""
DEFECTIVE = 1e-9
"""Share of l' r below which a root is double and moves with no derivative."""


@dataclass(frozen=True)
class Sensitivity:
    """A number of the plan, and p ds/dp of the dominant root."""

    path: str
    root: complex

    @property
    def growth_rate(self) -> float:
        """Change of the growth rate with the relative change of the number, 1/s."""
        return self.root.real


def sensitivities(plan: PlanRoots) -> list[Sensitivity]:
    """Sensitivities (2) to all numbers of the plan, most important first."""
    linear, roots = plan.present, plan.present_roots
    at = np.exp(roots.dominant * linear.period)
    z, right, left = vectors(linear, roots, int(np.argmin(np.abs(roots.z - at))))
    product, states = complex(left @ right), plan.loop_at().here.size
    if abs(product) < DEFECTIVE * float(np.abs(left) @ np.abs(right)):
        return []
    found = []
    for path, value in numbers(plan.test).items():
        ends = []
        for sign in (1, -1):
            try:
                loop = plan.loop_at(**{path: multiply(value, 1 + sign * SMALL_SHARE)})
            except InputError:
                break
            if loop.here.size == states:  # else a delay line is of another length: no derivative
                ends.append(complex(left @ _push(loop, linear.kept, right)))
        if len(ends) == 2:
            slope = (ends[0] - ends[1]) / (2 * SMALL_SHARE * product)
            found.append(Sensitivity(path, slope / (z * linear.period)))
    return sorted(found, key=lambda f: -abs(f.growth_rate))


def _push(loop: LoopMap, kept: Indices, direction: Complexes) -> Complexes:
    """J times a direction: the map is linear there, so real and imaginary part go apart."""
    size = float(loop.sizes()[kept].max())
    parts = [loop.response(kept, size * v)[kept] / size for v in (direction.real, direction.imag)]
    return np.asarray(parts[0] + 1j * parts[1])
