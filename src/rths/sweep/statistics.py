"""What the results of a sweep say together: numbers of each outcome, effects, worst cases.

Everything is summed up part by part. Curves and surfaces are means over bins of equal counts, from
at most some ten thousand runs that lie evenly among all.

    η_i² = variance over bins of the means of an outcome / its variance, without what chance    (1)
           gives: (B - W (b - 1)/(n - b)) / V for b bins, B between and W within them

(1) is the share of the variance that a number explains alone, for any design.
[kelley1935] PNAS 21(9), 554-559.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from math import inf, isfinite
from typing import Any

import numpy as np

from rths.loop.block import Vector
from rths.stability.robustness import clopper_pearson
from rths.sweep.outcome import REFUSED, is_word
from rths.sweep.results import Results
from rths.sweep.study import Study, plan_of_run

THINNED = 40_000
"""Runs that curves and surfaces are made of."""
BINS = 24
"""Bins along a curve."""
SQUARES = 14
"""Bins along each side of a surface."""
WORST = 5
"""Worst cases of each outcome."""
CONFIDENCE = 0.95


@dataclass(frozen=True)
class Summary:
    """One outcome in numbers; None where no run has it."""

    outcome: str
    count: int
    mean: float | None = None
    deviation: float | None = None
    least: float | None = None
    most: float | None = None


@dataclass(frozen=True)
class Ends:
    """How the runs ended."""

    runs: int
    by_reason: dict[str, int]

    @property
    def lost(self) -> int:
        """Runs that did not come to their planned end."""
        return self.runs - self.by_reason.get("completed", 0)

    @property
    def bound(self) -> float:
        """Upper bound of the probability of such a run; of independent points only."""
        return clopper_pearson(self.lost, self.runs, CONFIDENCE) if self.runs else 1.0


@dataclass(frozen=True)
class Worst:
    """A run, the value it is among the worst for, and the values of its variables."""

    run: int
    outcome: str
    value: float
    values: dict[str, Any]


@dataclass(frozen=True)
class Effect:
    """How an outcome goes with one number: middles of bins, means and errors of means; (1)."""

    field: str
    outcome: str
    at: Vector
    mean: Vector
    error: Vector
    share: float


@dataclass(frozen=True)
class Surface:
    """Means of an outcome over two numbers; not a number where no run lies."""

    fields: tuple[str, str]
    outcome: str
    x: Vector
    y: Vector
    mean: Vector


def find_refusal(study: Study, results: Results) -> str:
    """Say of the first refused run why the plan refuses it; nothing if the plan takes it here."""
    for part in results.parts(["end"]):
        for run in part["run"][part["end"] == REFUSED]:
            try:
                plan_of_run(study, int(run))
            except (ArithmeticError, ValueError, MemoryError) as error:
                return f"run {run}, {error}"
            return ""
    return ""


def numeric_outcomes(results: Results) -> list[str]:
    """Outcomes that are numbers."""
    return [name for name in results.outcomes if not is_word(name)]


def summarise(results: Results) -> tuple[Ends, list[Summary], list[Worst]]:
    """Go once through all results."""
    names = numeric_outcomes(results)
    sums = {n: [0, 0.0, 0.0, inf, -inf] for n in names}
    ends: dict[str, int] = {}
    runs = 0
    worst: dict[str, list[tuple[float, int, dict[str, Any]]]] = {}
    for part in results.parts():
        runs += len(part["run"])
        for end, count in zip(*np.unique(part["end"].astype(str), return_counts=True), strict=True):
            ends[str(end)] = ends.get(str(end), 0) + int(count)
        for name in names:
            _add_numbers(sums[name], part[name])
            _keep_worst(worst.setdefault(name, []), np.abs(part[name]), part, results.variables)
        early = np.where(part["end"] == "completed", np.nan, -part["time"])
        _keep_worst(worst.setdefault("end", []), early, part, results.variables)
    found = [
        Worst(-run, name, abs(value), values)
        for name, rows in worst.items()
        for value, run, values in sorted(rows, key=lambda r: (-r[0], -r[1]))
    ]
    return Ends(runs, dict(sorted(ends.items()))), [_finish(n, sums[n]) for n in names], found


def _add_numbers(sums: list[Any], column: Vector) -> None:
    """Merge the count, mean and squares of a part into those of all (Chan's sums)."""
    v = column[np.isfinite(column)]
    if not v.size:
        return
    n, mean, square = v.size, float(v.mean()), float(((v - v.mean()) ** 2).sum())
    all_ = sums[0] + n
    step = mean - sums[1]
    sums[2] += square + step**2 * sums[0] * n / all_
    sums[1] += step * n / all_
    sums[0] = all_
    sums[3], sums[4] = min(sums[3], float(v.min())), max(sums[4], float(v.max()))


def _finish(name: str, sums: list[Any]) -> Summary:
    n, mean, square, least, most = sums
    if not n:
        return Summary(name, 0)
    deviation = float(np.sqrt(square / (n - 1))) if n > 1 else 0.0
    return Summary(name, n, mean, deviation, least, most)


def _keep_worst(
    heap: list[tuple[float, int, dict[str, Any]]],
    badness: Vector,
    part: dict[str, Any],
    fields: list[str],
) -> None:
    """Keep the runs with the largest badness; of equal ones the first runs."""
    known = np.flatnonzero(np.isfinite(badness))
    order = known[np.lexsort((part["run"][known], -badness[known]))][:WORST]
    for k in order:
        values = {f: part[f][k].item() if hasattr(part[f][k], "item") else part[f][k]
                  for f in fields}  # fmt: skip
        entry = (float(badness[k]), -int(part["run"][k]), values)
        if len(heap) < WORST:
            heapq.heappush(heap, entry)
        elif entry[:2] > heap[0][:2]:
            heapq.heapreplace(heap, entry)


def thin(results: Results) -> dict[str, Any]:
    """Give some runs that lie evenly among all, in the order of the runs."""
    stride = max(1, -(-results.counted // THINNED))
    parts = []
    for part in results.parts():
        keep = part["run"] % stride == 0
        parts.append({n: v[keep] for n, v in part.items()})
    if not parts:
        return {n: np.zeros(0) for n in ("run", *results.variables, *results.outcomes)}
    whole = {n: np.concatenate([p[n] for p in parts]) for n in parts[0]}
    order = np.argsort(whole["run"], kind="stable")
    return {n: v[order] for n, v in whole.items()}


def effect_of(rows: dict[str, Any], field: str, outcome: str) -> Effect | None:
    """Give means over bins of a number, or over its levels if those are few."""
    x, y = rows[field], np.asarray(rows[outcome], float)
    if x.dtype == object:
        return None
    keep = np.isfinite(x) & np.isfinite(y)
    x, y = x[keep], y[keep]
    where = _bins(x, BINS)
    if where is None or np.ptp(y) == 0:
        return None
    count = np.bincount(where)
    n, b = y.size, int((count > 0).sum())
    mean = np.bincount(where, y) / np.maximum(count, 1)
    at = np.bincount(where, x) / np.maximum(count, 1)
    within = np.bincount(where, (y - mean[where]) ** 2)
    between = float((count * (mean - y.mean()) ** 2).sum())
    chance = float(within.sum()) * (b - 1) / max(1, n - b)
    share = max(0.0, between - chance) / float(((y - y.mean()) ** 2).sum())
    error = np.sqrt(within / np.maximum(count - 1, 1) / np.maximum(count, 1))
    full = count > 0
    return Effect(field, outcome, at[full], mean[full], error[full], share)


def _bins(x: Vector, most: int) -> Any:
    """Give each value its bin: a level each if there are few, else bins of equal counts."""
    levels = np.unique(x)
    if levels.size < 2:
        return None
    if levels.size <= most:
        return np.searchsorted(levels, x)
    edges = np.unique(np.quantile(x, np.linspace(0, 1, most + 1)[1:-1]))
    return np.searchsorted(edges, x, side="right")


def surface_of(rows: dict[str, Any], fields: tuple[str, str], outcome: str) -> Surface | None:
    """Give means over cells of two numbers."""
    x, y = (rows[f] for f in fields)
    z = np.asarray(rows[outcome], float)
    if x.dtype == object or y.dtype == object:
        return None
    keep = np.isfinite(x) & np.isfinite(y) & np.isfinite(z)
    if not keep.any() or not (isfinite(np.ptp(x[keep])) and np.ptp(x[keep]) and np.ptp(y[keep])):
        return None
    edges = [np.linspace(v[keep].min(), v[keep].max(), SQUARES + 1) for v in (x, y)]
    i, j = (
        np.clip(np.searchsorted(e, v[keep], side="right") - 1, 0, SQUARES - 1)
        for e, v in zip(edges, (x, y), strict=True)
    )
    cell = i * SQUARES + j
    count = np.bincount(cell, minlength=SQUARES**2)
    with np.errstate(invalid="ignore"):
        mean = np.bincount(cell, z[keep], minlength=SQUARES**2) / count
    return Surface(fields, outcome, edges[0], edges[1], mean.reshape(SQUARES, SQUARES))
