"""Numbers of a plan by their path: ``transfer.delay``, ``specimen.1.stiffness``, ``clock.tick``.

A path leads through the roles of the plan, the channels where a role is given for each, and the
tables within a table (``transfer.actuator.delay``). A field may be a list of numbers; it is then
changed by a factor.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, get_type_hints

from rths.assembly.hybrid_test import CHANNEL_ROLES, HybridTest
from rths.errors import InputError
from rths.quantity import MATRIX_FILE, Requirement
from rths.structure.base import DampedStructure

SCALES = ("force_scale", "length_scale")
"""Factors that are no number of the plan as long as they are 1."""
PARAMETER_ROLES = ("structure", "integrator", *CHANNEL_ROLES)


def change_plan(test: HybridTest, values: Mapping[str, Any]) -> HybridTest:
    """The plan with some numbers changed."""
    for path, value in values.items():
        test = test.with_values(dict([_field_change(test, path, value)]))
    return test


def _field_change(test: HybridTest, path: str, value: Any) -> tuple[str, Any]:
    """Turn a path into a table within a field into the path of that field and its new table."""
    role, *rest = path.removeprefix("clock.").split(".")
    if not rest:
        return role, value
    head = 2 if rest[0].isdigit() else 1
    inner = rest[head:]
    name = ".".join([role, *rest[:head]])
    if not inner:
        return name, value
    table = value_of(test, name)
    if not isinstance(table, dict) or len(inner) != 1 or inner[0] not in table:
        known = ", ".join(table) if isinstance(table, dict) else "none"
        raise InputError(path, value, "is not a field", f"Fields of {name}: {known}.")
    return name, {**table, inner[0]: value}


def value_of(test: HybridTest, path: str) -> Any:
    """The value at a path; of channels that are given one by one, that of the first."""
    role, *rest = path.removeprefix("clock.").split(".")
    owner = getattr(test, role, None)
    if not rest and owner is not None:
        return owner
    if isinstance(owner, tuple):
        number = int(rest.pop(0)) if rest[0].isdigit() else 0
        if number >= len(owner):
            few = f"names one of {len(owner)}, counted from 0"
            raise InputError(path, None, few, f"Numbers: {', '.join(numbers(test))}.")
        owner = owner[number]
    for name in rest:
        inside = _read_field(owner, name)
        if inside is None:
            known = ", ".join(numbers(test))
            raise InputError(path, None, "is no number of this plan", f"Numbers: {known}.")
        owner = inside
    return owner


def _read_field(owner: Any, name: str) -> Any:
    """Give a field, None if there is none; a matrix that lies in a file as its rows."""
    value = owner.get(name) if isinstance(owner, dict) else getattr(owner, name, None)
    if isinstance(value, str) and isinstance(owner, DampedStructure) and name != "kind":
        return tuple(map(tuple, owner.matrix(name).tolist())) if MATRIX_FILE.split(value) else value
    return value


def numbers(test: HybridTest) -> dict[str, Any]:
    """Every number, or list of numbers, of the plan that could be a little larger or smaller."""
    found: dict[str, Any] = {}
    for role in PARAMETER_ROLES:
        given = getattr(test, role)
        if isinstance(given, tuple):
            for k, one in enumerate(given):
                found |= _description_numbers(f"{role}.{k}", one)
        else:
            found |= _description_numbers(role, given)
    return found


def _description_numbers(prefix: str, description: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for f in fields(description):
        value = _read_field(description, f.name)
        if isinstance(value, dict):
            inner = {k: v for k, v in value.items() if isinstance(v, float)}
            found |= {f"{prefix}.{f.name}.{k}": v for k, v in inner.items() if v}
        elif _is_number(value) and not (f.name in SCALES and value == 1.0):
            found[f"{prefix}.{f.name}"] = value
    return found


def _is_number(value: Any) -> bool:
    if isinstance(value, tuple):
        flat = [w for v in value for w in (v if isinstance(v, tuple) else (v,))]
        return any(isinstance(v, float) and v for v in flat)
    return isinstance(value, float) and value != 0.0


def multiply(value: Any, factor: float) -> Any:
    """A number, or each of a list of numbers, times a factor."""
    if isinstance(value, tuple | list):
        return tuple(multiply(v, factor) for v in value)
    return value * factor


def unit_of(test: HybridTest, path: str) -> str:
    """Unit of the field at a path, as its type names it."""
    role, *rest = path.removeprefix("clock.").split(".")
    owner = getattr(test, role, None)
    if isinstance(owner, tuple):
        owner = owner[int(rest.pop(0))] if rest and rest[0].isdigit() else owner[0]
    if not rest or len(rest) > 1:
        return "s" if not rest else ""
    hint = get_type_hints(type(owner), include_extras=True).get(rest[0])
    named = (m.unit for m in getattr(hint, "__metadata__", ()) if isinstance(m, Requirement))
    return next(named, "")
