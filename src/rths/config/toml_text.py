"""TOML as text: writing a plan's table, and finding the line of a field."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any


def toml_text(table: Mapping[str, Any]) -> str:
    """Write a table of plain values, tables and lists of tables."""
    lines = [f"{key} = {_value(v)}" for key, v in table.items() if not _is_table(v)]
    for key, value in table.items():
        if not _is_table(value):
            continue
        for item in value if isinstance(value, list) else [value]:
            lines += ["", f"[[{key}]]" if isinstance(value, list) else f"[{key}]"]
            lines += [f"{_key(k)} = {_value(v)}" for k, v in item.items()]
    return "\n".join(lines) + "\n"


def _is_table(value: Any) -> bool:
    return isinstance(value, Mapping) or (
        isinstance(value, list) and bool(value) and isinstance(value[0], Mapping)
    )


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _quote(name)


def _quote(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(value: Any) -> str:
    if hasattr(value, "tolist"):  # of numpy, whose numbers are written with their type
        value = value.tolist()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, str):
        return _quote(value)
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(k)} = {_value(v)}" for k, v in value.items()) + " }"
    return "[" + ", ".join(_value(v) for v in value) + "]"


def line_of(text: str, field: str) -> int | None:
    """Find the line that holds a field such as ``compensator[1].delay``, or its table."""
    place = re.match(r"([\w-]+)(?:\[(\d+)\])?\.?(.*)", field)
    if place is None:
        return None
    table, index, name = place[1], int(place[2] or 0), place[3]
    wanted = {name, name.partition(".")[0].partition("[")[0], name.partition("[")[0]}
    here, seen, found = "", -1, None
    for number, line in enumerate(text.splitlines(), 1):
        head = re.match(r"\s*\[\[?\s*([\w-]+)", line)
        if head:
            here = head[1]
            seen += here == table
            if here == table and seen <= index:
                found = number
            continue
        key = re.match(r'\s*"?([\w.\[\]-]+?)"?\s*=', line)
        if key is None:
            continue
        inside = here == table and seen == index and bool(wanted & {key[1], key[1].split(".")[0]})
        outside = not here and key[1].split(".")[0] == table
        if inside or outside:
            return number
    return found
