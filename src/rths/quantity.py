"""SI quantities: the type of a field names its unit, checks its range and says what is wanted.

A range is data. Its text, its check and its JSON Schema follow from the same two ends.
"""

from __future__ import annotations

import os
import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import inf, isfinite
from pathlib import Path
from sys import float_info
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BeforeValidator,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)
from pydantic_core import PydanticCustomError
from pydantic_core.core_schema import (
    no_info_after_validator_function,
    no_info_before_validator_function,
)

LARGEST = float_info.max
"""The largest finite number: a whole number beyond it is none that a test can count with."""
UNNAMED_UNITS = ("", "1", "SI")
"""Units that a text leaves out: no number, a ratio, and whatever the entries of a matrix have."""


@dataclass(frozen=True)
class PlanFile:
    """Marks a field that may name a file beside the plan."""

    endings: tuple[str, ...] = ()
    """Endings by which a file is known, and after which :name may say what is wanted of it; if
    there are none, a text may be something else, and is a file if there is one of this name."""

    @property
    def pattern(self) -> str:
        """What a text with one of the endings looks like."""
        known = "|".join(ending[1:] for ending in self.endings)
        return rf"^(.+\.(?:{known}))(:[^/:]+)?$"

    def split(self, text: str) -> tuple[str, str] | None:
        """Part the file from the rest, as in fe.mat and :M; None if the text is no file."""
        if not self.endings:
            return text, ""
        found = re.fullmatch(self.pattern[1:-1], text, re.IGNORECASE | re.DOTALL)
        return (found[1], found[2] or "") if found else None

    def place(self, text: str, folder: Path) -> str:
        """Give the text with the path of the file, which is looked for in a folder."""
        parted = self.split(text)
        if parted is None or not (self.endings or os.path.exists(folder / text)):
            return text
        return f"{folder / parted[0]}{parted[1]}"


class Requirement(ABC):
    """What a field of a type takes, in words."""

    unit: str

    @property
    @abstractmethod
    def text(self) -> str:
        """Say what to give, without its unit."""

    @property
    def shown_unit(self) -> str:
        """The unit as a text shows it; empty if there is none to show."""
        return "" if self.unit in UNNAMED_UNITS else self.unit

    @cached_property
    def sentence(self) -> str:
        """Say what to give, and in which unit; asked for at every value."""
        return f"{self.text}, in {self.shown_unit}" if self.shown_unit else self.text


@dataclass(frozen=True)
class Words(Requirement):
    """What a field takes that is no single number."""

    words: str
    unit: str = ""

    @property
    def text(self) -> str:
        """The words themselves."""
        return self.words


@dataclass(frozen=True)
class Numbers(Words):
    """A list of numbers, or of rows, for which a single number may stand."""

    unit: str = "SI"

    def __get_pydantic_json_schema__(self, core: Any, handler: GetJsonSchemaHandler) -> Any:
        return {"anyOf": [{"type": "number"}, handler(core)]}


@dataclass(frozen=True)
class NumbersOrFile(Numbers):
    """Rows, for which a single number or a file may stand."""

    file: PlanFile = PlanFile()

    def __get_pydantic_json_schema__(self, core: Any, handler: GetJsonSchemaHandler) -> Any:
        rows = next(s for s in handler(core)["anyOf"] if s.get("type") == "array")
        text = {"type": "string", "pattern": self.file.pattern}
        return {"anyOf": [{"type": "number"}, rows, text]}


@dataclass(frozen=True)
class UnitSlip:
    """What most likely happened to a value above the range: it was given in thousandths."""

    problem: str
    units: str
    """What such values are in, as in ``Delays are in seconds``."""
    thousandth: str
    """The unit it was given in."""

    def refuse(self, value: float) -> PydanticCustomError:
        """Build the error that says how the value is written in SI."""
        written = f"{value:g} {self.thousandth} is written {value / 1000:g}"
        return refuse(self.problem, f"{self.units}: {written}.")


@dataclass(frozen=True)
class Range(Requirement):
    """Finite numbers between two ends, each of which belongs to them or not.

    low <= v <= high,   with < for an end that is open                                        (1)
    """

    unit: str = "1"
    noun: str = "a number"
    """What such a number is, as in ``a time``."""
    low: float | Fraction = -inf
    high: float | Fraction = inf
    open_low: bool = False
    open_high: bool = False
    whole: bool = False
    """Whether only whole numbers belong to it."""
    remark: str = ""
    """What the text says after the range."""
    above: UnitSlip | None = None
    """What most likely happened to a finite value above the range."""

    def __contains__(self, value: float) -> bool:
        """Tell whether a value fulfils (1)."""
        after_low = self.low < value if self.open_low else self.low <= value
        before_high = value < self.high if self.open_high else value <= self.high
        if not (after_low and before_high and abs(value) <= LARGEST):
            return False
        return not self.whole or value == int(value)

    @property
    def text(self) -> str:
        """Say the range, as in ``a time above 0``."""
        ends = " ".join(part for part in (self.noun, self._ends()) if part)
        return f"{ends}, {self.remark}" if self.remark else ends

    def _ends(self) -> str:
        low, high = _end_text(self.low), _end_text(self.high)
        if self.low == -inf and self.high == inf:
            return ""
        if self.low == -inf:
            return f"below {high}" if self.open_high else f"of at most {high}"
        if self.high == inf:
            closed = f"from {low} on" if self.whole else f"of {low} or more"
            return f"above {low}" if self.open_low else closed
        begin = f"above {low}" if self.open_low else f"from {low}"
        return f"{begin} to below {high}" if self.open_high else f"{begin} to {high}"

    def check(self, value: Any) -> Any:
        """Refuse a value that is not finite or outside of the range."""
        if value in self:
            return value
        if self.above is not None and self.high < value < inf:
            raise self.above.refuse(value)
        raise refuse(f"must be {self.sentence}", f"Give {self.sentence}.")

    def bounds(self) -> dict[str, float]:
        """Give the range in the words of JSON Schema."""
        named = {
            "exclusiveMinimum" if self.open_low else "minimum": self.low,
            "exclusiveMaximum" if self.open_high else "maximum": self.high,
        }
        return {name: _json_number(end) for name, end in named.items() if isfinite(end)}

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> Any:
        inner = no_info_before_validator_function(self._check_type, handler(source))
        return no_info_after_validator_function(self.check, inner)

    def __get_pydantic_json_schema__(self, core: Any, handler: GetJsonSchemaHandler) -> Any:
        return {**handler(core), **self.bounds()}

    def _check_type(self, value: Any) -> Any:
        """Refuse what is no number, before its range is looked at."""
        return check_numbers(value, f"Give {self.sentence}.")


def _end_text(end: float | Fraction) -> str:
    return str(end) if isinstance(end, Fraction) else f"{end:g}"


def _json_number(end: float | Fraction) -> float:
    """Give an end as JSON writes it: whole numbers without a point."""
    return int(end) if end == int(end) else float(end)


def refuse(problem: str, remedy: str) -> PydanticCustomError:
    """Build the error of a validator: what is wrong, and what to do about it."""
    return PydanticCustomError("quantity", "{problem}", {"problem": problem, "remedy": remedy})


LONGEST_DELAY = 1.0
"""No actuator is this late, s: servo-hydraulic ones lag by 5 to 30 ms. A larger value is in ms."""
IN_MILLISECONDS = UnitSlip("is longer than any actuator's delay", "Delays are in seconds", "ms")
HIGHEST_ORDER = 20
"""The weights of a prediction are then up to 3.5e5 (binomials of 21), and noise grows with them."""

Real = Annotated[float, Range(noun="a finite number")]
Ratio = Annotated[float, Range(low=0, high=1)]
Positive = Annotated[float, Range(low=0, open_low=True)]
NonNegative = Annotated[float, Range(low=0)]
AtLeastOne = Annotated[float, Range(low=1)]
Seconds = Annotated[float, Range("s", "a time", low=0)]
Duration = Annotated[float, Range("s", "a time", low=0, open_low=True)]
Delay = Annotated[float, Range("s", "a time", low=0, high=LONGEST_DELAY, above=IN_MILLISECONDS)]
Hertz = Annotated[float, Range("Hz", "a frequency", low=0, open_low=True)]
Metres = Annotated[float, Range("m", "a length")]
NonNegativeMetres = Annotated[float, Range("m", "a length", low=0)]
PositiveMetres = Annotated[float, Range("m", "a length", low=0, open_low=True)]
Amplitude = Annotated[float, Range("m, m/s² or N", "an amplitude", low=0)]
Acceleration = Annotated[float, Range("m/s²", "an acceleration", low=0)]
PositiveAcceleration = Annotated[float, Range("m/s²", "an acceleration", low=0, open_low=True)]
PositiveMetresPerSecond = Annotated[float, Range("m/s", "a velocity", low=0, open_low=True)]
PositiveNewtons = Annotated[float, Range("N", "a force", low=0, open_low=True)]
Newtons = Annotated[float, Range("N", "a force", low=0)]
NewtonsPerMetre = Annotated[float, Range("N/m", "a stiffness", low=0)]
PositiveNewtonsPerMetre = Annotated[float, Range("N/m", "a stiffness", low=0, open_low=True)]
NewtonSecondsPerMetre = Annotated[float, Range("N s/m", "a damping coefficient", low=0)]
SquareMetres = Annotated[float, Range("m²", "an area", low=0, open_low=True)]
CubicMetres = Annotated[float, Range("m³", "a volume", low=0, open_low=True)]
CubicMetresPerSecond = Annotated[float, Range("m³/s", "a flow", low=0, open_low=True)]
Pascals = Annotated[float, Range("Pa", "a pressure", low=0, open_low=True)]
Kilograms = Annotated[float, Range("kg", "a mass", low=0, open_low=True)]
DampingRatio = Annotated[
    float, Range("1", "a share of critical damping", low=0, high=1, open_high=True)
]
Radians = Annotated[float, Range("rad", "an angle")]
Order = Annotated[int, Range("1", "a whole number", low=0, high=HIGHEST_ORDER, whole=True)]
Index = Annotated[int, Range("1", "a whole number", low=0, whole=True)]
Count = Annotated[int, Range("1", "a whole number", low=1, whole=True)]


def check_numbers(value: Any, remedy: str = "Give numbers.") -> Any:
    """Refuse, in lists too, true and false, which Python counts as 1 and 0, and quoted numbers."""
    if isinstance(value, bool):
        raise refuse("is true or false, not a number", remedy)
    if isinstance(value, str):
        raise refuse("is text, not a number", remedy)
    if isinstance(value, list | tuple):
        for entry in value:
            check_numbers(entry, remedy)
    return value


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


def _check_finite(value: tuple[float, ...]) -> tuple[float, ...]:
    if not value or not all(isfinite(v) for v in value):
        raise refuse("has an entry that is not finite, or none at all", "Give finite numbers.")
    return value


Matrix = Annotated[
    tuple[tuple[float, ...], ...],
    BeforeValidator(_as_matrix),
    BeforeValidator(check_numbers),
    AfterValidator(_check_rectangular),
    Numbers("a number or a list of rows"),
]
RealVector = Annotated[
    tuple[float, ...],
    BeforeValidator(lambda v: _as_matrix(_as_vector(v))),
    BeforeValidator(check_numbers),
    AfterValidator(_check_finite),
    Numbers("a number or a list of numbers"),
]
MATRIX_FILE = PlanFile((".mat", ".npy", ".npz", ".csv", ".mtx"))
"""How a plan names a matrix of a file, as in fe.mat:M."""


def _file_or_matrix(value: Any, check: ValidatorFunctionWrapHandler) -> Any:
    """Take a text that names a file as it is; whatever else must be a matrix."""
    if not isinstance(value, str):
        return check(value)
    if MATRIX_FILE.split(value) is None:
        known = ", ".join(MATRIX_FILE.endings)
        remedy = f"Write numbers without quotes, or a file ({known}) as in 'fe.mat:M'."
        raise refuse("is text, neither a number nor a file of matrices", remedy)
    return value


MatrixOrFile = Annotated[
    tuple[tuple[float, ...], ...] | str,
    BeforeValidator(_as_matrix),
    BeforeValidator(check_numbers),
    AfterValidator(_check_rectangular),
    WrapValidator(_file_or_matrix),
    MATRIX_FILE,
    NumbersOrFile("a number, a list of rows, or a file as 'fe.mat:M'", file=MATRIX_FILE),
]
