"""``--vary FIELD=VALUES``: a list of values, or so many between two ends."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from itertools import product
from typing import TYPE_CHECKING, Any

from rths.errors import InputError

if TYPE_CHECKING:
    from rths.assembly.hybrid_test import HybridTest
    from rths.sweep.field_path import FieldPath

RANGE = re.compile(r"\s*(.+?)\.\.(.+?)(?::(.*))?")
REMEDY = "Write transfer.delay=0.005,0.0094,0.012 or transfer.delay=0.004..0.012:9 for nine values."
MOST = 1_000_000
"""Runs of an ensemble: its table is kept in memory."""


def read_axis(text: str) -> tuple[str, list[Any]]:
    """Read one field and its values."""
    field, equals, values = (part.strip() for part in text.partition("="))
    if not equals or not field or not values:
        raise InputError("--vary", text, "names no values", REMEDY)
    ends = RANGE.fullmatch(values)
    return field, _between(text, *ends.groups()) if ends else _listed(values)


def _between(text: str, low: str, high: str, count: str | None) -> list[Any]:
    """Give values that lie evenly between two ends."""
    from math import isfinite

    import numpy as np

    if count is None:
        raise InputError("--vary", text, "does not say how many values", REMEDY)
    try:
        first, last, number = float(low), float(high), int(count)
    except ValueError:
        raise InputError("--vary", text, "is no range of numbers", REMEDY) from None
    if not (isfinite(first) and isfinite(last) and first < last and 2 <= number <= MOST):
        problem = "needs a lower end below the upper one, and two values or more"
        raise InputError("--vary", text, problem, REMEDY)
    return [float(v) for v in np.linspace(first, last, number)]


def _listed(values: str) -> list[Any]:
    """Give values that are listed: TOML, or words."""
    try:
        return list(tomllib.loads(f"v = [{values}]")["v"])
    except tomllib.TOMLDecodeError:
        return [_word(part) for part in values.split(",") if part.strip()]


def _word(text: str) -> Any:
    try:
        return tomllib.loads(f"v = {text}")["v"]
    except tomllib.TOMLDecodeError:
        return text.strip()


def combine(axes: Mapping[str, list[Any]]) -> list[dict[str, Any]]:
    """Give every value of each field with every value of all others, the last one fastest."""
    count = 1
    for values in axes.values():
        count *= len(values)
    if count > MOST:
        remedy = f"Give fewer values, at most {MOST:,} in all, or make a study for rths sweep."
        raise InputError("--vary", list(axes), f"makes {count:,} runs", remedy)
    return [dict(zip(axes, row, strict=True)) for row in product(*axes.values())]


def variations_of_points(
    test: HybridTest, paths: Mapping[str, FieldPath], points: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    """Turn values by path into fields of the test; another kind is another description."""
    from pathlib import Path

    from rths.sweep.field_path import change_test, field_values

    if not any(path.names_kind for path in paths.values()):
        return [field_values(test, paths, point) for point in points]
    roles = {path.role for path in paths.values() if path.role not in ("clock", "limits", "")}
    rest = {text for text, path in paths.items() if path.role not in roles}
    found = []
    for point in points:
        changed = change_test(test, paths, point, Path())
        plain = field_values(test, paths, {k: v for k, v in point.items() if k in rest})
        found.append({**{role: getattr(changed, role) for role in roles}, **plain})
    return found
