"""Headings of a text table: names in several languages, with the unit written in several ways.

    acceleration_g   acceleration [g]   Beschleunigung (m/s²)   a / (m/s2)   Accel. in cm/s2   acc g

Which column is the time is told by its name, in the words of some languages. A unit may also stand
in a row of its own below the headings. A name without a unit has none: nothing is assumed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rths.errors import InputError
from rths.motions.table_rows import SEPARATORS
from rths.motions.unit import is_acceleration, remove_accents, split_column, to_si

TIME_NAMES = (
    "time", "t", "zeit", "temps", "tiempo", "tempo", "tijd", "tid", "czas", "zaman", "cas", "aika",
    "elapsed time", "relative time", "timp", "ido", "vrijeme", "vreme", "waktu", "aeg", "laiks",
    "laikas", "thoi gian", "时间", "時間", "시간", "время", "време", "час", "χρονος", "زمان", "زمن",
)  # fmt: skip
"""What a column of times is called, in small letters, without accents and without its unit."""
_TIMES = frozenset(map(remove_accents, TIME_NAMES))  # as names are compared: ς is σ, 시 two letters
EXAMPLES = (
    "Understood are headings such as time_s,acceleration_g or Zeit [s];Beschleunigung [m/s²] or "
    "t (ms) acc (cm/s2); time in s or ms, accelerations in g, mg, %g, m/s2, cm/s2, gal, mm/s2, "
    "in/s2 or ft/s2"
)
_BLANK_HEADING = re.compile(r'"[^"]*"|[^\s\[(]+(?:\s*[\[(][^\])]*[\])])?')
_SLASHED = re.compile(r"^(?P<name>[^/]+?)\s*/\s*\(?(?P<unit>[^()]+?)\)?$")
_BEHIND = re.compile(r"^(?P<name>.+?)(?P<said>,|\s+in|\s+en)?\s+(?P<unit>\S+)$")
_JOINED = re.compile(r"^(?P<name>.+)_(?P<unit>[^_\s]+)$")


@dataclass(frozen=True)
class Heading:
    """One column: its name without the unit, its SI unit and the factor to it."""

    name: str
    unit: str
    factor: float

    @property
    def is_time(self) -> bool:
        """Whether it is the time of the samples."""
        plain = remove_accents(self.name).replace("_", " ").rstrip(".:")
        return plain in _TIMES and self.unit in ("", "s")


def read_heading(place: str, text: str) -> Heading:
    """Read one heading; a unit in brackets that is not known is refused."""
    text = text.strip().strip("\"'").strip()
    try:
        found = Heading(*split_column(text))
    except InputError as error:
        problem = f"names the unit {error.value!r}, which is not known"
        raise InputError(place, text, problem, error.remedy) from None
    if found.unit:
        return found
    if _known_unit(text) and "/" in text:  # nothing but a unit
        return Heading(text, *to_si(text))
    for pattern in (_JOINED, _BEHIND, _SLASHED):
        match = pattern.match(text)
        if match and _known_unit(match["unit"]) and _goes_with(pattern, match):
            return Heading(match["name"].strip(" /"), *to_si(match["unit"]))
    return found


def _goes_with(pattern: re.Pattern[str], match: re.Match[str]) -> bool:
    """Whether a last word is the unit of what it stands behind: x g may be a letter, acc g not.

    What has a slash is never a letter, and seconds are seconds behind a time.
    """
    unit = to_si(match["unit"])[0]
    if pattern is _SLASHED or "/" in match["unit"]:
        return True
    if unit == "s" and Heading(match["name"], "", 1.0).is_time:
        return True
    if pattern is _JOINED or unit != "m/s2":  # a_g is a letter; others are read by split_column
        return False
    return match["said"] is not None or is_acceleration(match["name"])


def _known_unit(text: str) -> bool:
    try:
        to_si(text)
    except InputError:
        return False
    return True


def split_headings(line: str, separator: str) -> list[str]:
    """Part a row of headings; blanks do not part a name from its unit in brackets."""
    if separator == "":
        found = _BLANK_HEADING.findall(line)
    else:
        found = re.split(rf'{re.escape(separator)}(?=(?:[^"]*"[^"]*")*[^"]*$)', line)
    return [cell.strip().strip("\"'").strip() for cell in found]


def is_spectral(name: str) -> bool:
    """Whether a column holds values of a response spectrum, over periods."""
    plain = remove_accents(name).replace("_", " ")
    return plain in ("sa", "psa", "sv", "psv") or "spectr" in plain or "spektr" in plain


def begins_with_time(line: str) -> bool:
    """Whether the first of several headings is the time, by whatever sign they are parted."""
    firsts = {split_headings(line, s)[0] for s, n in count_headings(line).items() if n > 1}
    try:
        return any(read_heading("", first).is_time for first in firsts)
    except InputError:  # brackets that hold no unit
        return False


def count_headings(line: str) -> dict[str, int]:
    """Number of headings by each separator that occurs; one heading if there is none."""
    found = {s: len(split_headings(line, s)) for s in (*SEPARATORS, "")}
    return {s: n for s, n in found.items() if n > 1} or {"": 1}


def read_unit_row(line: str) -> list[str] | None:
    """The units of a row that holds nothing else, brackets taken off; None for any other row."""
    separator = next((s for s in SEPARATORS if s in line), "")
    parts = split_headings(line, separator) if separator else line.split()
    cells = [c.strip("\"' []()") for c in parts]
    units = ["" if c in ("-", "–") else c for c in cells]
    if not any(units) or not all(not u or _known_unit(u) for u in units):
        return None
    return units


def join_units(place: str, headings: Sequence[Heading], units: Sequence[str]) -> list[Heading]:
    """Headings with the units of the row below; what both state must be the same."""
    if len(units) != len(headings):
        problem = f"has {len(units)} unit(s) for {len(headings)} heading(s)"
        remedy = "Write a unit for each column, and - for none."
        raise InputError(place, " ".join(units), problem, remedy)
    joined = []
    for heading, unit in zip(headings, units, strict=True):
        if unit and heading.unit and to_si(unit) != (heading.unit, heading.factor):
            problem = f"is another unit than the heading of {heading.name} names"
            raise InputError(place, unit, problem, "Name one unit for each column.")
        joined.append(Heading(heading.name, *to_si(unit)) if unit else heading)
    return joined
