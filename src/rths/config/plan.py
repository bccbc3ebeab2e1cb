"""A plan: one TOML file that describes a test, its tables in the order of the loop.

name, seed
[clock]        tick, step, duration, ramp
[excitation]   kind = ...      [structure]  kind = ...     [integrator]  kind = ...
[compensator]  kind = ...      [transfer]   kind = ...     [specimen]    kind = ...
[feedback]     kind = ...      (these four: one table for all actuators, or [[...]] for each)
[hardware]     kind = ...      (only for a live test: the link to its rig)
[rig]          file             (the limits of that rig, from the laboratory)
[limits]       signal = bound
[safety]       rate, position, hold, fade_in, velocity, acceleration, way, patience
[[guard]]      kind = ..., warn = ..., trip = ...
[record]       signals = [...]
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from copy import deepcopy
from dataclasses import fields
from functools import cache
from pathlib import Path
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from numpy.linalg import LinAlgError

from rths.assembly.hybrid_test import CHANNEL_ROLES, HybridTest
from rths.assembly.safety import Safety
from rths.config.plausibility import check_plausible
from rths.config.toml_mistake import parse_toml
from rths.config.toml_text import line_of, toml_text
from rths.errors import InputError, suggest
from rths.plain_file import require_file, suggest_file
from rths.quantity import PlanFile
from rths.registry import LIVE_ROLES, ROLES, find, search_folder
from rths.safety.rig_file import RigFile, file_name, laboratory_folder
from rths.trust import grant_trust

MOST_PLAN_BYTES = 1 << 24
"""Bytes of a plan that are read: matrices of some hundred storeys, written out, have a tenth."""
RECORD_MARK = b"\x89HDF"
"""How a file begins that is a record."""
_NAME = "Name a TOML file; rths new writes one."
CLOCK = ("tick", "step", "duration", "ramp")
TABLES = ("clock", *ROLES, *LIVE_ROLES, "rig", "limits", "safety", "guard", "record")
TEXT = "plan"
"""What errors call a plan that is no file."""
OPTIONAL = {"compensator": "none", "feedback": "direct"}
"""What stands for a table that is left out."""
OPTIONAL_WITH_COMMAND = ("structure", "integrator", "specimen")
"""Tables that may also be left out where the excitation is the command of an actuator."""
RECOMMENDED = {"compensator": "bounded_inverse"}
"""What stands for a kind that is left out: docs/howto/recommended-compensator.md says why."""


def load(
    plan: Path | str | Mapping[str, Any],
    changes: dict[str, Any] | None = None,
    *,
    trust: bool = False,
) -> HybridTest:
    """Read a plan; ``changes`` replace fields by their path, as in ``compensator.delay``.

    ``plan`` is a file, the text of one (a string of several lines), or its tables as a dict; files
    that a text or a dict names are looked for in the working directory.

    A block of one's own runs once its content is trusted, by ``trust`` or before (trust.py).
    """
    with grant_trust(trust) if trust else nullcontext():
        if isinstance(plan, Mapping):
            return _load(Path(TEXT), "", deepcopy(dict(plan)), changes)
        is_text = isinstance(plan, str) and "\n" in plan
        path = Path(TEXT if is_text else plan)
        text = str(plan) if is_text else _read_text(path)
        return _load(path, text, parse_toml(text, path), changes)


def _load(
    path: Path, text: str, table: dict[str, Any], changes: dict[str, Any] | None
) -> HybridTest:
    try:
        for name, value in sorted(
            (changes or {}).items(), key=lambda c: not c[0].endswith(".kind")
        ):
            _set(table, name, value)
        with search_folder(path.parent.absolute()):
            test = from_table(table, path.parent.absolute())
        check_plausible(test)
    except InputError as error:
        if changes and error.field in changes:
            raise error.locate("--set") from None
        line = line_of(text, error.field)
        raise error.locate(f"{path}:{line}" if line else str(path)) from None
    return test


def _read_text(path: Path) -> str:
    """Give the text of a plan, or say why there is none."""
    why, remedy = f"it has more than {MOST_PLAN_BYTES >> 20} MiB", _NAME
    content = b""
    try:
        require_file(path)
        with path.open("rb") as file:
            content = file.read(MOST_PLAN_BYTES + 1)
        if len(content) <= MOST_PLAN_BYTES:
            return content.decode("utf-8-sig").replace("\r\n", "\n")
    except FileNotFoundError as error:
        why, remedy = str(error.strerror), suggest_file(path) + _NAME
    except IsADirectoryError as error:
        inside = sorted(path.glob("*.toml"))
        why = str(error.strerror)
        remedy = f"Name the plan in it: {inside[0]}." if len(inside) == 1 else _NAME
    except OSError as error:
        why = error.strerror or str(error)
    except ValueError:
        why, remedy = "it is not UTF-8 text", "Open it in an editor and save as UTF-8."
        if content.startswith(RECORD_MARK):
            why, remedy = "it is a record", "Repeat its test with rths rerun, or name a plan."
    raise InputError("plan", str(path), f"cannot be read ({why})", remedy)


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
        kinds = (*ROLES, *LIVE_ROLES)
        if last == "kind" and parents == [parent] and parent in kinds and isinstance(inner, dict):
            # what the other kind does not have goes with the one that had it
            known = {f.name for f in fields(find(parent, value))} if ":" not in str(value) else ()
            for field in [k for k in inner if k not in known]:
                del inner[field]
        if not isinstance(inner, dict):
            raise InputError(
                name, value, f"cannot be set, as {parent} is {inner!r}", "Name a field of a table."
            )
        table = inner
    table[last] = value


def from_table(table: dict[str, Any], folder: Path) -> HybridTest:
    """Build the test that a plan's table describes; files are looked for in ``folder``."""
    table = dict(table)
    if not table:
        raise InputError("plan", None, "is empty", "Begin with rths new, or add the table [clock].")
    given: dict[str, Any] = {k: table.pop(k) for k in ("name", "seed") if k in table}
    for name in table:
        if name not in TABLES:
            raise _unknown_error(name, table[name])
    clock = _clock(_expect_table("clock", table.pop("clock", {})))
    record = _expect_table("record", table.pop("record", {}))
    for name in record:
        if name != "signals":
            raise InputError(
                f"record.{name}", record[name], "is not a field", "record takes: signals."
            )
    if "signals" in record:
        given["record"] = record["signals"]
    given["limits"] = _flatten(_expect_table("limits", table.pop("limits", {})))
    present = [*ROLES, *(r for r in LIVE_ROLES if r in table)]
    if "safety" in table:
        given["safety"] = Safety(**_expect_table("safety", table.pop("safety")))
    if "rig" in table:
        given["rig"] = _rig(_expect_table("rig", table.pop("rig")), folder)
    given["guards"] = _guards(table.pop("guard", []), folder)
    roles = {"excitation": _role("excitation", table.pop("excitation", None), folder)}
    if roles["excitation"].acting == "command":
        table = _complete_command(table)
    roles |= {role: _role(role, table.pop(role, None), folder) for role in present[1:]}
    try:
        return HybridTest(**given, **clock, **roles)
    except InputError as error:
        raise _guard_error(_plan_error(error, roles), given["guards"]) from None
    except (ArithmeticError, MemoryError, LinAlgError) as error:
        problem, remedy = f"cannot be calculated ({error})", "Give numbers of usual size, in SI."
        raise InputError("plan", None, problem, remedy) from None


def _complete_command(table: dict[str, Any]) -> dict[str, Any]:
    """Add what a plan leaves out that moves actuators without a structure."""
    given = (table.get(role) for role in CHANNEL_ROLES)
    actuators = max((len(each) for each in given if isinstance(each, list)), default=1)
    left_out: dict[str, Any] = {role: {"kind": "none"} for role in OPTIONAL_WITH_COMMAND}
    left_out["structure"]["actuators"] = max(actuators, 1)
    return left_out | table


def _rig(table: dict[str, Any], folder: Path) -> RigFile:
    """Find the laboratory's file; one of the same name beside the plan must be the same file."""
    name = table.get("file")
    if not isinstance(name, str) or not (folder / file_name(name)).is_file():
        return RigFile(**table)
    beside, kept = folder / file_name(name), laboratory_folder() / file_name(name)
    if kept.is_file() and kept.read_bytes() != beside.read_bytes():
        problem = f"lies beside the plan and, with another content, in {kept.parent}"
        remedy = "The laboratory has one file for its rig: remove or rename the other."
        raise InputError("rig.file", name, problem, remedy)
    return RigFile(**{**table, "file": str(beside.absolute())})


def _plan_error(error: InputError, roles: dict[str, Any]) -> InputError:
    """Name a field of the test as it is called in a plan."""
    first, _, rest = error.field.partition(".")
    if first == "file":
        for role, given in roles.items():
            for f in fields(given) if hasattr(given, "kind") else ():
                if plan_file(type(given), f.name) and getattr(given, f.name) == error.value:
                    return error.relabel(f"{role}.{f.name}")
    if first == "test" and rest in CLOCK:
        return error.relabel(f"clock.{rest}")
    if first == "test":
        return error.relabel(rest.replace("record", "record.signals", 1))
    if first == "signal":
        return error.relabel("record.signals")
    return error


def _guard_error(error: InputError, guards: tuple[Any, ...]) -> InputError:
    """Name the guard of a plan that watches a signal which does not exist."""
    for i, guard in enumerate(guards):
        if error.field == f"guard.{guard.kind}" and error.value in guard.watches:
            named = [f.name for f in fields(guard) if getattr(guard, f.name) == error.value]
            field = f"guard[{i}].{named[0]}" if named else f"guard[{i}]"
            return error.relabel(field)
    return error


def _unknown_error(name: str, value: Any) -> InputError:
    """Say which table, or which field outside of a table, does not exist."""
    hint = suggest(name, ("name", "seed", *TABLES))
    if isinstance(value, (dict, list)):
        known = ", ".join(TABLES)
        return InputError(name, None, "is not a table of a plan", f"{hint}Tables: {known}.")
    remedy = f"{hint}Before the first table only name and seed may stand: move it into its table."
    return InputError(name, value, "is not a field of a plan", remedy)


def _clock(clock: dict[str, Any]) -> dict[str, Any]:
    for name in clock:
        if name not in CLOCK:
            remedy = f"{suggest(name, CLOCK)}clock takes: {', '.join(CLOCK)}."
            raise InputError(f"clock.{name}", clock[name], "is not a field", remedy)
    for name in ("tick", "duration"):
        if name not in clock:
            raise InputError(
                f"clock.{name}", None, "is required", f"Add {name} = a time in seconds to [clock]."
            )
    return clock


def _expect_table(name: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise InputError(name, value, "is not a table", f"Write [{name}] and its fields below.")
    return value


def _flatten(table: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    """Join nested keys with dots: TOML reads ``compensator.command`` as two levels."""
    flat: dict[str, Any] = {}
    for key, value in table.items():
        if isinstance(value, dict):
            flat |= _flatten(value, f"{prefix}{key}.")
            continue
        numbers = value if isinstance(value, list) else [value]
        if not all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in numbers) or (
            isinstance(value, list) and len(value) != 2
        ):
            raise InputError(
                f"limits.{prefix}{key}",
                value,
                "is no bound",
                "Give a number for plus and minus, or [low, high].",
            )
        flat[prefix + key] = tuple(value) if isinstance(value, list) else value
    return flat


def _guards(given: Any, folder: Path) -> tuple[Any, ...]:
    """Build the guards of a plan."""
    tables = given if isinstance(given, list) else [given]
    if not all(isinstance(g, dict) for g in tables):
        raise InputError("guard", given, "is not a list of tables", "Write [[guard]], each time.")
    return tuple(_build_numbered("guard", i, g, folder) for i, g in enumerate(tables))


def _role(role: str, given: Any, folder: Path) -> Any:
    """Build the description, or the descriptions, of one role."""
    if given is None and role in OPTIONAL:
        given = {"kind": OPTIONAL[role]}
    if given is None:
        alone = ', or acting = "command" to [excitation] to move an actuator without a structure'
        remedy = (
            f"Add a table [{role}] with its kind{alone if role == 'structure' else ''}; "
            f"rths explain {role} lists them."
        )
        raise InputError(role, None, "is missing", remedy)
    if isinstance(given, list) and given and all(isinstance(g, dict) for g in given):
        if role not in CHANNEL_ROLES:
            raise InputError(
                role, None, f"is given {len(given)} times", f"Write [{role}] once, not [[{role}]]."
            )
        return tuple(_build_numbered(role, i, g, folder) for i, g in enumerate(given))
    if not isinstance(given, dict):
        raise InputError(role, given, "is not a table", f"Write [{role}] and its fields below.")
    return _build_one(role, given, folder)


def _build_numbered(role: str, index: int, given: dict[str, Any], folder: Path) -> Any:
    """Build one of several descriptions; its errors tell which one it is."""
    try:
        return _build_one(role, given, folder)
    except InputError as error:
        raise error.relabel(error.field.replace(role, f"{role}[{index}]", 1)) from None


def _build_one(role: str, given: dict[str, Any], folder: Path) -> Any:
    values = {**({"kind": RECOMMENDED[role]} if role in RECOMMENDED else {}), **given}
    if "kind" not in values:
        remedy = f'Add kind = "..." to [{role}]; rths explain {role} lists the kinds.'
        raise InputError(f"{role}.kind", None, "is required", remedy)
    cls = find(role, values.pop("kind"), folder)
    for name, value in values.items():
        mark = plan_file(cls, name) if isinstance(value, str) else None
        if mark is not None:
            values[name] = mark.place(value, folder)
    return cls(**values)


def plan_file(cls: Any, field: str) -> PlanFile | None:
    """Find how a field names a file beside the plan; None if it does not."""
    return _file_fields(cls).get(field)


@cache
def _file_fields(cls: Any) -> dict[str, PlanFile]:
    found: dict[str, PlanFile] = {}
    for name, hint in get_type_hints(cls, include_extras=True).items():
        parts = [hint, *(get_args(hint) if get_origin(hint) in (Union, UnionType) else ())]
        for mark in (mark for part in parts for mark in getattr(part, "__metadata__", ())):
            if isinstance(mark, PlanFile):
                found.setdefault(name, mark)
    return found


def to_table(test: HybridTest) -> dict[str, Any]:
    """Give the complete plan of a test: every field, also those left at their defaults."""
    table: dict[str, Any] = {"name": test.name, "seed": test.seed}
    clock = {name: getattr(test, name) for name in CLOCK}
    table["clock"] = {k: v for k, v in clock.items() if v is not None}
    for role in ROLES:
        given = getattr(test, role)
        each = isinstance(given, tuple)
        table[role] = [_description_table(g) for g in given] if each else _description_table(given)
    for role in LIVE_ROLES:
        if getattr(test, role) is not None:
            table[role] = _description_table(getattr(test, role))
    if test.rig is not None:
        table["rig"] = {"file": test.rig.file, "digest": test.rig.found_digest}
    if test.limits:
        table["limits"] = dict(test.limits)
    if test.safety is not None:
        values = {f.name: getattr(test.safety, f.name) for f in fields(test.safety)}
        table["safety"] = {k: v for k, v in values.items() if v is not None}
    if test.guards:
        table["guard"] = [_description_table(g) for g in test.guards]
    if test.record is not None:
        table["record"] = {"signals": list(test.record)}
    return table


def _description_table(description: Any) -> dict[str, Any]:
    values = {f.name: getattr(description, f.name) for f in fields(description)}
    return {"kind": description.kind, **{k: v for k, v in values.items() if v is not None}}


def dumps(test: HybridTest) -> str:
    """Write a test as the text of a plan."""
    return toml_text(to_table(test))
