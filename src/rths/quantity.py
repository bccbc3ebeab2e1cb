"""SI quantities: the type of a field names its unit, checks its range and says what is wanted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import isfinite
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, GetCoreSchemaHandler
from pydantic_core import PydanticCustomError
from pydantic_core.core_schema import (
    no_info_after_validator_function,
    no_info_before_validator_function,
)


@dataclass(frozen=True)
class Requirement:
    """What a field of this type is, in words: its unit and its range, and the test of the range."""

    unit: str
    text: str
    test: Callable[[Any], bool] | None = None

    @property
    def sentence(self) -> str:
        """Say what to give."""
        return self.text if self.unit in ("", "1", "SI") else f"{self.text}, in {self.unit}"

    def check(self, value: Any) -> Any:
        """Refuse a value that is not finite or out of range."""
        if self.test is not None and not (isfinite(value) and self.test(value)):
            raise refuse(f"must be {self.sentence}", f"Give {self.sentence}.")
        return value

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> Any:
        inner = no_info_before_validator_function(self._refuse_truth, handler(source))
        return no_info_after_validator_function(self.check, inner)

    def _refuse_truth(self, value: Any) -> Any:
        """Refuse true and false, which Python counts as 1 and 0."""
        if isinstance(value, bool) and self.test is not None:
            raise refuse("is true or false, not a number", f"Give {self.sentence}.")
        return value


@dataclass(frozen=True)
class BesidePlan:
    """Marks a field that may name a file beside the plan."""


def refuse(problem: str, remedy: str) -> PydanticCustomError:
    """Build the error of a validator: what is wrong, and what to do about it."""
    return PydanticCustomError("quantity", "{problem}", {"problem": problem, "remedy": remedy})


def _delay(value: float) -> float:
    if value > 1.0:
        raise refuse(
            "is longer than any actuator's delay",
            f"Delays are in seconds: {value:g} ms is written {value / 1000:g}.",
        )
    return value


Real = Annotated[float, Requirement("1", "a finite number", lambda v: True)]
Ratio = Annotated[float, Requirement("1", "a number from 0 to 1", lambda v: 0 <= v <= 1)]
Positive = Annotated[float, Requirement("1", "a number above 0", lambda v: v > 0)]
NonNegative = Annotated[float, Requirement("1", "a number of 0 or more", lambda v: v >= 0)]
AtLeastOne = Annotated[float, Requirement("1", "a number of 1 or more", lambda v: v >= 1)]
Seconds = Annotated[float, Requirement("s", "a time of 0 or more", lambda v: v >= 0)]
Duration = Annotated[float, Requirement("s", "a time above 0", lambda v: v > 0)]
Hertz = Annotated[float, Requirement("Hz", "a frequency above 0", lambda v: v > 0)]
Metres = Annotated[float, Requirement("m", "a length", lambda v: True)]
NonNegativeMetres = Annotated[float, Requirement("m", "a length of 0 or more", lambda v: v >= 0)]
PositiveMetres = Annotated[float, Requirement("m", "a length above 0", lambda v: v > 0)]
Amplitude = Annotated[
    float, Requirement("m, m/s² or N", "an amplitude of 0 or more", lambda v: v >= 0)
]
MetresPerSecond = Annotated[float, Requirement("m/s", "a velocity", lambda v: True)]
PositiveMetresPerSecond = Annotated[
    float, Requirement("m/s", "a velocity above 0", lambda v: v > 0)
]
PositiveNewtons = Annotated[float, Requirement("N", "a force above 0", lambda v: v > 0)]
Newtons = Annotated[float, Requirement("N", "a force of 0 or more", lambda v: v >= 0)]
NewtonsPerMetre = Annotated[float, Requirement("N/m", "a stiffness of 0 or more", lambda v: v >= 0)]
PositiveNewtonsPerMetre = Annotated[
    float, Requirement("N/m", "a stiffness above 0", lambda v: v > 0)
]
NewtonSecondsPerMetre = Annotated[
    float, Requirement("N s/m", "a damping coefficient of 0 or more", lambda v: v >= 0)
]
SquareMetres = Annotated[float, Requirement("m²", "an area above 0", lambda v: v > 0)]
CubicMetres = Annotated[float, Requirement("m³", "a volume above 0", lambda v: v > 0)]
CubicMetresPerSecond = Annotated[float, Requirement("m³/s", "a flow above 0", lambda v: v > 0)]
Pascals = Annotated[float, Requirement("Pa", "a pressure above 0", lambda v: v > 0)]
Kilograms = Annotated[float, Requirement("kg", "a mass above 0", lambda v: v > 0)]
DampingRatio = Annotated[
    float, Requirement("1", "a share of critical damping from 0 to below 1", lambda v: 0 <= v < 1)
]
Radians = Annotated[float, Requirement("rad", "an angle", lambda v: True)]
Delay = Annotated[Seconds, AfterValidator(_delay)]
Order = Annotated[int, Requirement("1", "a whole number from 0 to 20", lambda v: 0 <= v <= 20)]
Index = Annotated[int, Requirement("1", "a whole number from 0 on", lambda v: v >= 0)]
Count = Annotated[int, Requirement("1", "a whole number from 1 on", lambda v: v >= 1)]


def _as_vector(value: Any) -> Any:
    return (value,) if isinstance(value, int | float) else value


def _as_matrix(value: Any) -> Any:
    if isinstance(value, int | float):
        return ((value,),)
    tolist = getattr(value, "tolist", None)
    return tolist() if tolist is not None else value


def _check_rectangular(value: tuple[tuple[float, ...], ...]) -> tuple[tuple[float, ...], ...]:
    widths = {len(row) for row in value}
    if not value or len(widths) != 1 or 0 in widths:
        raise refuse(
            f"has rows of length {sorted(widths)}", "Give every row the same number of entries."
        )
    if not all(isfinite(v) for row in value for v in row):
        raise refuse("has an entry that is not finite", "Give finite numbers only.")
    return value


def _finite(value: tuple[float, ...]) -> tuple[float, ...]:
    if not value or not all(isfinite(v) for v in value):
        raise refuse("has an entry that is not finite, or none at all", "Give finite numbers.")
    return value


Matrix = Annotated[
    tuple[tuple[float, ...], ...],
    BeforeValidator(_as_matrix),
    AfterValidator(_check_rectangular),
    Requirement("SI", "a number or a list of rows"),
]
RealVector = Annotated[
    tuple[float, ...],
    BeforeValidator(lambda v: _as_matrix(_as_vector(v))),
    AfterValidator(_finite),
    Requirement("SI", "a number or a list of numbers"),
]
