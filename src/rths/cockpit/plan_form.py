"""The form of a plan: every table with its kinds, every field with unit, meaning and range.

It is made of what ``rths explain`` and ``rths schema`` say, so that there is one source of words.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from rths.assembly.hybrid_test import CHANNEL_ROLES
from rths.cockpit.packed import plain
from rths.config.documentation import WITH_KINDS, WITHOUT_KIND, KindText, kind_text
from rths.config.schema import schema as plan_schema
from rths.config.toml_mistake import parse_toml
from rths.registry import kinds

ORDER = (
    "clock", "excitation", "structure", "integrator", "compensator", "transfer", "specimen",
    "feedback", "hardware", "rig", "limits", "safety", "guard", "record",
)  # fmt: skip
RANGES = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "enum", "type")


def describe_form(text: str) -> dict[str, Any]:
    """Give the form with the values of a plan; kinds only of tables that the plan has."""
    values = parse_toml(text, Path("plan"))
    whole = _schema()
    tables = []
    for name in ORDER:
        if name not in values:
            continue
        given = values[name]
        items = given if isinstance(given, list) else [given]
        tables += [
            _table(name, item, k if isinstance(given, list) else None, whole)
            for k, item in enumerate(items)
            if isinstance(item, dict)
        ]
    missing = [n for n in ORDER if n not in values]
    return {"name": str(values.get("name", "")), "tables": plain(tables), "missing": missing}


@cache
def _schema() -> dict[str, Any]:
    return plan_schema()


def _table(name: str, given: dict[str, Any], index: int | None, whole: Any) -> dict[str, Any]:
    path = name if index is None else f"{name}[{index}]"
    told: dict[str, Any] = {"path": path, "table": name, "fields": []}
    if name in WITH_KINDS:
        known = kinds(name)
        kind = str(given.get("kind", ""))
        told |= {"kind": kind, "kinds": list(known), "several": name in CHANNEL_ROLES}
        if kind in known:
            text = kind_text(name, kind)
            alternatives = whole["$defs"][name]["oneOf"]
            ranges = next(
                a["properties"]
                for a in alternatives
                if a["properties"]["kind"].get("const") == kind
            )
            told |= {"sentence": text.sentence, "summary": text.summary}
            told["fields"] = _fields(path, text, given, ranges)
        else:
            told["sentence"] = "A block of your own: it runs only if its content is trusted."
            told["fields"] = _plain_fields(path, {k: v for k, v in given.items() if k != "kind"})
    elif name in WITHOUT_KIND:
        text = WITHOUT_KIND[name]()
        told["sentence"] = text.sentence
        told["fields"] = _fields(path, text, given, whole["properties"][name]["properties"])
    else:
        told["sentence"] = whole["properties"][name].get("description", "")
        told["fields"] = _plain_fields(path, _flatten(given))
    return told


def _fields(
    path: str, text: KindText, given: dict[str, Any], ranges: dict[str, Any]
) -> list[dict[str, Any]]:
    found = []
    for field in text.fields:
        about = ranges.get(field.name, {})
        found.append(
            {
                "path": f"{path}.{field.name}",
                "name": field.name,
                "unit": field.unit,
                "wanted": field.wanted,
                "default": field.default,
                "meaning": field.meaning,
                "given": field.name in given,
                "value": given.get(field.name),
                "range": {k: about[k] for k in RANGES if k in about},
            }
        )
    return found


def _plain_fields(path: str, given: dict[str, Any]) -> list[dict[str, Any]]:
    """Give the fields of a table that no schema describes one by one."""
    empty = {"unit": "", "wanted": "", "default": "", "meaning": "", "range": {}}
    return [
        {"path": f"{path}.{name}", "name": name, "value": value, "given": True, **empty}
        for name, value in given.items()
    ]


def _flatten(given: dict[str, Any], before: str = "") -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in given.items():
        if isinstance(value, dict):
            found |= _flatten(value, f"{before}{name}.")
        else:
            found[before + name] = value
    return found
