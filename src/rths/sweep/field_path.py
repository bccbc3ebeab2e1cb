"""Fields of a plan by their path, down to single elements of lists.

    transfer.delay    specimen[1].stiffness    structure.stiffnesses[2]    transfer.actuator.delay
    clock.duration    compensator.kind         limits.compensator.command  seed

A number in brackets counts from 0: channels where a role is given for each, else elements of a
list. ``specimen.1.stiffness`` is the same as ``specimen[1].stiffness``. A change gives the fields
of a test as ``HybridTest.with_values`` takes them, so that what only changes a block is only
written into the arena; a kind is changed in the table of the plan, and takes its defaults along.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from rths.assembly.hybrid_test import HybridTest
from rths.config.plan import CLOCK, from_table, to_table
from rths.errors import InputError, suggest
from rths.registry import LIVE_ROLES, ROLES, find, search_folder

_PART = re.compile(r"([^.\[\]]+)|\[(\d+)\]")
_WHOLE = re.compile(r"[^.\[\]]+(?:\.[^.\[\]]+|\[\d+\])*")
OUTSIDE = ("seed", "name")
"""Fields before the first table."""


@dataclass(frozen=True)
class FieldPath:
    """A path in its parts: the table, a channel, a field, and what lies inside the field."""

    text: str
    role: str
    channel: int | None
    field: str
    inside: tuple[str | int, ...] = ()

    @property
    def names_kind(self) -> bool:
        """Tell whether another value is another class."""
        return self.field == "kind" and not self.inside

    def overlaps(self, other: FieldPath) -> bool:
        """Tell whether both lead to the same value, or one to a part of the other's."""
        if (self.role, self.field) != (other.role, other.field):
            return False
        apart = None not in (self.channel, other.channel) and self.channel != other.channel
        common = min(len(self.inside), len(other.inside))
        return not apart and self.inside[:common] == other.inside[:common]

    @property
    def key(self) -> str:
        """The field as ``with_values`` takes it."""
        if self.role in ("clock", ""):
            return self.field
        if self.role == "limits":
            return "limits"
        middle = "" if self.channel is None else f".{self.channel}"
        return f"{self.role}{middle}.{self.field}"


def parse_path(test: HybridTest, text: str) -> FieldPath:
    """Read a path of a plan; it must lead to something that is there."""
    if not isinstance(text, str) or not _WHOLE.fullmatch(text):
        remedy = "Write transfer.delay, specimen[1].stiffness or structure.stiffnesses[2]."
        raise InputError("field", text, "is no path of a field", remedy)
    parts: list[str | int] = [
        int(m[2]) if m[2] is not None else int(m[1]) if m[1].isdigit() else m[1]
        for m in _PART.finditer(text)
    ]
    role = str(parts[0])
    if len(parts) == 1:
        found = _outside(text, role)
    elif role == "limits":
        found = FieldPath(text, role, None, text.partition(".")[2])
    else:
        found = _in_table(test, text, role, parts[1:])
    if not found.names_kind:
        read_value(test, found)
    return found


def _outside(text: str, name: str) -> FieldPath:
    if name in CLOCK:
        return FieldPath(text, "clock", None, name)
    if name in ("clock", *ROLES, *LIVE_ROLES):
        raise InputError("field", text, "is a table", f"Name a field of it: {name}.NAME.")
    if name not in OUTSIDE:
        remedy = (
            f"{suggest(name, (*OUTSIDE, 'clock', *ROLES))}Name table and field: transfer.delay."
        )
        raise InputError("field", text, "is no field of a plan", remedy)
    return FieldPath(text, "", None, name)


def _in_table(test: HybridTest, text: str, role: str, rest: list[str | int]) -> FieldPath:
    if role == "clock":
        return FieldPath(text, role, None, str(rest[0]), tuple(rest[1:]))
    if role not in (*ROLES, *LIVE_ROLES, "safety"):
        known = ("clock", *ROLES, *LIVE_ROLES, "limits", "safety")
        remedy = f"{suggest(role, known)}Tables: {', '.join(known)}."
        raise InputError("field", text, "is in no table of a plan", remedy)
    channel = None
    if isinstance(rest[0], int):
        owner = getattr(test, role)
        if not isinstance(owner, tuple) or rest[0] >= len(owner):
            given = len(owner) if isinstance(owner, tuple) else 1
            remedy = f"The plan has {given} of {role}, counted from 0."
            raise InputError("field", text, "names a channel that is not there", remedy)
        channel, rest = rest[0], rest[1:]
    if not rest or not isinstance(rest[0], str):
        raise InputError("field", text, "names no field", "Write transfer.delay.")
    return FieldPath(text, role, channel, rest[0], tuple(rest[1:]))


def _owner(test: HybridTest, path: FieldPath) -> Any:
    """Give the description that has the field; of several the one of its channel, or the first."""
    if path.role in ("clock", "", "limits"):
        return test
    owner = getattr(test, path.role)
    return owner[path.channel or 0] if isinstance(owner, tuple) else owner


def read_value(test: HybridTest, path: FieldPath) -> Any:
    """Give what a plan has at a path."""
    owner = _owner(test, path)
    if path.role == "limits":
        if path.field not in test.limits:
            remedy = (
                f"{suggest(path.field, test.limits)}Limits: {', '.join(test.limits) or 'none'}."
            )
            raise InputError("field", path.text, "is no limit of the plan", remedy)
        return test.limits[path.field]
    known = [f.name for f in fields(owner)] if hasattr(owner, "__dataclass_fields__") else []
    if path.role == "clock":
        known = list(CLOCK)
    if path.names_kind:
        return owner.kind
    if path.field not in known:
        where = path.role if path.role == "clock" else getattr(owner, "kind", path.role)
        hint = suggest(path.field, known)
        remedy = f"{hint}Fields of {where}: {', '.join(known) or 'none'}."
        raise InputError("field", path.text, "is not a field", remedy)
    value = getattr(owner, path.field)
    for step in path.inside:
        value = _step_into(value, step, path)
    return value


def _step_into(value: Any, step: str | int, path: FieldPath) -> Any:
    if isinstance(step, int) and isinstance(value, tuple | list) and step < len(value):
        return value[step]
    if isinstance(step, str) and isinstance(value, Mapping) and step in value:
        return value[step]
    has = f"{len(value)} elements" if isinstance(value, tuple | list) else repr(value)
    if isinstance(value, Mapping):
        has = ", ".join(map(str, value))
    remedy = f"There it has {has}; elements count from 0."
    raise InputError("field", path.text, "leads to nothing", remedy)


def _put(value: Any, inside: tuple[str | int, ...], new: Any) -> Any:
    """Copy a list or a table with what lies at the end of a way inside it replaced."""
    if not inside:
        return new
    step, rest = inside[0], inside[1:]
    if isinstance(value, Mapping):
        return {**value, step: _put(value[step], rest, new)}
    assert isinstance(step, int)
    return (*value[:step], _put(value[step], rest, new), *value[step + 1 :])


def field_values(
    test: HybridTest, paths: Mapping[str, FieldPath], values: Mapping[str, Any]
) -> dict[str, Any]:
    """Turn values by path into fields as ``with_values`` takes them."""
    found: dict[str, Any] = {}
    for text, value in values.items():
        path = paths[text]
        if path.role == "limits":
            found["limits"] = {**found.get("limits", test.limits), path.field: value}
        elif path.inside:
            before = found.get(path.key, getattr(_owner(test, path), path.field))
            found[path.key] = _put(before, path.inside, value)
        else:
            found[path.key] = value
    return found


def change_test(
    test: HybridTest, paths: Mapping[str, FieldPath], values: Mapping[str, Any], folder: Path
) -> HybridTest:
    """Give the test with values changed by path; own classes are looked for in a folder."""
    kinds = {text: v for text, v in values.items() if paths[text].names_kind}
    if kinds:
        test = _change_kinds(test, [(paths[text], v) for text, v in kinds.items()], folder)
    left = {text: v for text, v in values.items() if text not in kinds}
    return test.with_values(field_values(test, paths, left)) if left else test


def _change_kinds(
    test: HybridTest, changes: list[tuple[FieldPath, Any]], folder: Path
) -> HybridTest:
    """Change classes: what the other does not have goes with the one that had it."""
    table = to_table(test)
    for path, kind in changes:
        given = table[path.role]
        owners = given if isinstance(given, list) else [given]
        for owner in owners if path.channel is None else [owners[path.channel]]:
            known: set[str] = set()
            with suppress(InputError), search_folder(folder):
                known = {f.name for f in fields(find(path.role, kind, folder))}
            for name in [n for n in owner if n not in known]:
                del owner[name]
            owner["kind"] = kind
    with search_folder(folder):
        return from_table(table, folder)
