"""Text tables: a time column and one column for each signal.

    # comment lines start with # % ! // or * and may stand anywhere
    time_s,acceleration_g
    0.00,0.00000
    0.02,0.00630

* The line above the numbers names the columns, with their units: ``acceleration_g``,
  ``Beschleunigung [m/s²]``, ``force (kN)``. Units may stand in a row of their own below it. Values
  become SI; names lose the unit (heading.py).
* The first column is the time, growing and evenly spaced. Rounding of the printed digits is
  understood: 1/1024 s with six decimals is one constant step. Times that jitter a little are
  evened out, and that is said (even_times.py).
* Columns are parted by commas, semicolons, tabs, bars or blanks; the decimal sign is the point or
  the comma. What can be read in two ways is refused (number_style.py).
* Numbers without headings are read if their step is given, and are then without a unit: one
  column, or two of which the first is the time, with that step.

A table with one signal gives ``values`` of shape (samples,), otherwise (samples, signals).
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np

from rths.errors import InputError
from rths.motions.even_times import even_out
from rths.motions.heading import (
    EXAMPLES,
    Heading,
    begins_with_time,
    count_headings,
    is_spectral,
    join_units,
    read_heading,
    read_unit_row,
    split_headings,
)
from rths.motions.number_style import NumberStyle, choose_style, read_numbers, reads_headed
from rths.motions.table_rows import Row, Rows, begins_with_number, split_rows
from rths.motions.text_file import first_lines, read_text
from rths.motions.time_series import TimeSeries, multiply

ENDINGS = (".csv", ".tsv")
LONGEST_EXPONENT = 4
"""Letters of an exponent: a number of 64 bits goes from 1e-308 to 1e+308."""
SAME_STEP = 1e-3
"""Part by which a step in the file may differ from the one that is given: both are rounded."""
SIGNAL = "signal"
"""Name of a column that has no heading."""


def is_format(path: Path | str) -> bool:
    """Whether the name ends in .csv or .tsv, or numbers stand below a time, or in two columns."""
    if Path(path).suffix.lower() in ENDINGS:
        return True
    rows = split_rows("\n".join(first_lines(path)))
    if len(rows.numbers) < 2 or not all(begins_with_number(line) for _, line in rows.numbers[:2]):
        return False
    heading, _ = _find_heading(rows)
    narrow = all(len(line.replace("|", " ").split()) <= 2 for _, line in rows.numbers)
    return narrow or (heading is not None and begins_with_time(heading[1]))


def read(path: Path | str, step: float | None = None) -> TimeSeries:
    """The table as a checked series in SI units; ``step`` is for tables without a time, s."""
    rows = split_rows(read_text(path))
    if len(rows.numbers) < 2:
        _refuse_clock(path, rows.above)
        remedy = f"Give a line of headings and two lines of numbers. {EXAMPLES}."
        raise InputError("file", str(path), "has no samples", remedy)
    heading, units = _find_heading(rows)
    counts = {} if heading is None else count_headings(heading[1])
    style = choose_style(path, rows.numbers, counts)
    if heading is None:
        return _read_bare(path, rows, style, step)
    columns = _read_headings(path, heading, units, style, len(style.cells(rows.numbers[0][1])))
    return _read_table(path, rows, style, columns, step, heading)


def _find_heading(rows: Rows) -> tuple[Row | None, Row | None]:
    """The row of headings and the row of units; headings may be a comment if they name a time."""
    first = rows.numbers[0]
    above, hidden = (_last_rows(part) for part in (rows.above, rows.comments))
    if hidden[0] is not None and not (above[0] and begins_with_time(above[0][1])):
        line = hidden[0][1]
        if begins_with_time(line) and reads_headed(first[1], count_headings(line)):
            return hidden
    return above


def _last_rows(above: list[Row]) -> tuple[Row | None, Row | None]:
    """The last row that may be headings, and a row of units below it."""
    if not above:
        return None, None
    below = len(above) > 1 and read_unit_row(above[-1][1]) is not None
    return (above[-2], above[-1]) if below else (above[-1], None)


def _read_headings(
    path: Path | str, row: Row, units: Row | None, style: NumberStyle, width: int
) -> list[Heading]:
    """The columns of a table, each with its own name."""
    number, line = row
    place, counts = f"{path}, line {number}", count_headings(line)
    separator = style.separator
    if separator not in counts:  # headings by commas, numbers by blanks
        separator = next((s for s, n in counts.items() if n == width), next(iter(counts)))
    texts = split_headings(line, separator)
    if len(set(texts)) < len(texts) or "" in texts:
        remedy = "Give each column its own name."
        raise InputError(place, line, "has a column name that is empty or used twice", remedy)
    columns = [read_heading(place, text) for text in texts]
    if units is not None:
        given = read_unit_row(units[1]) or []
        columns = join_units(f"{path}, line {units[0]}", columns, given)
    return columns


def _read_table(
    path: Path | str,
    rows: Rows,
    style: NumberStyle,
    columns: list[Heading],
    step: float | None,
    heading: Row,
) -> TimeSeries:
    """A table with headings; without a time among them it needs the step."""
    place = f"{path}, line {heading[0]}"
    timed = columns[0].is_time
    if not timed and (step is None or any(c.is_time for c in columns)):
        raise _no_time_error(place, columns[0].name, heading[1])
    if timed and len(columns) < 2:
        remedy = "Add a column, parted by a comma, semicolon, tab, bar or blanks."
        raise InputError(place, heading[1], "names no signal beside the time", remedy)
    _refuse_spectrum(place, columns, heading[1])
    table = read_numbers(path, rows.numbers, style, [c.name for c in columns])
    signals = columns[1:] if timed else columns
    values = table[:, len(columns) - len(signals) :]
    remarks: tuple[str, ...] = ()
    if timed:
        own, values, remarks = even_out(
            table[:, 0],
            values,
            _resolution(rows.numbers, style),
            lambda k: f"{path}, line {rows.numbers[k][0]}, time",
        )
        step = own * columns[0].factor
    values = multiply(values, np.array([c.factor for c in signals]))
    shaped = values[:, 0] if len(signals) == 1 else values
    names, units = tuple(c.name for c in signals), tuple(c.unit for c in signals)
    assert step is not None
    return TimeSeries(step, shaped, names, units, remarks)


def _refuse_clock(path: Path | str, above: list[Row]) -> None:
    """Refuse times of day and dates by name: they are no numbers."""
    for number, line in above:
        stamp = re.match(r"[\"']?(\d{1,4}[-:/.]\d{1,2}[-:/.]\d[\d:.T -]*)", line)
        if stamp:
            problem, remedy = "is a time of day or a date", "Write times in seconds."
            raise InputError(f"{path}, line {number}", stamp[1].strip(), problem, remedy)


def _refuse_spectrum(place: str, columns: list[Heading], line: str) -> None:
    """Refuse a response spectrum, whose periods T would pass for times."""
    if any(is_spectral(c.name) for c in columns):
        problem = "names spectral values, so that its first column is a period and no time"
        raise InputError(place, line, problem, "Name the file of the record that it was made from.")


def _no_time_error(place: str, name: str, line: str) -> InputError:
    remedy = (
        "Let the first column be time_s, or give the step in the plan if there is no time "
        f"(excitation.step). {EXAMPLES}."
    )
    if not line.isascii():
        remedy += " If letters are garbled here, save the file as UTF-8."
    return InputError(place, name, "is not a time column", remedy)


def _read_bare(path: Path | str, rows: Rows, style: NumberStyle, step: float | None) -> TimeSeries:
    """A table without headings, of which the plan must know the step."""
    number, line = rows.numbers[0]
    place, width = f"{path}, line {number}", len(style.cells(line))
    if step is None or width > 2:
        remedy = "Write a line such as time_s,acceleration_g above the numbers"
        if width <= 2:
            remedy += ", or give step and unit in the plan (excitation.step, excitation.unit)"
        problem = "is a row of numbers where the header should be"
        raise InputError(place, line, problem, f"{remedy}. {EXAMPLES}.")
    if width == 1:
        values = read_numbers(path, rows.numbers, style, [SIGNAL])[:, 0]
        return TimeSeries(step, values, (SIGNAL,), ("",))
    timed = [Heading("time", "s", 1.0), Heading(SIGNAL, "", 1.0)]
    series = _read_table(path, rows, style, timed, None, (number, line))
    if abs(series.step - step) > SAME_STEP * step:
        problem = f"is no time with the step {step:g} s that the plan gives"
        remedy = f"The first column has steps of {series.step:g}: write headings above the numbers."
        raise InputError(place, line, problem, remedy)
    return replace(series, step=step)


def _resolution(rows: list[Row], style: NumberStyle) -> float:
    """The last printed decimal of the time column: rounding may shift a time by this much."""
    decimals = -30
    for _, line in rows:
        mantissa, _, exponent = style.to_point(style.cells(line)[0]).partition("E")
        shift = int(exponent) if 0 < len(exponent) <= LONGEST_EXPONENT else 0
        decimals = max(decimals, len(mantissa.partition(".")[2]) - shift)
    return float(10.0**-decimals)
