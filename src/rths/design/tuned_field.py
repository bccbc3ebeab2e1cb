"""A field of a compensator that can be tuned: where it starts, how far it may go, what else it is.

    v = v_0 exp(z),   |z| <= ln(span), and v in the range of the field's type                  (1)

What a field is, its type says: a number with a unit and a range, one of some words, a whole number,
a list of numbers. Where it starts follows from its unit and the rig: a field that a kind asks for,
in seconds, is as many delays of the rig as its example has usual delays, and the inverse of an
actuator is that of its example stretched in time. What a kind has a value for starts there. Fields
that are zero, text or tables are left as they are. Actuators that differ have a compensator each,
from their own sizes; z of a field is the same for all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import MISSING, dataclass, fields
from math import exp, inf, log
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

from rths.design.known_rig import USUAL_DELAY, KnownRig
from rths.field_type import field_type, find_requirement
from rths.quantity import Range

NEAR, WIDE, OPEN = 4.0, 30.0, 1000.0
"""Span of (1): of a time that comes from the rig, of any other number, and of one without a unit
that a kind asks for, whose size nothing tells."""
EDGE = 1e-6
"""Share by which an end stays away from the end of an open range."""
FEW = 4
"""Factor on the natural size of a number that may be left out, for a second try."""
DIGITS = 5
"""Digits of a value that is tried: more than a rig is known to, and a plan is read with ease."""


@dataclass(frozen=True)
class TunedNumber:
    """A number, or one number of a list, and its ends."""

    name: str
    start: float
    low: float
    high: float
    index: int | None = None
    """Place in a list; None if the field is a number."""
    asked: bool = False
    """Whether the kind asks for it."""

    @property
    def ends(self) -> tuple[float, float]:
        """Ends of z in (1)."""
        return log(self.low / self.start), log(self.high / self.start)

    def value_at(self, z: float) -> float:
        """Give (1)."""
        if z == 0.0:
            return self.start
        v = self.start * exp(z)
        return min(max(float(f"{v:.{DIGITS}g}"), self.low), self.high)


@dataclass(frozen=True)
class TunedTogether:
    """The same number of the compensator of each actuator, all changed by the same factor."""

    each: tuple[TunedNumber, ...]

    @property
    def asked(self) -> bool:
        """Whether the kind asks for it."""
        return self.each[0].asked

    @property
    def ends(self) -> tuple[float, float]:
        """Ends of z in (1) that none of them exceeds."""
        lows, highs = zip(*(n.ends for n in self.each), strict=True)
        return max(lows), min(highs)


@dataclass(frozen=True)
class Choice:
    """A field with a few values: words, yes or no, a whole number or none at all."""

    name: str
    values: tuple[Any, ...]


def natural_size(unit: str, rig: KnownRig) -> float | None:
    """Give the size that a number of a unit has at a rig, None if there is none."""
    return {
        "s": rig.delay,
        "Hz": 10.0 * rig.frequency,
        "N/m": rig.stiffness,
        "N s/m": rig.stiffness * rig.delay,
        "m": 0.01 * rig.motion,
        "SI": rig.stiffness,
    }.get(unit)


def start_fields(cls: type[Any], rig: KnownRig) -> dict[str, Any]:
    """Give the fields that a kind asks for, from its example, at the size of a rig."""
    found: dict[str, Any] = {}
    for name, given in cls.example.items():
        asked = find_requirement(field_type(cls, name))
        unit = asked.unit if asked is not None else ""
        if unit == "s":
            found[name] = given / USUAL_DELAY * rig.delay
        elif cls.model_order is not None and isinstance(given, list | tuple):
            found[name] = [a * (rig.delay / USUAL_DELAY) ** i for i, a in enumerate(given)]
        elif isinstance(given, float) and (size := natural_size(unit, rig)) is not None:
            found[name] = size
        else:
            found[name] = given
    return found


def tuned_numbers(made: Any, rig: KnownRig) -> list[TunedNumber]:
    """List what can be tuned of a compensator, what its kind asks for first."""
    found: list[TunedNumber] = []
    for f in fields(made):
        value, hint = getattr(made, f.name), field_type(type(made), f.name)
        asked = f.name in made.example or (f.default is MISSING and f.default_factory is MISSING)
        said = find_requirement(hint)
        if isinstance(value, tuple):
            found += _list_numbers(f.name, value, asked)
        elif isinstance(value, float) and isinstance(said, Range) and value > 0:
            found.append(_number(f.name, value, said, asked, rig))
    return sorted(found, key=lambda n: not n.asked)


def tuned_together(made: Sequence[Any], rigs: Sequence[KnownRig]) -> list[TunedTogether]:
    """List what all compensators have to be tuned, with the sizes of their actuators."""
    owners = rigs if len(rigs) == len(made) else [rigs[0]] * len(made)
    tables = [
        {(n.name, n.index): n for n in tuned_numbers(m, rig)}
        for m, rig in zip(made, owners, strict=True)
    ]
    keys = [key for key in tables[0] if all(key in table for table in tables)]
    return [TunedTogether(tuple(table[key] for table in tables)) for key in keys]


def _number(name: str, value: float, said: Range, asked: bool, rig: KnownRig) -> TunedNumber:
    timed = said.unit == "s" and asked
    span = NEAR if timed else OPEN if asked and said.unit == "1" else WIDE
    low, high = value / span, value * span
    size = natural_size(said.unit, rig)
    if size is not None:  # what is set for rigs of another size must come to this one
        low, high = min(low, size), max(high, size)
    inside = (1 + EDGE if said.open_low else 1.0), (1 - EDGE if said.open_high else 1.0)
    if said.low > 0:
        low = max(low, float(said.low) * inside[0])
    if said.high < inf:
        high = min(high, float(said.high) * inside[1])
    return TunedNumber(name, value, min(low, value), max(high, value), asked=asked)


def _list_numbers(name: str, value: tuple[Any, ...], asked: bool) -> list[TunedNumber]:
    """Tune each positive number of a list; rows are left as they are, but for a single number."""
    if len(value) == 1 and isinstance(value[0], tuple) and len(value[0]) == 1:
        v = float(value[0][0])
        return [TunedNumber(name, v, v / NEAR, v * NEAR, 0, asked)] if v > 0 else []
    if not all(isinstance(v, float) for v in value):
        return []
    return [
        TunedNumber(name, v, v / NEAR, v * NEAR, i, asked) for i, v in enumerate(value) if v > 0
    ]


def choices_of(made: Any, rig: KnownRig) -> list[Choice]:
    """List what is chosen rather than tuned, with the values beside the present one."""
    found = []
    for f in fields(made):
        value, hint = getattr(made, f.name), field_type(type(made), f.name)
        others = _other_values(value, hint, rig)
        if others:
            found.append(Choice(f.name, tuple(others)))
    return found


def _other_values(value: Any, hint: Any, rig: KnownRig) -> list[Any]:
    """Give values other than the present one; of a number that may be left out, its size."""
    if get_origin(hint) is Literal:
        return [v for v in get_args(hint) if v != value]
    if isinstance(value, bool):
        return [not value]
    said = find_requirement(hint)
    if not isinstance(said, Range):
        return []
    if isinstance(value, int) and said.whole:
        steps = {value - 1, value + 1, value // 2, value * 2} - {value}
        return sorted(v for v in steps if v in said and v > 0)
    optional = get_origin(hint) in (Union, UnionType) and type(None) in get_args(hint)
    size = natural_size(said.unit, rig)
    if value is None and optional and size is not None:
        return [v for v in (size, FEW * size) if v in said]
    return []
