"""The arguments of a call in a script of OpenSees: values by place, then options by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Facts = dict[str, Any]


def split_options(given: Sequence[Any]) -> tuple[list[Any], dict[str, list[Any]]]:
    """Part arguments into those before the first option and those behind each."""
    values: list[Any] = []
    options: dict[str, list[Any]] = {}
    behind = values
    for value in given:
        if isinstance(value, str) and value.startswith("-") and not _is_number(value):
            behind = options.setdefault(value, [])
        else:
            behind.append(value)
    return values, options


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def numbers_of(given: Sequence[Any], defaults: Sequence[float | None]) -> list[float]:
    """Give numbers by place; those that are missing at the end have their default."""
    found = [float(value) for value in given[: len(defaults)]]
    return found + [float(value or 0.0) for value in defaults[len(found) :]]


def last_calls(facts: Facts, name: str) -> dict[int, list[Any]]:
    """Give the last call for each tag that stands behind the type: section, material, element."""
    calls = (given for called, given in facts["calls"] if called == name)
    return {int(given[1]): given for given in calls if len(given) > 1}


def calls_of(facts: Facts, *names: str) -> list[list[Any]]:
    """Give all calls of some functions, in their order."""
    return [given for called, given in facts["calls"] if called in names]
