"""The probability of a rare event, with a bound: adaptive importance sampling.

    P = E_q[1(g ≥ 0) φ/q],   q = α φ + (1 - α)/m Σ_k N(c_k, β² I)                              (1)
    σ² = var(1(g ≥ 0) φ/q)/n,   bound = P exp(z σ/P)                                           (2)

φ is the standard normal density of the numbers behind the plan's own, g above or at 0 is the event.
Levels lead to it: of the points drawn at one level the tenth with the largest g, drawn anew by
their weights φ/q, are the centres c_k of the next, until a tenth is the event itself. Centres are
points and no single Gaussian, so that several regions are kept apart. The last level is drawn with
a part α of plain points, and only it is counted.

(2) takes log P for normal. σ is an estimate as well, and weights are skewed: z is the 99 % quantile
where 95 % is said, and `benchmarks/rare_events.py` shows that it covers. What no level has met is
not in the estimate; plain points alone bound it, by Clopper and Pearson. They are all that counts
where the event is not rare, where no level has met it again, and where they contradict (2).

[au2001] Probab. Eng. Mech. 16(4), 263-277 (levels); [owen2000] J. Am. Stat. Assoc. 95, 135-143 (α).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import exp, log, pi, sqrt

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from rths.loop.block import Vector
from rths.stability.robustness import clopper_pearson

Limit = Callable[[Vector], Vector]
"""g of rows of standard normal numbers; not a number counts as the event."""
PLAIN = 0.1
"""α of (1)."""
WIDTH = 0.7
"""β of (1): points within a deviation of a centre are as likely as they should be."""
ELITE = 0.1
"""Share of a level that leads to the next."""
CENTRES = 64
LEVELS = 30
"""Levels at most: each makes what is left about ten times rarer, so that 1e-6 takes eight."""
CAUTIOUS = 2.3263478740408408
"""z of (2)."""
CONFIDENCE = 0.95
CONTRADICTS = 0.999
"""Confidence with which plain points alone say that the event is likelier than (2) has it."""
HUGE = 1e300
"""Stands for what has no end: between two of these there still is a quantile."""


@dataclass(frozen=True)
class RareEvent:
    """An estimate of a small probability."""

    probability: float
    bound: float
    """Upper bound, with the confidence."""
    deviation: float
    """Standard error of the estimate."""
    evaluations: int
    """How often g was asked."""
    plain: int
    """Points that were drawn as they come: those of the first level, or all that count."""
    plain_events: int
    worst: tuple[float, ...]
    """The likeliest point of the event that was met, in standard normal numbers."""
    confidence: float = CONFIDENCE

    @property
    def plain_bound(self) -> float:
        """The bound of plain points alone, which owes nothing to the levels."""
        return clopper_pearson(self.plain_events, self.plain, self.confidence)


def estimate_rare(
    limit: Limit, width: int, *, samples: int = 2000, level: int = 500, seed: int = 0
) -> RareEvent:
    """Estimate P(g ≥ 0) of so many independent standard normal numbers."""
    rng = np.random.default_rng(seed)
    u = rng.standard_normal((level, width))
    g = _ask(limit, u)
    first = _count(u, g >= 0, level)
    if first.plain_events >= ELITE * level:
        u = rng.standard_normal((samples, width))
        return _count(u, _ask(limit, u) >= 0, level + samples)
    weights, asked = np.ones(level), level
    for _ in range(LEVELS):
        if (g >= 0).mean() >= ELITE:
            break
        threshold = min(float(np.quantile(g, 1 - ELITE)), 0.0)
        centres = _centres(u, g >= threshold, weights, rng)
        u = _draw(centres, level, 0.0, rng)
        weights = np.exp(_log_normal(u) - _log_density(u, centres, 0.0))
        g = _ask(limit, u)
        asked += level
    met = g >= 0
    if not met.any():
        return replace(first, evaluations=asked)
    centres = _centres(u, met, weights, rng)
    u = _draw(centres, samples, PLAIN, rng)
    w = np.exp(_log_normal(u) - _log_density(u, centres, PLAIN))
    event = _ask(limit, u) >= 0
    counted = np.where(event, w, 0.0)
    P, sigma = float(counted.mean()), float(counted.std(ddof=1) / sqrt(samples))
    bound = min(1.0, P * exp(CAUTIOUS * sigma / P)) if P else 0.0
    least = 1 - clopper_pearson(level - first.plain_events, level, CONTRADICTS)
    if not P or (first.plain_events and bound < least):
        return replace(first, evaluations=asked + samples)
    worst = _likeliest(u[event])
    return RareEvent(P, bound, sigma, asked + samples, level, first.plain_events, worst)


def _count(u: Vector, event: NDArray[np.bool_], asked: int) -> RareEvent:
    """Count the event among plain points."""
    n, k = len(u), int(event.sum())
    P, bound = k / n, clopper_pearson(k, n, CONFIDENCE)
    return RareEvent(P, bound, sqrt(P * (1 - P) / n), asked, n, k, _likeliest(u[event]))


def _likeliest(u: Vector) -> tuple[float, ...]:
    return tuple(u[np.argmax(_log_normal(u))].tolist()) if len(u) else ()


def _ask(limit: Limit, u: Vector) -> Vector:
    g = np.asarray(limit(u), float)
    return np.asarray(np.nan_to_num(g, nan=HUGE, posinf=HUGE, neginf=-HUGE))


def _centres(u: Vector, chosen: NDArray[np.bool_], weights: Vector, rng: Generator) -> Vector:
    """Draw centres among points by their weights."""
    share = np.where(chosen, weights, 0.0)
    return np.asarray(u[rng.choice(len(u), CENTRES, p=share / share.sum())])


def _draw(centres: Vector, count: int, plain: float, rng: Generator) -> Vector:
    z = rng.standard_normal((count, centres.shape[1]))
    moved = centres[rng.integers(len(centres), size=count)] + WIDTH * z
    return np.where(rng.random((count, 1)) < plain, z, moved)


def _log_normal(u: Vector) -> Vector:
    return np.asarray(-0.5 * (u**2).sum(axis=1) - 0.5 * u.shape[1] * log(2 * pi))


def _log_density(u: Vector, centres: Vector, plain: float) -> Vector:
    """Logarithm of q of (1)."""
    square = ((u[:, None, :] - centres[None]) ** 2).sum(axis=2) / WIDTH**2
    d = u.shape[1]
    near = np.logaddexp.reduce(-0.5 * square, axis=1) - log(len(centres))
    near = near - 0.5 * d * log(2 * pi) - d * log(WIDTH)
    if not plain:
        return np.asarray(near)
    return np.asarray(np.logaddexp(log(plain) + _log_normal(u), log(1 - plain) + near))
