"""What a record tells beside its signals, as JSON: its end, versions, events, machine and rig.

What is read is checked: a record that somebody sends is data like any other.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import Any

from pydantic import TypeAdapter

from rths.loop.stop import Stop
from rths.records.trail import Event


@dataclass(frozen=True)
class Allowance:
    """One thing that was asked of the machine."""

    granted: bool
    words: str


FORMS: dict[str, Any] = {
    "versions": dict[str, str],
    "events": list[Event],
    "machine": list[Allowance],
    "rig": dict[str, Any],
}
"""What each of them must at least hold."""


@cache
def _adapter(name: str) -> TypeAdapter[Any]:
    """Make what checks one of them when it is first read: a run that only writes needs none."""
    return TypeAdapter(Stop if name == "stop" else FORMS[name])


def parse_json(text: Any) -> Any:
    """Read JSON; ValueError if it is none, also one of too many brackets."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deep") from None


def read_detail(name: str, text: Any) -> Any:
    """Read one of them."""
    value = parse_json(text)
    _adapter(name).validate_python(value)
    return value


def read_stop(text: Any) -> Stop | str:
    """Read how a run ended, or the words of an end that nobody could describe."""
    told = parse_json(text or "{}")
    if isinstance(told, dict) and "reason" in told:
        stop: Stop = _adapter("stop").validate_python(told)
        return stop
    return str(told.get("message", "")) if isinstance(told, dict) else ""
