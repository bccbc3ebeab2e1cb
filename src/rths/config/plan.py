"""A plan: one TOML file that describes a test, its tables in the order of the loop.

name, seed
[clock]        tick, step, duration, ramp
[excitation]   kind = ...      [structure]  kind = ...     [integrator]  kind = ...
[compensator]  kind = ...      [transfer]   kind = ...     [specimen]    kind = ...
[feedback]     kind = ...      (these four: one table for all actuators, or [[...]] for each)
[limits]       signal = bound
[record]       signals = [...]
"""

from __future__ import annotations

import tomllib
from dataclasses import fields
from pathlib import Path
from typing import Any, get_type_hints

from rths.assembly.hybrid_test import CHANNEL_ROLES, HybridTest
from rths.config.toml_text import line_of, toml_text
from rths.errors import InputError
from rths.quantity import BesidePlan
from rths.registry import ROLES, find

CLOCK = ("tick", "step", "duration", "ramp")
OPTIONAL = {"compensator": "none", "feedback": "direct"}


def load(path: Path | str, changes: dict[str, Any] | None = None) -> HybridTest:
    """Read a plan; ``changes`` replace fields by their path, as in ``compensator.delay``."""
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            "plan", str(path), f"cannot be read ({error})", "Name a TOML file."
        ) from error
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(
            "plan", str(path), f"is not valid TOML ({error})", "Mend that line."
        ) from error
    for name, value in (changes or {}).items():
        _set(table, name, value)
    try:
        return from_table(table, path.parent.absolute())
    except InputError as error:
        line = line_of(text, error.field)
        raise error.at(f"{path}:{line}" if line else str(path)) from None


def _set(table: dict[str, Any], name: str, value: Any) -> None:
    """Change one entry of a plan's table by its path."""
    *parents, last = name.split(".")
    if parents and parents[0] == "limits":
        parents, last = ["limits"], name.partition(".")[2]
    for parent in parents:
        inner = table.setdefault(parent, {})
        if isinstance(inner, list):
            for item in inner:
                item[last] = value
            return
        table = inner
    table[last] = value


def from_table(table: dict[str, Any], folder: Path) -> HybridTest:
    """Build the test that a plan's table describes; files are looked for in ``folder``."""
    table = dict(table)
    given: dict[str, Any] = {k: table.pop(k) for k in ("name", "seed") if k in table}
    clock = _expect_table("clock", table.pop("clock", {}))
    for name in clock:
        if name not in CLOCK:
            raise InputError(
                f"clock.{name}", clock[name], "is not a field", f"Use {', '.join(CLOCK)}."
            )
    for name in ("tick", "duration"):
        if name not in clock:
            raise InputError(f"clock.{name}", None, "is required", f"Add {name} in seconds.")
    record = _expect_table("record", table.pop("record", {}))
    if "signals" in record:
        given["record"] = record["signals"]
    given["limits"] = _flat(_expect_table("limits", table.pop("limits", {})))
    roles = {role: _role(role, table.pop(role, None), folder) for role in ROLES}
    if table:
        name = next(iter(table))
        known = ", ".join(["clock", *ROLES, "limits", "record"])
        raise InputError(name, table[name], "is not a table of a plan", f"Tables: {known}.")
    return HybridTest(**given, **clock, **roles)


def _expect_table(name: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise InputError(name, value, "is not a table", f"Write [{name}] and its fields below.")
    return value


def _flat(table: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    """Join nested keys with dots: TOML reads ``compensator.command`` as two levels."""
    flat: dict[str, Any] = {}
    for key, value in table.items():
        if isinstance(value, dict):
            flat |= _flat(value, f"{prefix}{key}.")
        else:
            flat[prefix + key] = tuple(value) if isinstance(value, list) else value
    return flat


def _role(role: str, given: Any, folder: Path) -> Any:
    """Build the description, or the descriptions, of one role."""
    if given is None and role in OPTIONAL:
        given = {"kind": OPTIONAL[role]}
    if given is None:
        raise InputError(role, None, "is missing", f"Add a table [{role}] with its kind.")
    if isinstance(given, list) and role in CHANNEL_ROLES:
        return tuple(_one(role, g, folder) for g in given)
    if not isinstance(given, dict):
        raise InputError(role, given, "is not a table", f"Write [{role}] and its fields below.")
    return _one(role, given, folder)


def _one(role: str, given: dict[str, Any], folder: Path) -> Any:
    values = dict(given)
    if "kind" not in values:
        raise InputError(f"{role}.kind", None, "is required", f"Add kind to [{role}].")
    cls = find(role, values.pop("kind"), folder)
    hints = get_type_hints(cls, include_extras=True)
    for name, value in values.items():
        beside = any(
            isinstance(m, BesidePlan) for m in getattr(hints.get(name), "__metadata__", ())
        )
        if beside and isinstance(value, str) and (folder / value).exists():
            values[name] = str(folder / value)
    return cls(**values)


def to_table(test: HybridTest) -> dict[str, Any]:
    """Give the complete plan of a test: every field, also those left at their defaults."""
    table: dict[str, Any] = {"name": test.name, "seed": test.seed}
    clock = {name: getattr(test, name) for name in CLOCK}
    table["clock"] = {k: v for k, v in clock.items() if v is not None}
    for role in ROLES:
        given = getattr(test, role)
        each = isinstance(given, tuple)
        table[role] = [_described(g) for g in given] if each else _described(given)
    if test.limits:
        table["limits"] = dict(test.limits)
    if test.record is not None:
        table["record"] = {"signals": list(test.record)}
    return table


def _described(description: Any) -> dict[str, Any]:
    values = {f.name: getattr(description, f.name) for f in fields(description)}
    return {"kind": description.kind, **{k: v for k, v in values.items() if v is not None}}


def dumps(test: HybridTest) -> str:
    """Write a test as the text of a plan."""
    return toml_text(to_table(test))
