"""How a number that is known only roughly may be distributed.

    interval    any value from low to high, all alike
    normal      mean μ, standard deviation σ;              box μ ± 3 σ                          (1)
    lognormal   median m, factor f of one deviation;       box m/f³ to m f³                     (2)

Each gives the value below which a share of all values lies (its quantile), so that correlated
numbers can be drawn from correlated shares, and a box for the worst case. Values are not cut off at
the box: what was said about a probability must hold for the distribution that was given. For what
cannot be negative, such as a stiffness or a delay, (2) is the better choice.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rths.assembly.hybrid_test import HybridTest
from rths.errors import InputError
from rths.loop.block import Vector
from rths.stability.plan_parameter import numbers, value_of

NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
DEVIATIONS = 3.0
"""Half the box of (1) and (2), in deviations: 99.7 % of all values lie in it."""


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

    def quantile(self, share: Vector) -> Vector:
        """Value below which a share of all values lies."""
        return np.asarray(self.low + share * (self.high - self.low))

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

    def quantile(self, share: Vector) -> Vector:
        """Value below which a share of all values lies."""
        from scipy.special import ndtri

        return np.asarray(self.mean + self.deviation * ndtri(share))

    @property
    def box(self) -> tuple[float, float]:
        """Range (1) of the worst case."""
        away = DEVIATIONS * self.deviation
        return self.mean - away, self.mean + away


@dataclass(frozen=True)
class LogNormal:
    """A median, and the factor by which a deviation is more, or less."""

    median: float
    factor: float

    def __post_init__(self) -> None:
        if not (self.median > 0 and self.factor > 1):
            remedy = "Give a median above 0 and a factor above 1, as 0.01*/1.2."
            raise InputError("uncertain", (self.median, self.factor), "is not lognormal", remedy)

    def quantile(self, share: Vector) -> Vector:
        """Value below which a share of all values lies."""
        from scipy.special import ndtri

        return np.asarray(self.median * self.factor ** ndtri(share))

    @property
    def box(self) -> tuple[float, float]:
        """Range (2) of the worst case."""
        away = self.factor**DEVIATIONS
        return self.median / away, self.median * away


Distribution = Interval | Normal | LogNormal


def read_all_uncertain(test: HybridTest, texts: Sequence[str]) -> dict[str, Distribution]:
    """Read several, each path once."""
    found: dict[str, Distribution] = {}
    for text in texts:
        path, distribution = read_uncertain(test, text)
        if path in found:
            problem = f"names {path} a second time"
            raise InputError("--uncertain", text, problem, "Give each number once.")
        found[path] = distribution
    return found


def read_uncertain(test: HybridTest, text: str) -> tuple[str, Distribution]:
    """Read a path of the plan and how its number is distributed.

    ``path=low..high``, ``path=mean+-deviation``, ``path=median*/factor`` or ``path=+-5%``.
    """
    path, equals, _ = (part.strip() for part in text.partition("="))
    if equals and not _is_numeric(value_of(test, path)):
        remedy = f"Numbers: {', '.join(numbers(test))}."
        raise InputError("--uncertain", text, "names no number of this plan", remedy)
    try:
        return _read_distribution(test, text)
    except InputError as error:
        if error.field != "uncertain":
            raise
        raise InputError("--uncertain", text, error.problem, error.remedy) from None


def _is_numeric(value: Any) -> bool:
    """Tell whether a value is a number, or a list of numbers."""
    if isinstance(value, tuple | list):
        return bool(value) and all(map(_is_numeric, value))
    return isinstance(value, int | float) and not isinstance(value, bool)


def _read_distribution(test: HybridTest, text: str) -> tuple[str, Distribution]:
    path, equals, value = (part.strip() for part in text.partition("="))
    between = re.fullmatch(rf"({NUMBER})\s*\.\.\s*({NUMBER})", value)
    around = re.fullmatch(rf"({NUMBER})\s*(?:\+-|±)\s*({NUMBER})", value)
    times = re.fullmatch(rf"({NUMBER})\s*(?:\*/|×/)\s*({NUMBER})", value)
    share = re.fullmatch(rf"(?:\+-|±)\s*({NUMBER})\s*%", value)
    present = value_of(test, path) if equals else None
    if between:
        return path, Interval(float(between[1]), float(between[2]))
    if around:
        return path, Normal(float(around[1]), float(around[2]))
    if times:
        return path, LogNormal(float(times[1]), float(times[2]))
    if share:
        part = float(share[1]) / 100
        middle = float(present) if isinstance(present, float | int) else 1.0
        return path, Interval(*sorted((middle * (1 - part), middle * (1 + part))))
    raise InputError(
        "--uncertain",
        text,
        "is no uncertain number",
        "Write transfer.delay=0.008..0.012, specimen.stiffness=2250+-50 (normal), "
        "transfer.delay=0.01*/1.2 (lognormal) or structure.mass=+-5%.",
    )
