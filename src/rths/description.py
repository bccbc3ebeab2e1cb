"""Frozen, validated descriptions: the fields of one table of a plan.

``@describe`` makes a pydantic dataclass whose errors are ours: one message that names the field,
the value and the remedy, whether the description comes from a plan or from Python.
"""

from __future__ import annotations

import difflib
import sys
from dataclasses import fields
from functools import wraps
from pathlib import Path
from types import NoneType, UnionType
from typing import (
    Any,
    Literal,
    TypeVar,
    Union,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

from pydantic import ConfigDict, ValidationError
from pydantic.dataclasses import dataclass

from rths.errors import InputError
from rths.quantity import Requirement

T = TypeVar("T")
_CONFIG = ConfigDict(extra="forbid", ser_json_inf_nan="strings")


@dataclass_transform(frozen_default=True, kw_only_default=True)
def describe(cls: type[T]) -> type[T]:
    """Make a class a frozen, validated description."""
    made = dataclass(frozen=True, kw_only=True, config=_CONFIG)(cls)
    validate = made.__init__

    @wraps(validate)
    def initialise(self: Any, *args: Any, **kwargs: Any) -> None:
        try:
            validate(self, *args, **kwargs)
        except ValidationError as error:
            raise translate_error(made, error) from None

    made.__init__ = initialise  # type: ignore[method-assign]
    if not made.__module__.startswith("rths."):  # a user's own: named as in a plan
        made.kind = f"{_module(made)}:{made.__name__}"  # type: ignore[attr-defined]
    return made  # type: ignore[return-value]


def _module(cls: type[Any]) -> str:
    """Name the module of a class as a plan beside it would."""
    name = cls.__module__
    file = getattr(sys.modules.get("__main__"), "__file__", None)
    return Path(file).stem if name == "__main__" and file else name


def field_requirement(cls: type[Any], field: str) -> str:
    """Say what a field takes, from the type it is declared with."""
    hint = get_type_hints(cls, include_extras=True).get(field)
    return _type_requirement(hint) or "a value of the documented type"


def _type_requirement(hint: Any) -> str:
    """Say what a type takes; of one that may be left out, what stands if it is not."""
    found = next((m for m in getattr(hint, "__metadata__", ()) if isinstance(m, Requirement)), None)
    if found:
        return found.sentence
    if get_origin(hint) is Literal:
        return " or ".join(f'"{v}"' if isinstance(v, str) else str(v) for v in get_args(hint))
    if get_origin(hint) is tuple and get_args(hint) == (float, float):
        return "[low, high]"
    if get_origin(hint) in (Union, UnionType):
        parts = [_type_requirement(part) for part in get_args(hint) if part is not NoneType]
        return ", or ".join(parts) if all(parts) else ""
    plain = {str: "a text in quotes", bool: "true or false", float: "a number"}
    return plain.get(hint, "") if isinstance(hint, type) else ""


def owner(cls: type[Any]) -> str:
    """Name the table a description belongs to, as in ``compensator.polynomial``."""
    role, kind = getattr(cls, "role", None), getattr(cls, "kind", cls.__name__)
    return str(role) if role else str(kind)


def translate_error(cls: type[Any], error: ValidationError) -> InputError:
    """Turn the first complaint of pydantic into our one clear message."""
    found = error.errors(include_url=False)
    own = next((e for e in found if isinstance(e.get("ctx", {}).get("error"), InputError)), None)
    if own is not None:
        raised: InputError = own["ctx"]["error"]
        return raised
    stray = next((e["ctx"]["error"] for e in found if e["type"] == "value_error"), None)
    if stray is not None and not found[0]["loc"]:
        raise stray  # from our own checks, not from the user's values
    first = next((e for e in found if e["type"] == "unexpected_keyword_argument"), found[0])
    place = ".".join(str(part) for part in first["loc"]) or "value"
    name = place.split(".")[0]
    if get_origin(get_type_hints(cls).get(name)) in (Union, UnionType):
        place = name  # which of several types it might have been is pydantic's matter
    field = f"{owner(cls)}.{place}"
    known = [f.name for f in fields(cls)]
    if first["type"] in ("missing", "missing_argument"):
        return InputError(
            field, None, "is required", f"Add {name} = {field_requirement(cls, name)}."
        )
    if first["type"] == "unexpected_keyword_argument":
        close = difflib.get_close_matches(name, known, 1)
        hint = f"Did you mean {close[0]!r}? " if close else ""
        kind = getattr(cls, "kind", cls.__name__)
        remedy = f"{hint}{kind} takes: {', '.join(known) or 'nothing'}."
        return InputError(field, first["input"], "is not a field", remedy)
    if first["type"] == "quantity":
        context = first.get("ctx", {})
        return InputError(field, first["input"], context["problem"], context["remedy"])
    problem = first["msg"].removeprefix("Value error, ").rstrip(".")
    problem = problem[0].lower() + problem[1:]
    return InputError(field, first["input"], problem, f"Give {field_requirement(cls, name)}.")
