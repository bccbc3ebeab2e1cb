"""What was tested, as a person writes it: each value with its unit, a single number without rows.

The unit of a field is that of its type; where a signal acts in one of several, that in which it
acts. Fields that the plan leaves at their defaults and that say nothing are left out.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from rths.errors import InputError
from rths.excitation.base import UNIT
from rths.field_type import field_type, find_requirement
from rths.loop.channel_name import split_channel
from rths.records.record import Channel
from rths.registry import LIVE_ROLES, ROLES, find
from rths.report.readable import readable_value
from rths.report.shown_run import ShownRun

TABLES = ("clock", *ROLES, "limits", *LIVE_ROLES, "rig", "safety", "guard")
MATRICES = {
    "mass": "kg", "damping": "N s/m", "stiffness": "N/m", "masses": "kg", "stiffnesses": "N/m",
    "interface_stiffness": "N/m", "tick": "s", "step": "s", "duration": "s", "rate": "m/s",
    "fade_in": "s",
}  # fmt: skip
"""Units of fields whose type has none of its own: matrices, and tables without a kind."""
LONGEST = 60
"""Letters of a value that are shown."""


def tested_rows(runs: Sequence[ShownRun]) -> list[tuple[str, list[str]]]:
    """Give the tables of the plans in words, a column for each record."""
    plans = [tomllib.loads(r.record.plan) for r in runs]
    rows = []
    for table in TABLES:
        told = [
            describe_limits(p.get(table, {}), r.record.channels)
            if table == "limits"
            else describe_table(table, p.get(table, {}))
            for r, p in zip(runs, plans, strict=True)
        ]
        if any(told):
            rows.append((table, told))
    return rows


def describe_table(role: str, table: Any) -> str:
    """Tell a table of a plan in one line."""
    if isinstance(table, list):
        return "; ".join(describe_table(role, t) for t in table)
    values = dict(table)
    kind = str(values.pop("kind", ""))
    units, plain = _units(role, kind, values), _defaults(role, kind)
    parts = [
        f"{k.replace('_', ' ')} {_value(v, units.get(k, ''))}"
        for k, v in values.items()
        if v != "" and plain.get(k, ...) != v
    ]
    words = kind.replace("_", " ") if ":" not in kind else kind
    return (f"{words}: " if words and parts else words) + ", ".join(parts)


def describe_limits(table: Mapping[str, Any], channels: Mapping[str, Channel]) -> str:
    """Tell the limits in one line, each with the unit of its signal where it was recorded."""
    parts = []
    for signal, bound in _flatten(table).items():
        base, _ = split_channel(signal)
        unit = channels[base].unit if base in channels else ""
        parts.append(f"{signal.replace('.', ' ')} {_limit(bound, unit)}")
    return ", ".join(parts)


def _units(role: str, kind: str, values: Mapping[str, Any]) -> dict[str, str]:
    """Give the unit of each field of a kind."""
    found = dict(MATRICES)
    try:
        cls = find(role, kind) if kind and ":" not in kind else None
    except InputError:
        cls = None
    for name in values if cls is not None else ():
        wanted = find_requirement(field_type(cls, name)) if cls is not None else None
        if wanted is not None and wanted.shown_unit:
            found[name] = wanted.shown_unit
        elif wanted is not None and name not in MATRICES:
            found[name] = ""
    acting = UNIT.get(str(values.get("acting", "")), "")
    return {k: acting if " or " in unit else unit for k, unit in found.items()}


def _defaults(role: str, kind: str) -> dict[str, Any]:
    """Give the values that a kind has without being told, as a plan writes them."""
    try:
        cls = find(role, kind) if kind and ":" not in kind else None
    except InputError:
        return {}
    kept = ("acting", "delay", "order", "gain")  # what a reader asks for first
    found = {f.name: f.default for f in fields(cls) if f.name not in kept} if cls else {}
    return {k: list(v) if isinstance(v, tuple) else v for k, v in found.items()}


def _flatten(table: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    found: dict[str, Any] = {}
    for k, v in table.items():
        found |= _flatten(v, f"{before}{k}.") if isinstance(v, Mapping) else {f"{before}{k}": v}
    return found


def _limit(bound: Any, unit: str) -> str:
    """Write a limit in the unit of its signal."""
    if isinstance(bound, list):
        return " to ".join(_value(float(b), unit) for b in bound)
    return f"± {_value(float(bound), unit)}"


def _value(value: Any, unit: str) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return readable_value(value, unit) if unit else f"{value:g}"
    if isinstance(value, list):
        if len(value) == 1:
            return _value(value[0], unit)
        text = ", ".join(_value(v, unit) for v in value)
        text = f"[{text}]"
    elif isinstance(value, Mapping):
        text = ", ".join(f"{k} {_value(v, MATRICES.get(k, ''))}" for k, v in value.items())
    else:
        text = Path(str(value)).name.replace("_", " ")
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."
