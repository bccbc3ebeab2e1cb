"""How the dominant root moves with each number of the plan.

    p ds/dp ≈ ( s(p (1+ε)) - s(p (1-ε)) ) / 2ε,   s the root next to the dominant one            (1)

A relative change: its real part is the growth rate (1/s) gained when the number grows by 100 %.
Numbers that the plan rounds to whole steps show nothing within ε and a jump beyond.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rths.assembly.hybrid_test import HybridTest
from rths.errors import InputError
from rths.stability.loop_change import PlanRoots
from rths.stability.plan_parameter import multiply, numbers

SMALL_SHARE = 1e-5
"""ε of (1): near the cube root of round-off, where the error of a central difference is least."""


@dataclass(frozen=True)
class Sensitivity:
    """A number of the plan, and p ds/dp of the dominant root."""

    path: str
    root: complex

    @property
    def growth_rate(self) -> float:
        """Change of the growth rate with the relative change of the number, 1/s."""
        return self.root.real


def sensitivities(test: HybridTest) -> list[Sensitivity]:
    """Sensitivities (1) to all numbers of the plan, most important first."""
    loop = PlanRoots(test)
    s = loop.roots_at().dominant
    found = []
    for path, value in numbers(loop.test).items():
        ends = []
        for sign in (1, -1):
            try:
                roots = loop.roots_at(**{path: multiply(value, 1 + sign * SMALL_SHARE)}).moving
            except InputError:
                break
            ends.append(complex(roots[np.argmin(np.abs(roots - s))]))
        if len(ends) == 2:
            found.append(Sensitivity(path, (ends[0] - ends[1]) / (2 * SMALL_SHARE)))
    return sorted(found, key=lambda f: -abs(f.growth_rate))
