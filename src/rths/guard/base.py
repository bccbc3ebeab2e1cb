"""What every guard has: signals it watches, a value made of them, and two levels for the value.

    level = 2 (trip) if the value is outside its trip bounds or not a number,                 (1)
            1 (warn) if it is outside its warn bounds, else 0

A guard is a block of the loop like any other. What it watches decides when it looks: at targets and
commands before a command leaves, at everything else as soon as it is measured.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import isnan
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import field_validator

from rths.description import describe
from rths.errors import InputError
from rths.loop.block import FINITE, Block, Vector
from rths.loop.port import NAME
from rths.quantity import check_numbers
from rths.registry import register
from rths.safety.bounds import BOUNDS
from rths.site import Site

if TYPE_CHECKING:
    from rths.guard._rehearsal import Rehearsal, Suggestion

__all__ = ["BOUNDS", "Bound", "Guard", "describe", "judge", "register"]

Bound = float | tuple[float, float]
"""A number for plus and minus, or (low, high)."""


def judge(value: float, p: Vector, y: Vector) -> None:
    """Write level (1) and value; p begins with BOUNDS."""
    y[1] = value
    y[0] = 0.0
    if not (p[BOUNDS.trip_low] <= value <= p[BOUNDS.trip_high]):
        y[0] = 2.0
    elif not (p[BOUNDS.warn_low] <= value <= p[BOUNDS.warn_high]):
        y[0] = 1.0


@describe
class Guard:
    """Base of all guards: one block for each channel of the signal it watches."""

    role: ClassVar[str] = "guard"
    kind: ClassVar[str]
    example: ClassVar[Mapping[str, Any]]
    """Fields of a working member: what tests, benches and ``rths explain`` take."""
    derivative: ClassVar[int | None] = None
    """Which derivative of the first signal its value is: 0 the signal itself, 1 its velocity, 2 its
    acceleration, None anything else. If it is one, ``trip`` stays within what the rig may do."""
    one_sided: ClassVar[bool] = False
    """Whether only values above the bounds count."""
    watches_supervisor: ClassVar[bool] = False
    """Whether it trips on a silent supervisor: the one that is always there is then left out."""
    joint: ClassVar[bool] = False
    """Whether one block watches all channels of the signal together."""
    levels: ClassVar[bool] = True
    """Whether it is of no use without a level to warn or to trip."""
    unsuggested: ClassVar[str] = ""
    """What whoever asks for guards must know if none of the kind is suggested."""

    name: str = ""
    """What it is called in a trip and in the record; its kind if not given."""
    warn: Bound | None = None
    """Bound from which on it warns: a number for plus and minus, or [low, high]."""
    trip: Bound | None = None
    """Bound beyond which it trips; without one it trips only on what is not finite."""

    def __init_subclass__(cls, **given: Any) -> None:
        """Let a kind with its own block bound what it declares itself, not what it inherits."""
        super().__init_subclass__(**given)
        if "block" in vars(cls) and "derivative" not in vars(cls):
            cls.derivative = None

    @field_validator("warn", "trip", mode="before")
    @classmethod
    def _check_type(cls, value: Any) -> Any:
        return check_numbers(value, "Give a number, or [low, high].")

    @property
    def watches(self) -> tuple[str, ...]:
        """Name the signals it reads, the one it is about first."""
        raise NotImplementedError

    @property
    def bounds(self) -> dict[str, float]:
        """Give the bounds by their names in BOUNDS."""
        low, high = self._pair("trip", self.trip)
        warn_low, warn_high = self._pair("warn", self.warn)
        return {"warn_low": warn_low, "warn_high": warn_high, "trip_low": low, "trip_high": high}

    def _pair(self, field: str, bound: Bound | None) -> tuple[float, float]:
        if bound is None:
            return -FINITE, FINITE
        low, high = bound if isinstance(bound, tuple) else (-abs(bound), abs(bound))
        if isnan(low) or isnan(high) or not low <= high:
            remedy = "Give a number of 0 or more, or [low, high]."
            raise InputError(f"guard.{field}", bound, "leaves nothing allowed", remedy)
        return (-FINITE if self.one_sided else max(low, -FINITE)), min(high, FINITE)

    def __post_init__(self) -> None:
        """Check levels and name."""
        if self.name and not re.fullmatch(NAME, self.name):
            remedy = "Use letters of the English alphabet, digits and _."
            raise InputError("guard.name", self.name, "cannot be the name of a signal", remedy)
        warn_low, warn_high, low, high = self.bounds.values()
        ours = ":" not in getattr(self, "kind", ":")  # one of one's own may have its own levels
        if ours and self.levels and self.warn is None and self.trip is None:
            remedy = "Give the level from which on it warns (warn), trips (trip), or both."
            raise InputError("guard.trip", None, "is missing, and so is warn", remedy)
        if self.warn is not None and not (low <= warn_low and warn_high <= high):
            problem = f"is beyond the level that trips, {low:g} to {high:g}"
            raise InputError("guard.warn", self.warn, problem, "Warn before it trips.")

    @classmethod
    def suggest(cls, seen: Rehearsal) -> tuple[Suggestion, ...]:
        """Suggest such guards from rehearsals in good order; none if they tell nothing."""
        return ()

    def block(self, site: Site) -> Block:
        """Yield the block watched signals -> level, value."""
        raise NotImplementedError
