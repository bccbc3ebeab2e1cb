"""Frozen, validated descriptions: the fields of one table of a plan.

``@describe`` makes a pydantic dataclass whose errors are ours: one message that names the field,
the value and the remedy, whether the description comes from a plan or from Python.
"""

from __future__ import annotations

import sys
from dataclasses import fields
from functools import wraps
from pathlib import Path
from types import UnionType
from typing import Any, TypeVar, Union, dataclass_transform, get_origin, get_type_hints

from pydantic import ConfigDict, ValidationError
from pydantic.dataclasses import dataclass

from rths.errors import InputError, suggest
from rths.field_type import describe_type, field_type

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
    context = first.get("ctx", {})
    place = ".".join(str(part) for part in first["loc"]) or "value"
    name = place.split(".")[0]
    if get_origin(get_type_hints(cls).get(name)) in (Union, UnionType):
        place = name  # which of several types it might have been is pydantic's matter
    field = f"{owner(cls)}.{place}"
    known = [f.name for f in fields(cls)]
    wanted = describe_type(field_type(cls, name))
    if first["type"] in ("missing", "missing_argument"):
        return InputError(field, None, "is required", f"Add {name} = {wanted}.")
    if first["type"] == "unexpected_keyword_argument":
        kind = getattr(cls, "kind", cls.__name__)
        remedy = f"{suggest(name, known)}{kind} takes: {', '.join(known) or 'nothing'}."
        return InputError(field, first["input"], "is not a field", remedy)
    if first["type"] == "quantity":
        return InputError(field, first["input"], context["problem"], context["remedy"])
    problem = str(context.get("error", first["msg"])).rstrip(".")
    problem = problem[0].lower() + problem[1:]
    return InputError(field, first["input"], problem, f"Give {wanted}.")
