"""Sobol indices: which share of an outcome's variance comes from which number.

    S_i = mean f_B (f_ABi - f_A) / V          of the number alone                              (1)
    T_i = mean (f_A - f_ABi)² / 2V            of the number and all it goes together with      (2)

f_A, f_B and f_ABi are the outcomes of the design `points/saltelli.py`, with their mean taken off; V
is the variance over A and B. The standard error is that of the bootstrap over groups, whose points
it takes for independent: they lie more evenly than that, so that it rather says too much.

[saltelli2010] Comput. Phys. Commun. 181(2), 259-270, (b) and (f) of table 2; [efron1993].
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rths.errors import InputError
from rths.loop.block import Vector

RESAMPLES = 400
"""Samples of the bootstrap: an error is known to 4 %."""
FEWEST = 16
"""Groups below which nothing is said."""


@dataclass(frozen=True)
class SobolIndex:
    """The indices of one number, each with its standard error."""

    field: str
    first: float
    first_error: float
    total: float
    total_error: float


def sobol_indices(fields: Sequence[str], values: Vector, seed: int = 0) -> list[SobolIndex]:
    """Estimate (1) and (2) from outcomes in the order of the design; lost groups are left out."""
    d = len(fields)
    groups = np.asarray(values, float)[: len(values) // (d + 2) * (d + 2)].reshape(-1, d + 2)
    groups = groups[np.isfinite(groups).all(axis=1)]
    if len(groups) < FEWEST:
        remedy = f"Run more, or an outcome that every run has: {FEWEST} groups are the least."
        raise InputError("runs", len(groups), "are too few whole groups for indices", remedy)
    if not np.ptp(groups[:, [0, -1]]) > 0:
        remedy = "Choose another outcome, or numbers that change it."
        raise InputError("outcome", float(groups[0, 0]), "is the same in every run", remedy)
    first, total = _indices(groups, np.ones((1, len(groups))))
    rng = np.random.default_rng(seed)
    n = len(groups)
    counts = (rng.multinomial(n, np.full(n, 1 / n)) for _ in range(RESAMPLES))
    drawn = [_indices(groups, count[None].astype(float)) for count in counts]
    spread = [np.std([part[k][0] for part in drawn], axis=0, ddof=1) for k in (0, 1)]
    return [
        SobolIndex(f, *map(float, (first[0, i], spread[0][i], total[0, i], spread[1][i])))
        for i, f in enumerate(fields)
    ]


def _indices(groups: Vector, weights: Vector) -> tuple[Vector, Vector]:
    """(1) and (2), groups counted by weights, one row for each row of weights."""
    n = weights.sum(axis=1, keepdims=True)
    ends = groups[:, [0, -1]]
    mean = weights @ ends.mean(axis=1)[:, None] / n
    f = groups[None] - mean[:, :, None]
    A, B, AB = f[:, :, :1], f[:, :, -1:], f[:, :, 1:-1]
    w = weights[:, :, None]
    V = (w * (A**2 + B**2)).sum(axis=(1, 2))[:, None] / (2 * n)
    V = np.where(V > 0, V, np.nan)
    first = (w * B * (AB - A)).sum(axis=1) / n / V
    total = (w * (A - AB) ** 2).sum(axis=1) / (2 * n) / V
    return first, total
