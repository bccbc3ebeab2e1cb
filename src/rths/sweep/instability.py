"""How probable it is that a plan with uncertain numbers is not stable, however rarely.

    g(u) = growth rate of the loop at rest with p_i = F_i^-1(Φ((L u)_i)),   L L' = R           (1)

The numbers of a study are drawn as in the robust certificate, F_i their distributions and R their
correlations. (1) is the event of `rare_event.py`: below some thousandths, plain samples would have
to be a hundred times 1/P. A plan that refuses its values counts as not stable, and it is told if
that is the likeliest. Among many listed values one that is not stable may be met by chance only,
and no level leads to it: then the bound is not below that of plain points. Roots say all of a loop
that is linear at all times; of any other one the certificate of samples does (`rths certify
--uncertain`), and it is refused here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import prod
from typing import Any

import numpy as np

from rths.errors import InputError
from rths.loop.block import Vector
from rths.stability.correlation import correlation_matrix
from rths.stability.loop_change import PlanRoots
from rths.stability.robustness import caveats_of
from rths.sweep.field_path import field_values
from rths.sweep.rare_event import RareEvent, estimate_rare
from rths.sweep.study import Study
from rths.sweep.variable import EDGE, Levels
from rths.sweep.workshop import UNUSABLE

MOST_LISTED = 64
"""Ways of listed values to go together, each of which 500 plain points meet all but surely."""


@dataclass(frozen=True)
class Instability:
    """The probability of a loop that is not stable, and where it is likeliest."""

    event: RareEvent
    likeliest: dict[str, Any]
    """Values of the likeliest plan that was met and is not stable; none if none was."""
    refusal: str = ""
    """Why the plan refuses these values, if it does."""

    def as_dict(self) -> dict[str, Any]:
        """Give all of it by name."""
        e = self.event
        return {
            "probability": e.probability,
            "bound": e.bound,
            "confidence": e.confidence,
            "deviation": e.deviation,
            "evaluations": e.evaluations,
            "plain_bound": e.plain_bound,
            "likeliest": self.likeliest,
            "refusal": self.refusal,
        }


def judge_instability(
    study: Study, *, samples: int = 2000, level: int = 500, seed: int | None = None
) -> Instability:
    """Estimate the probability of a study's numbers."""
    notes = caveats_of(study.test)
    if notes:
        remedy = "Use rths certify --uncertain, which certifies samples."
        problem = f"is not linear at all times, so that its roots do not decide ({notes[0]})"
        raise InputError("plan", study.test.name, problem, remedy)
    if any(path.names_kind for path in study.paths.values()):
        raise InputError("variable", None, "is no number but a kind", "Give numbers only.")
    draw, loop = _quantiles(study), PlanRoots(study.test)

    def limit(u: Vector) -> Vector:
        columns = draw(u)
        rows = zip(*columns.values(), strict=True)
        return np.array([_rate(study, loop, dict(zip(columns, r, strict=True))) for r in rows])

    chosen = study.design.seed if seed is None else seed
    width = len(study.design.variables)
    found = estimate_rare(limit, width, samples=samples, level=level, seed=chosen)
    if _listed(study) > MOST_LISTED:
        found = replace(found, bound=max(found.bound, found.plain_bound))
    where = draw(np.array([found.worst])) if found.worst else {}
    likeliest = {k: v[0] for k, v in where.items()}
    return Instability(found, likeliest, _refusal(study, loop, likeliest))


def _rate(study: Study, loop: PlanRoots, values: Mapping[str, Any]) -> float:
    """Growth rate (1); not a number where the plan refuses its values."""
    try:
        changed = field_values(study.test, study.paths, values)
        return float(loop.roots_at(**changed).growth_rate)
    except UNUSABLE:
        return np.nan


def _refusal(study: Study, loop: PlanRoots, values: Mapping[str, Any]) -> str:
    """Say why the plan refuses values; nothing if it takes them."""
    try:
        loop.roots_at(**field_values(study.test, study.paths, values))
    except UNUSABLE as error:
        return str(error)
    return ""


def _listed(study: Study) -> int:
    """Count how many ways the listed values go together."""
    given = (v.distribution for v in study.design.variables)
    return prod(len(d.values) for d in given if isinstance(d, Levels))


def _quantiles(study: Study) -> Any:
    """Give what turns rows of standard normal numbers into columns of the plan's own."""
    from scipy.special import ndtr

    design = study.design
    fields = [v.field for v in design.variables]
    factor = np.linalg.cholesky(correlation_matrix(fields, design.correlations))

    def draw(u: Vector) -> dict[str, list[Any]]:
        shares = np.clip(ndtr(u @ factor.T), EDGE, 1 - EDGE)
        return {v.field: v.values_of(shares[:, i]) for i, v in enumerate(design.variables)}

    return draw
