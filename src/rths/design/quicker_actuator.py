"""A remedy: the same actuator, but quicker.

    all its times by r, its frequencies, speeds and flows by 1/r                               (1)

What it consists of is not only times: a valve that is r times as slow is a part of the delay. So
the delay that is told is the measured one, and beside it stand the fields that (1) has changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from rths.assembly.hybrid_test import HybridTest
from rths.config.plan import to_table
from rths.errors import InputError
from rths.field_type import field_type, find_requirement
from rths.registry import find

EXPONENTS = {"s": 1, "Hz": -1, "m/s": -1, "m³/s": -1}
"""Power of r in (1) by the unit of a field."""
SAID = 4
"""Fields that are told one by one; of more of them (1) is said."""
Time = tuple[str, float, str]
"""A field that (1) changes: its path, its value and its unit."""


def scale_times(table: dict[str, Any], role: str, r: float) -> dict[str, Any]:
    """Give the table of a description, and those inside it, with (1)."""
    cls = find(role, table["kind"])
    made: dict[str, Any] = {}
    for name, value in table.items():
        unit = _unit_of(cls, name)
        if isinstance(value, dict) and "kind" in value:
            made[name] = scale_times(value, role, r)
        elif _is_list_of_tables(value):
            made[name] = [scale_times(v, role, r) for v in value]
        elif _is_number(value) and unit in EXPONENTS:
            made[name] = value * r ** EXPONENTS[unit]
        else:
            made[name] = value
    return made


def _find_times(table: dict[str, Any], role: str, path: str) -> Iterator[Time]:
    """Give the fields of a table, and of those inside it, that (1) changes."""
    cls = find(role, table["kind"])
    for name, value in table.items():
        unit, place = _unit_of(cls, name), f"{path}.{name}"
        if isinstance(value, dict) and "kind" in value:
            yield from _find_times(value, role, place)
        elif _is_list_of_tables(value):
            for k, inner in enumerate(value):
                yield from _find_times(inner, role, f"{place}[{k}]")
        elif _is_number(value) and value and unit in EXPONENTS:
            yield place, float(value), unit


def _unit_of(cls: type[Any], name: str) -> str:
    """Give the unit of a field, "" if it has none."""
    said = None if name == "kind" else find_requirement(field_type(cls, name))
    return said.unit if said is not None else ""


def _is_list_of_tables(value: Any) -> bool:
    return isinstance(value, list | tuple) and bool(value) and isinstance(value[0], dict)


def _is_number(value: Any) -> bool:
    """Tell whether a value is a number; a table inside another keeps whole ones as they are."""
    return isinstance(value, float | int) and not isinstance(value, bool)


def quicken_actuator(test: HybridTest, r: float) -> HybridTest:
    """Give the plan with (1)."""
    given = to_table(test)["transfer"]
    several = given if isinstance(given, list) else [given]
    scaled = [scale_times(t, "transfer", r) for t in several]
    if scaled == several:
        raise InputError("transfer", None, "has no time", "Name a time.")
    made = [find("transfer", t.pop("kind"))(**t) for t in scaled]
    return replace(test, transfer=tuple(made) if isinstance(given, list) else made[0])


def say_actuator(
    r: float, delays: tuple[float, float], before: HybridTest, after: HybridTest
) -> str:
    """Say how late it was and may be, as measured, and which of its fields are others now."""
    was, now = delays
    late = f"a delay {now / was:.2g} times as long ({1e3 * now:.3g} ms instead of {1e3 * was:.3g})"
    told = _say_fields(r, before, after)
    return f"a quicker actuator, {late}{f', {told},' if told else ','}"


def _say_fields(r: float, before: HybridTest, after: HybridTest) -> str:
    """Say the fields that (1) has changed; nothing of a dead time alone, which is the delay."""
    old, new = _times_of(before), _times_of(after)
    lines = [
        f"{path} {now:.3g} instead of {was:.3g} {unit}"
        for (path, was, unit), (_, now, _) in zip(old, new, strict=True)
    ]
    if len(lines) == 1 and _is_dead_time(before):
        return ""
    if len(lines) <= SAID:
        return " and ".join(lines)
    return " and ".join([*lines[:SAID], f"so on, times by {r:g}, all others by {1 / r:.3g}"])


def _times_of(test: HybridTest) -> list[Time]:
    """List what (1) changes in the transfer system; once if all actuators are alike."""
    given = to_table(test)["transfer"]
    if not isinstance(given, list):
        return list(_find_times(given, "transfer", "transfer"))
    if all(t == given[0] for t in given):
        return list(_find_times(given[0], "transfer", "transfer"))
    several = (_find_times(t, "transfer", f"transfer[{c}]") for c, t in enumerate(given))
    return [found for one in several for found in one]


def _is_dead_time(test: HybridTest) -> bool:
    return all(t.kind == "dead_time" for t in test.descriptions("transfer"))
