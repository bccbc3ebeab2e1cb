"""A number, or a word, of a plan that varies: where it stands, and how it is distributed.

    low, high              all values alike              median, factor    lognormal
    mean, deviation        normal                        values            each as likely
    quantiles              [[share, value], ...]: straight lines between shares of all values   (1)
    distribution           a continuous one of scipy.stats, with its parameters

A point of a design is a share u of each variable, from 0 to 1; the value is its quantile, so that
any design goes with any distribution, and correlated shares with both. (1) is how one's own
distribution is given: shares rise from 0 to 1, and values with them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isfinite
from typing import Any, Protocol

import numpy as np

from rths.errors import InputError, suggest
from rths.loop.block import Vector
from rths.stability.distribution import Interval, LogNormal, Normal

TAKES = (
    *("field", "low", "high", "mean", "deviation", "median", "factor", "values", "quantiles"),
    *("distribution", "parameters", "points"),
)
MOST_POINTS = 100_000
"""Levels of one variable: all of them are kept."""
EDGE = 2.0**-53
"""Shares nearer to 0 or 1 than this are taken for it: the quantile of 0 may be infinite."""


class Quantile(Protocol):
    """Whatever gives the value below which a share of all values lies."""

    def quantile(self, share: Vector) -> Vector:
        """Give the values of some shares."""


@dataclass(frozen=True)
class Levels:
    """Some values, each as likely as the others."""

    values: tuple[Any, ...]

    def quantile(self, share: Vector) -> Vector:
        """Give the value in whose part of 0 to 1 a share lies."""
        n = len(self.values)
        where = np.minimum((np.asarray(share) * n).astype(np.int64), n - 1)
        out = np.empty(where.shape, object)
        for i in np.ndindex(where.shape):
            out[i] = self.values[int(where[i])]
        return out


@dataclass(frozen=True)
class Quantiles:
    """One's own distribution (1)."""

    shares: tuple[float, ...]
    values: tuple[float, ...]

    def quantile(self, share: Vector) -> Vector:
        """Value below which a share of all values lies."""
        return np.asarray(np.interp(share, self.shares, self.values))


@dataclass(frozen=True)
class Named:
    """A distribution of scipy.stats."""

    name: str
    parameters: tuple[tuple[str, float], ...]

    @cached_property
    def _frozen(self) -> Any:
        from scipy import stats

        return getattr(stats, self.name)(**dict(self.parameters))

    def quantile(self, share: Vector) -> Vector:
        """Value below which a share of all values lies."""
        return np.asarray(self._frozen.ppf(share))


@dataclass(frozen=True)
class Variable:
    """A path of the plan with its distribution."""

    field: str
    distribution: Quantile
    points: int | None = None
    """Levels along a grid; all of them where the values are listed."""

    @property
    def is_number(self) -> bool:
        """Whether all of its values are numbers: so is its column, in every batch."""
        d = self.distribution
        return not isinstance(d, Levels) or all(map(_is_number, d.values))

    @property
    def levels(self) -> tuple[Any, ...]:
        """Values along a grid: those that are listed, or as many as there are points.

        Of an interval its ends and what lies evenly between; else the middles of equal shares.
        """
        d = self.distribution
        if isinstance(d, Levels):
            return d.values
        n = self.points or 0
        if isinstance(d, Interval):
            return tuple(np.linspace(d.low, d.high, n).tolist()) if n > 1 else (d.low,)
        return tuple(d.quantile((np.arange(n) + 0.5) / n).tolist())

    def values_of(self, shares: Vector) -> list[Any]:
        """Give the value of each share, as Python's own numbers."""
        inner = np.clip(shares, EDGE, 1 - EDGE)
        return list(self.distribution.quantile(inner).tolist())


def read_variable(given: Any, number: int) -> Variable:
    """Read a table of a study; errors name it by its number."""
    where = f"variable[{number}]"
    if not isinstance(given, Mapping):
        raise InputError(where, given, "is not a table", "Write [[variable]] and its fields.")
    for name in given:
        if name not in TAKES:
            remedy = f"{suggest(name, TAKES)}A variable takes: {', '.join(TAKES)}."
            raise InputError(f"{where}.{name}", given[name], "is not a field", remedy)
    if not isinstance(given.get("field"), str):
        remedy = 'Name a path of the plan: field = "transfer.delay".'
        raise InputError(f"{where}.field", given.get("field"), "is no path", remedy)
    points = given.get("points")
    if points is not None and (type(points) is not int or not 1 <= points <= MOST_POINTS):
        remedy = f"Give 1 to {MOST_POINTS:,}."
        raise InputError(f"{where}.points", points, "is no number of levels", remedy)
    try:
        return Variable(given["field"], _distribution(given, where), points)
    except InputError as error:
        if error.field.startswith(where):
            raise
        raise error.relabel(where) from None


def _distribution(given: Mapping[str, Any], where: str) -> Quantile:
    ways: dict[tuple[str, str], Callable[..., Quantile]] = {
        ("low", "high"): Interval,
        ("mean", "deviation"): Normal,
        ("median", "factor"): LogNormal,
    }
    said = [n for n in given if n not in ("field", "points", "parameters")]
    if "parameters" in given and said != ["distribution"]:
        remedy = 'Give distribution = "gamma" with them, or leave them out.'
        raise InputError(f"{where}.parameters", given["parameters"], "are of nothing", remedy)
    for names, make in ways.items():
        if set(said) == set(names):
            return make(*(_number(given[n], f"{where}.{n}") for n in names))
    if said == ["values"]:
        return Levels(_listed(given["values"], where))
    if said == ["quantiles"]:
        return _quantiles(given["quantiles"], where)
    if said == ["distribution"]:
        return _named(given, where)
    remedy = (
        "Give low and high, mean and deviation, median and factor, values, quantiles, or the "
        "name of a distribution."
    )
    raise InputError(where, {n: given[n] for n in said} or None, "is not one distribution", remedy)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _may_vary(value: Any) -> bool:
    """Tell whether a plan may have a value: a number, a word, or a list of these."""
    if isinstance(value, list | tuple):
        return all(map(_may_vary, value))
    return isinstance(value, str | bool) or (_is_number(value) and value == value)


def _number(value: Any, where: str) -> float:
    if not _is_number(value) or not isfinite(value):
        raise InputError(where, value, "is no number", "Give a finite number.")
    return float(value)


def _listed(values: Any, where: str) -> tuple[Any, ...]:
    if not isinstance(values, list | tuple) or not values:
        remedy = "Give at least one: values = [0.004, 0.008]."
        raise InputError(f"{where}.values", values, "is no list of values", remedy)
    for i, value in enumerate(values):
        if not _may_vary(value):
            remedy = "List numbers, words, or lists of them."
            raise InputError(f"{where}.values[{i}]", value, "is no value of a plan", remedy)
    return tuple(tuple(v) if isinstance(v, list) else v for v in values)


def _quantiles(given: Any, where: str) -> Quantiles:
    where = f"{where}.quantiles"
    pairs = isinstance(given, Sequence) and all(
        isinstance(p, Sequence) and not isinstance(p, str) and len(p) == 2 for p in given
    )
    remedy = "Give pairs whose shares rise from 0 to 1: [[0, 0.004], [0.5, 0.006], [1, 0.012]]."
    if not pairs or len(given) < 2:
        raise InputError(where, given, "are no pairs of share and value", remedy)
    shares, values = (tuple(_number(p[i], where) for p in given) for i in (0, 1))
    rises = np.all(np.diff(shares) > 0) and np.all(np.diff(values) >= 0)
    if not rises or shares[0] != 0.0 or shares[-1] != 1.0:
        raise InputError(where, given, "are no distribution", remedy)
    return Quantiles(shares, values)


def _named(given: Mapping[str, Any], where: str) -> Named:
    from scipy import stats

    name, parameters = given["distribution"], given.get("parameters", {})
    known = sorted(n for n in vars(stats) if isinstance(getattr(stats, n), stats.rv_continuous))
    if name not in known:
        some = ", ".join(known[:8])
        remedy = f"{suggest(name, known)}Use a continuous one of scipy.stats: {some}, ..."
        raise InputError(f"{where}.distribution", name, "is not known", remedy)
    if not isinstance(parameters, Mapping):
        remedy = "Write parameters = { scale = 2.0 }."
        raise InputError(f"{where}.parameters", parameters, "is no table", remedy)
    found = Named(name, tuple((k, _number(v, f"{where}.{k}")) for k, v in parameters.items()))
    try:
        usable = bool(np.isfinite(found.quantile(np.array([0.25, 0.5, 0.75]))).all())
    except TypeError as error:
        problem = f"do not fit {name} ({error})"
        raise InputError(f"{where}.parameters", dict(parameters), problem, "See scipy.") from None
    if not usable:
        remedy = f"See what scipy.stats.{name} allows."
        raise InputError(f"{where}.parameters", dict(parameters), f"do not fit {name}", remedy)
    return found
