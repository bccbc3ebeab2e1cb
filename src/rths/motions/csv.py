"""Text tables: a time column and one column for each signal.

    # comment lines start with a hash and may stand anywhere
    time_s,acceleration_g
    0.00,0.00000
    0.02,0.00630

* The first line that is neither empty nor a comment names the columns, with their units:
  ``acceleration_g``, ``acceleration_m_s2``, ``force [kN]``. Values become SI; names lose the unit.
* The first column is the time (``time_s``, ``time``, ``t``, ``time_ms``): growing, evenly spaced.
  Rounding of the printed digits is understood: 1/1024 s with six decimals is one constant step.
* Columns are parted by commas, semicolons or tabs; the decimal sign is the point.

A table with one signal gives ``values`` of shape (samples,), otherwise (samples, signals).
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from rths.errors import InputError
from rths.motions.text_file import first_lines, read_text
from rths.motions.time_series import Array, TimeSeries
from rths.motions.time_step import TIME_NAMES, uniform_step
from rths.motions.unit import split_column

_TIME_FIRST = re.compile(r'"?(time|t)(_m?s|\s*[\[(]m?s[\])])?"?\s*[,;\t]', re.IGNORECASE)
LONGEST_EXPONENT = 4
"""Letters of an exponent: a number of 64 bits goes from 1e-308 to 1e+308."""
Row = tuple[int, str]  # line number in the file, text


def is_format(path: Path | str) -> bool:
    """Whether the name ends in .csv or .tsv, or the first line of content starts with a time."""
    if Path(path).suffix.lower() in (".csv", ".tsv"):
        return True
    rows = _rows("\n".join(first_lines(path)))
    return bool(rows) and bool(_TIME_FIRST.match(rows[0][1]))


def read(path: Path | str) -> TimeSeries:
    """The table as a checked series in SI units."""
    rows = _rows(read_text(path))
    if len(rows) < 3:
        raise InputError(
            "file", str(path), "has no samples", "Give a header line and two lines of numbers."
        )
    headings = _headings(path, rows[0])
    columns = [_column(f"{path}, line {rows[0][0]}", h) for h in headings]
    table = _numbers(path, rows[1:], headings)
    step = uniform_step(
        table[:, 0], _resolution(rows[1:]), lambda k: f"{path}, line {rows[k + 1][0]}, time"
    )
    values = table[:, 1:] * [c[2] for c in columns[1:]]
    names, units = tuple(c[0] for c in columns[1:]), tuple(c[1] for c in columns[1:])
    step *= columns[0][2]
    return TimeSeries(step, values[:, 0] if len(names) == 1 else values, names, units)


def _rows(text: str) -> list[Row]:
    stripped = ((n, line.strip()) for n, line in enumerate(text.splitlines(), start=1))
    return [(n, line) for n, line in stripped if line and not line.startswith("#")]


def _separator(line: str) -> str:
    return next((s for s in (";", "\t") if s in line), ",")


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.split(_separator(line))]


def _headings(path: Path | str, row: Row) -> list[str]:
    number, line = row
    headings, place = _cells(line), f"{path}, line {number}"
    if all(_is_number(h) for h in headings):
        remedy = "Write a line such as time_s,acceleration_g above the numbers."
        raise InputError(place, line, "is a row of numbers where the header should be", remedy)
    name, unit, _ = _column(place, headings[0])
    if name.lower() not in TIME_NAMES or unit not in ("", "s"):
        remedy = "Let the first column be time_s."
        raise InputError(place, headings[0], "is not a time column", remedy)
    if len(headings) < 2:
        remedy = "Add a column, parted by a comma, semicolon or tab."
        raise InputError(place, line, "names no signal beside the time", remedy)
    if len(set(headings)) < len(headings) or "" in headings:
        remedy = "Give each column its own name."
        raise InputError(place, line, "has a column name that is empty or used twice", remedy)
    return headings


def _column(place: str, heading: str) -> tuple[str, str, float]:
    try:
        return split_column(heading)
    except InputError as error:
        problem = f"names the unit {error.value!r}, which is not known"
        raise InputError(place, heading, problem, error.remedy) from None


def _numbers(path: Path | str, rows: list[Row], headings: list[str]) -> Array:
    separator = _separator(rows[0][1])
    try:
        lines = [line for _, line in rows]
        table = np.loadtxt(lines, delimiter=separator, comments=None, ndmin=2, dtype=np.float64)
    except ValueError:
        table = np.empty((0, 0))  # the lines are looked at one by one below
    if table.shape == (len(rows), len(headings)) and np.isfinite(table).all():
        return table
    for number, line in rows:
        _check_row(f"{path}, line {number}", line, line.split(separator), headings)
    raise InputError("file", str(path), "is not a table of numbers", "Export it again as CSV.")


def _check_row(place: str, line: str, cells: list[str], headings: list[str]) -> None:
    if len(cells) != len(headings):
        raise InputError(
            place,
            line,
            f"has {len(cells)} column(s) where the header names {len(headings)}",
            "Complete or remove the line; the decimal sign is the point, not the comma.",
        )
    for heading, cell in zip(headings, cells, strict=True):
        if not _is_number(cell):
            remedy = "Write it as 0.125 or 1.25e-1, or remove the line."
            raise InputError(f"{place}, {heading}", cell.strip(), "is not a number", remedy)
        if not np.isfinite(float(cell)):
            remedy = "Repair or cut out the damaged samples."
            raise InputError(f"{place}, {heading}", cell.strip(), "is not finite", remedy)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return "_" not in text


def _resolution(rows: list[Row]) -> float:
    """The last printed decimal of the time column: rounding may shift a time by this much."""
    decimals = -30
    for _, line in rows:
        mantissa, _, exponent = _cells(line)[0].lower().partition("e")
        shift = int(exponent) if 0 < len(exponent) <= LONGEST_EXPONENT else 0
        decimals = max(decimals, len(mantissa.partition(".")[2]) - shift)
    return float(10.0**-decimals)
