"""What the type of a field says about itself: its unit, its range, and what to give, in words."""

from __future__ import annotations

from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from rths.quantity import Requirement

PLAIN = {
    str: "a text in quotes",
    bool: "true or false",
    int: "a whole number",
    float: "a number",
}
TABLE = "a table {kind = ...}"


def field_type(cls: type[Any], field: str) -> Any:
    """Give the type a field is declared with, None if there is no such field."""
    return get_type_hints(cls, include_extras=True).get(field)


def find_requirement(hint: Any) -> Requirement | None:
    """Find the unit and range of a type, also where it may be left out or stands in a list."""
    own = (m for m in getattr(hint, "__metadata__", ()) if isinstance(m, Requirement))
    inner = (found for part in get_args(hint) if (found := find_requirement(part)) is not None)
    return next(own, None) or next(inner, None)


def describe_type(hint: Any, with_unit: bool = True) -> str:
    """Say what a type takes; of one that may be left out, what stands if it is not."""
    for mark in getattr(hint, "__metadata__", ()):
        if isinstance(mark, Requirement):
            return mark.sentence if with_unit else mark.text
    origin, parts = get_origin(hint), [p for p in get_args(hint) if p is not NoneType]
    if origin is Literal:
        return " or ".join(f'"{v}"' if isinstance(v, str) else str(v) for v in parts)
    if origin is tuple and parts == [float, float]:
        return "[low, high]"
    if origin is tuple:
        each = describe_type(parts[0], with_unit)
        return f"a list, each {each}"
    if origin in (Union, UnionType):
        return ", or ".join(describe_type(p, with_unit) for p in parts)
    return PLAIN.get(hint, TABLE) if isinstance(hint, type) else TABLE
