"""The answer when numbers of the plan are known only roughly.

    P = k/n unstable of n seeded samples,   upper bound p: I_p(k+1, n-k) = confidence           (1)
    worst case: max σ(p) over the box of all intervals, from the worst sample and corners on    (2)
    importance: squared coefficients of the ranks of σ over the ranks of each p, as shares      (3)

(1) is the one-sided bound of Clopper and Pearson; it holds for any loop, whatever the samples look
like. A normal distribution enters the box with three deviations. (2) halves its steps along each
axis until they are 1e-4 of the box.

[clopper1934] Biometrika 26(4), 404-413; [saltelli2008] Global Sensitivity Analysis, section 1.2.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.random import Generator

from rths.assembly.hybrid_test import HybridTest
from rths.errors import InputError
from rths.loop.block import Vector
from rths.stability.loop_change import PlanRoots
from rths.stability.plan_parameter import multiply, value_of

NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
CORNERS = 64
"""Corners from which (2) is climbed: all of them for up to six uncertain numbers."""


@dataclass(frozen=True)
class Interval:
    """Anything from low to high, all alike."""

    low: float
    high: float

    def __post_init__(self) -> None:
        if not self.low < self.high:
            raise InputError(
                "uncertain", (self.low, self.high), "is no interval", "Give low < high."
            )

    def sample(self, rng: Generator, count: int) -> Vector:
        """Draw some values."""
        return rng.uniform(self.low, self.high, count)

    @property
    def box(self) -> tuple[float, float]:
        """Range of the worst case."""
        return self.low, self.high


@dataclass(frozen=True)
class Normal:
    """A mean and a standard deviation."""

    mean: float
    deviation: float

    def __post_init__(self) -> None:
        if not self.deviation > 0:
            raise InputError("uncertain", self.deviation, "is no deviation", "Give it above 0.")

    def sample(self, rng: Generator, count: int) -> Vector:
        """Draw some values, none further off than the box."""
        drawn = rng.normal(self.mean, self.deviation, count)
        low, high = self.box
        for _ in range(20):
            out = (drawn < low) | (drawn > high)
            drawn[out] = rng.normal(self.mean, self.deviation, int(out.sum()))
        return np.asarray(np.clip(drawn, low, high))

    @property
    def box(self) -> tuple[float, float]:
        """Range of the worst case: three deviations."""
        return self.mean - 3 * self.deviation, self.mean + 3 * self.deviation


Distribution = Interval | Normal


@dataclass(frozen=True)
class Robustness:
    """What is known about a plan with uncertain numbers."""

    samples: int
    unstable: int
    probability_bound: float
    """Upper bound of the probability of instability."""
    confidence: float
    worst: dict[str, float]
    """Values of the worst case."""
    worst_growth_rate: float
    importance: dict[str, float]
    """Shares (3), largest first."""
    seed: int

    @property
    def probability(self) -> float:
        """Share of unstable samples."""
        return self.unstable / self.samples


def read_uncertain(test: HybridTest, text: str) -> tuple[str, Distribution]:
    """Read ``path=low..high``, ``path=mean+-deviation`` or ``path=+-5%`` of the plan's value."""
    path, equals, value = (part.strip() for part in text.partition("="))
    between = re.fullmatch(rf"({NUMBER})\s*\.\.\s*({NUMBER})", value)
    around = re.fullmatch(rf"({NUMBER})\s*(?:\+-|±)\s*({NUMBER})", value)
    share = re.fullmatch(rf"(?:\+-|±)\s*({NUMBER})\s*%", value)
    present = value_of(test, path) if equals else None
    if between:
        return path, Interval(float(between[1]), float(between[2]))
    if around:
        return path, Normal(float(around[1]), float(around[2]))
    if share:
        part = float(share[1]) / 100
        middle = present if isinstance(present, float) else 1.0
        return path, Interval(middle * (1 - part), middle * (1 + part))
    raise InputError(
        "--uncertain",
        text,
        "is no uncertain number",
        "Write transfer.delay=0.008..0.012, specimen.stiffness=2250+-50 or structure.mass=+-5%.",
    )


def judge_robustness(
    test: HybridTest,
    uncertain: Mapping[str, Distribution],
    samples: int = 1000,
    seed: int = 0,
    confidence: float = 0.95,
) -> Robustness:
    """Sample, bound, search the worst case and rank the numbers; lists of numbers take factors."""
    if not uncertain:
        raise InputError("uncertain", None, "names no number", "Name one, as transfer.delay.")
    rate = growth_of(test, list(uncertain))
    rng = np.random.default_rng(seed)
    drawn = np.column_stack([d.sample(rng, samples) for d in uncertain.values()])
    rates = np.array([rate(row) for row in drawn])
    unstable = int(np.sum(rates >= 0))
    box = np.array([d.box for d in uncertain.values()])
    worst, worst_rate = _find_worst(rate, box, drawn[int(np.argmax(rates))])
    return Robustness(
        samples,
        unstable,
        clopper_pearson(unstable, samples, confidence),
        confidence,
        dict(zip(uncertain, worst.tolist(), strict=True)),
        worst_rate,
        _importance(list(uncertain), drawn, rates),
        seed,
    )


def growth_of(test: HybridTest, paths: list[str]) -> Callable[[Vector], float]:
    """Growth rate of the loop at rest as a function of some numbers of the plan."""
    loop = PlanRoots(test)
    given = {path: value_of(test, path) for path in paths}

    def rate(values: Vector) -> float:
        changes = {
            path: float(v)
            if isinstance(given[path], float | int)
            else multiply(given[path], float(v))
            for path, v in zip(paths, values, strict=True)
        }
        return loop.roots_at(**changes).growth_rate

    return rate


def clopper_pearson(failures: int, samples: int, confidence: float) -> float:
    """Upper bound (1) of a probability."""
    from scipy.special import betaincinv

    if failures >= samples:
        return 1.0
    return float(betaincinv(failures + 1, samples - failures, confidence))


def _find_worst(
    rate: Callable[[Vector], float], box: Vector, start: Vector
) -> tuple[Vector, float]:
    """Climb (2)."""
    width = box[:, 1] - box[:, 0]
    starts = [start, *map(np.array, list(product(*box))[:CORNERS])]
    rates = [rate(s) for s in starts]
    best = max(range(len(starts)), key=lambda k: rates[k])
    x, top = starts[best].astype(float), rates[best]
    step = 0.25
    while step > 1e-4:
        improved = False
        for i in range(x.size):
            for sign in (1, -1):
                y = x.copy()
                y[i] = np.clip(x[i] + sign * step * width[i], *box[i])
                if y[i] != x[i] and (there := rate(y)) > top + 1e-12 * abs(top):
                    x, top, improved = y, there, True
        step = step if improved else step / 2
    return x, top


def _importance(names: list[str], drawn: Vector, rates: Vector) -> dict[str, float]:
    """Shares (3)."""

    def ranks(v: Vector) -> Vector:
        r = np.argsort(np.argsort(v)).astype(float)
        return np.asarray((r - r.mean()) / (r.std() or 1.0))

    X = np.column_stack([ranks(c) for c in drawn.T])
    square = np.linalg.lstsq(X, ranks(rates), rcond=None)[0] ** 2
    share = square / (square.sum() or 1.0)
    return dict(sorted(zip(names, share.tolist(), strict=True), key=lambda item: -item[1]))
