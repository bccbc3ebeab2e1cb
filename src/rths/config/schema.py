"""JSON Schema of a plan (draft 2020-12), so that editors complete and check while one writes.

Every kind is one alternative of its role, told apart by ``kind``; a class of one's own is the
alternative whose kind has a colon. The range of a number is that of its type (``rths.quantity``).
"""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter

from rths.assembly.hybrid_test import CHANNEL_ROLES, EVERYTHING, HybridTest
from rths.assembly.safety import Safety
from rths.config.documentation import (
    REQUIRED,
    WITH_KINDS,
    FieldText,
    KindText,
    clock_text,
    kind_text,
    rig_text,
    safety_text,
)
from rths.config.plan import OPTIONAL, OPTIONAL_WITH_COMMAND, RECOMMENDED
from rths.field_type import field_type
from rths.loop.port import NAME, declared_ports
from rths.registry import LIVE_ROLES, ROLES, find, kinds
from rths.safety.rig_file import RigFile

DRAFT = "https://json-schema.org/draft/2020-12/schema"
SIGNAL = rf"^{NAME}(\.{NAME})*(\[[0-9]+\])?$"
"""A signal, or one element of it."""
OWN = {
    "type": "object",
    "description": "A class of your own: module:Class or file.py:Class.",
    "properties": {"kind": {"type": "string", "pattern": ":"}},
    "required": ["kind"],
}


def schema() -> dict[str, Any]:
    """Give the schema of a whole plan."""
    properties: dict[str, Any] = {
        "name": {"type": "string", "description": "What the test is called."},
        "seed": {"type": "integer", "minimum": 0, "description": "Seed of all random numbers."},
        "clock": _clock(),
    }
    definitions = {role: _role(role) for role in WITH_KINDS}
    for role in (*ROLES, *LIVE_ROLES):
        one: dict[str, Any] = {"$ref": f"#/$defs/{role}"}
        each = {"type": "array", "items": one, "minItems": 1}
        properties[role] = {"anyOf": [one, each]} if role in CHANNEL_ROLES else one
    properties["rig"] = _table(rig_text(), RigFile)
    properties["limits"] = {
        "type": "object",
        "description": "Signals and the bounds that stop the test.",
    }
    properties["safety"] = _table(safety_text(), Safety)
    properties["guard"] = {"type": "array", "items": {"$ref": "#/$defs/guard"}}
    properties["record"] = {
        "type": "object",
        "properties": {"signals": {"type": "array", "items": _signal()}},
        "additionalProperties": False,
    }
    return {
        "$schema": DRAFT,
        "title": "Plan of a real-time hybrid simulation",
        "type": "object",
        "properties": properties,
        "required": ["clock", *(r for r in ROLES if r not in (*OPTIONAL, *OPTIONAL_WITH_COMMAND))],
        "anyOf": [_acts_as_command(), {"required": list(OPTIONAL_WITH_COMMAND)}],
        "additionalProperties": False,
        "$defs": definitions,
    }


def _acts_as_command() -> dict[str, Any]:
    """Give the schema of a plan whose excitation is a command, by what it says or by its kind."""
    by_kind = [k for k in kinds("excitation") if find("excitation", k).acting == "command"]
    says = {"properties": {"acting": {"const": "command"}}, "required": ["acting"]}
    is_one = {"properties": {"kind": {"enum": by_kind}}, "required": ["kind"]}
    return {"properties": {"excitation": {"anyOf": [says, is_one]}}}


def _signal() -> dict[str, Any]:
    """Give the schema of a signal's name: those that are known, or an element or one's own."""
    known = [
        f"{role}.{port.name}"
        for role in WITH_KINDS
        for kind in kinds(role)
        for port in declared_ports(find(role, kind))
    ]
    names = list(dict.fromkeys([*EVERYTHING, *known]))
    return {"anyOf": [{"enum": names}, {"type": "string", "pattern": SIGNAL}]}


def _clock() -> dict[str, Any]:
    """Give the schema of [clock]: fields of the test that stand in a table of their own."""
    text = clock_text()
    properties = {
        f.name: _field(TypeAdapter(field_type(HybridTest, f.name)).json_schema(), f, {})
        for f in text.fields
    }
    required = [f.name for f in text.fields if f.default == REQUIRED]
    return _object(text, properties, required)


def _role(role: str) -> dict[str, Any]:
    return {"oneOf": [*(_kind(role, kind) for kind in kinds(role)), OWN]}


def _kind(role: str, kind: str) -> dict[str, Any]:
    text = kind_text(role, kind)
    made = _table(text, find(role, kind))
    named = {"kind": {"const": kind, "description": text.summary}}
    made["properties"] = named | made["properties"]
    if RECOMMENDED.get(role) != kind:
        made["required"] = ["kind", *made["required"]]
    return made


def _table(text: KindText, cls: type[Any]) -> dict[str, Any]:
    """Give the schema of a table with the fields of a class."""
    own = TypeAdapter(cls).json_schema()
    shared = own.get("$defs", {})
    properties = {f.name: _field(own["properties"][f.name], f, shared) for f in text.fields}
    return _object(text, properties, list(own.get("required", [])))


def _object(text: KindText, properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
    """Give the schema of a table that takes these fields and no others."""
    return {
        "type": "object",
        "title": f"{text.role}.{text.kind}".rstrip("."),
        "description": text.sentence,
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


def _field(given: dict[str, Any], text: FieldText, shared: dict[str, Any]) -> dict[str, Any]:
    """Complete pydantic's schema of a field, which has the range, by meaning and unit."""
    kept = {k: v for k, v in given.items() if k not in ("title", "description")}
    found: dict[str, Any] = _resolve(kept, shared)
    unit = f" Unit: {text.unit}." if text.unit else ""
    found["description"] = f"{text.meaning}{unit}".strip()
    return found


def _resolve(part: Any, shared: dict[str, Any]) -> Any:
    """Put what is referred to in its place, and leave out what is only for Python."""
    if isinstance(part, list):
        return [_resolve(p, shared) for p in part]
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        return _resolve(shared[part["$ref"].rpartition("/")[2]], shared)
    return {k: _resolve(v, shared) for k, v in part.items()}
