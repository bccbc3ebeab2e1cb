"""The JSON Schema of a model file, for editors and for whoever writes models by a program."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter

from rths.frame.element.description import ELEMENTS
from rths.frame.material.law import MATERIALS
from rths.frame.section.description import SECTIONS


def model_schema() -> dict[str, Any]:
    """Give the schema of a model file."""
    definitions: dict[str, Any] = {}
    three = _numbers(3)
    direction = {"enum": ["x", "y", "r"]}
    directions = {"type": "array", "items": direction, "minItems": 1}
    names = {"type": "array", "items": {"type": ["string", "integer"]}, "minItems": 2}
    words = {"enum": ["fixed", "pinned", "roller", "x", "y", "r", "xy", "xr", "yr", "xyr"]}
    tie = {
        "type": "object",
        "properties": {"nodes": names, "directions": {"anyOf": [words, directions]}},
        "required": ["nodes", "directions"],
        "additionalProperties": False,
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Planar frame of rths, all SI",
        "type": "object",
        "properties": {
            "$schema": {"type": "string"},
            "title": {"type": "string"},
            "nodes": _map(_numbers(2)),
            "supports": _map({"anyOf": [words, directions]}),
            "ties": {"type": "array", "items": tie},
            "masses": _map({"anyOf": [{"type": "number", "minimum": 0}, three]}),
            "loads": _map(three),
            "materials": _map(_choice(MATERIALS, definitions)),
            "sections": _map(_choice(SECTIONS, definitions)),
            "elements": _map(_choice(ELEMENTS, definitions)),
        },
        "required": ["nodes", "supports", "elements"],
        "additionalProperties": False,
        "$defs": definitions,
    }


def _numbers(count: int) -> dict[str, Any]:
    return {"type": "array", "items": {"type": "number"}, "minItems": count, "maxItems": count}


def _map(value: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": value}


def _choice(kinds: dict[str, type[Any]], definitions: dict[str, Any]) -> dict[str, Any]:
    """Give the schema of a part of any of some kinds."""
    choices = []
    for kind, cls in kinds.items():
        schema = TypeAdapter(cls).json_schema(ref_template="#/$defs/{model}")
        definitions.update(schema.pop("$defs", {}))
        schema["properties"] = {"kind": {"const": kind}, **schema["properties"]}
        schema["required"] = ["kind", *schema.get("required", [])]
        schema["additionalProperties"] = False
        choices.append(schema)
    return {"oneOf": choices}
