"""How the numbers of a text table are written: what parts the cells, and what is the decimal sign.

    0.02,0.31     0,02;0,31     0.02<tab>0.31     "0,02","0,31"     0,02   0,31     0.02|0.31

Every way of reading is tried; the one that makes numbers of all cells of all rows, as many as there
are headings, is taken. Nothing is guessed: where two ways would give different numbers, and where
all decimals could as well be thousands (1,234 is 1.234 or 1234), the table is refused.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rths.errors import InputError
from rths.motions.table_rows import SEPARATORS, Row
from rths.motions.time_series import Array

LOOK = 50
"""Rows that rule out most ways of reading; the others are held against all rows."""
BLANKS = ""
"""Stands for one blank or several between two cells."""
_BLANK_CELL = re.compile(r'"[^"]*"|\S+')
_EXPONENT = r"(?:[eEdD][-+]?\d+)?"
_POINT = re.compile(rf"[-+]?(?:\d+\.?\d*|\.\d+){_EXPONENT}", re.ASCII)
_COMMA = re.compile(rf"[-+]?(?:\d+(?:,\d+)?|,\d+){_EXPONENT}", re.ASCII)
_THOUSANDS = re.compile(r"[-+]?[1-9]\d{0,2}[.,]\d{3}", re.ASCII)
_NO_NUMBER = re.compile(r"[-+]?(?:nan|inf|infinity)", re.IGNORECASE)


@dataclass(frozen=True)
class NumberStyle:
    """One way to read a row: ``separator`` between cells, ``decimal`` sign within them."""

    separator: str
    decimal: str

    def cells(self, line: str) -> list[str]:
        """Part a row; quotes are taken off."""
        if self.separator == BLANKS:
            found = _BLANK_CELL.findall(line)
        elif '"' in line:
            found = next(csv.reader([line], delimiter=self.separator, skipinitialspace=True))
        else:
            found = line.split(self.separator)
        return [cell.strip().strip("\"'").strip() for cell in found]

    def is_number(self, cell: str) -> bool:
        """Whether a cell is a number; also one that is not finite."""
        pattern = _POINT if self.decimal == "." else _COMMA
        return bool(pattern.fullmatch(cell) or _NO_NUMBER.fullmatch(cell))

    def reads(self, line: str, count: int | None = None) -> bool:
        """Whether all cells of a row are numbers, ``count`` of them if that is known."""
        cells = self.cells(line)
        return count in (None, len(cells)) and all(self.is_number(c) for c in cells)

    def to_float(self, cell: str) -> float:
        """Give the number of a cell."""
        return float(self.to_point(cell))

    def to_point(self, cell: str) -> str:
        """Write the number of a cell as Python does."""
        return cell.replace(self.decimal, ".").upper().replace("D", "E")


STYLES = tuple(
    NumberStyle(separator, decimal)
    for separator in (*SEPARATORS, BLANKS)
    for decimal in ".,"
    if separator != decimal or separator == ","
)
"""Ways to read a table. A comma is both separator and decimal sign only within quotes."""


def choose_style(path: object, rows: Sequence[Row], counts: dict[str, int]) -> NumberStyle:
    """Find the one way to read the rows; ``counts`` is the number of headings by separator.

    If none reads all rows, the one that reads most of them from the first on is given, and the
    row where it ends can be named.
    """
    left = [s for s in STYLES if may_read(s, rows[0][1], counts)]
    if not left:
        return _guess_style(rows[0][1])
    widths = {s: len(s.cells(rows[0][1])) for s in left}
    for _, line in rows[:LOOK]:
        left = [s for s in left if s.reads(line, widths[s])] or left
    left = _find_unlike(left, rows[:LOOK])
    if len(left) > 1:
        left = [s for s in left if all(s.reads(line, widths[s]) for _, line in rows)] or left[:1]
        left = _find_unlike(left, rows)
    number, line = rows[0]
    if len(left) > 1:
        problem = "can be read in two ways: a comma may part two columns or be the decimal sign"
        remedy = "Write a line of headings above, or part the columns by semicolons."
        raise InputError(f"{path}, line {number}", line, problem, remedy)
    _check_thousands(path, rows, left[0])
    return left[0]


def reads_headed(line: str, counts: dict[str, int]) -> bool:
    """Whether there is a way to read a row into as many cells as there are headings."""
    return any(may_read(style, line, counts) for style in STYLES)


def may_read(style: NumberStyle, line: str, counts: dict[str, int]) -> bool:
    """Whether a way reads the first row, into as many cells as there are headings."""
    if style.separator == style.decimal and '"' not in line:
        return False
    if not style.reads(line):
        return False
    known = {counts[style.separator]} if style.separator in counts else set(counts.values())
    return not counts or len(style.cells(line)) in known


def _guess_style(line: str) -> NumberStyle:
    """The way that a broken row was most likely meant to be read."""
    return NumberStyle(next((s for s in SEPARATORS if s in line), BLANKS), ".")


def _find_unlike(styles: list[NumberStyle], rows: Sequence[Row]) -> list[NumberStyle]:
    """Those of several ways that give different numbers."""
    if len(styles) < 2:
        return styles
    kept: dict[tuple[tuple[float, ...], ...], NumberStyle] = {}
    for style in styles:
        read = [style.cells(line) for _, line in rows]
        if all(style.is_number(cell) for cells in read for cell in cells):
            numbers = tuple(tuple(map(style.to_float, cells)) for cells in read)
            kept.setdefault(numbers, style)
    return list(kept.values()) or styles[:1]


def _check_thousands(path: object, rows: Sequence[Row], style: NumberStyle) -> None:
    """Refuse a table in which every decimal sign could as well part the thousands."""
    if style == NumberStyle(",", "."):
        return  # whoever parts columns by commas writes no thousands with points
    doubtful: tuple[int, str] | None = None
    for number, line in rows:
        for cell in style.cells(line):
            if style.decimal not in cell:
                continue
            if not _THOUSANDS.fullmatch(cell):
                return
            doubtful = doubtful or (number, cell)
    if doubtful is not None:
        number, cell = doubtful
        plain = cell.replace(style.decimal, "")
        problem = f"may be {style.to_point(cell)} or {plain}, and no other number tells which"
        remedy = f"Write it as {style.to_point(cell)}0 or as {plain}, and all others likewise."
        raise InputError(f"{path}, line {number}", cell, problem, remedy)


def read_numbers(path: object, rows: Sequence[Row], style: NumberStyle, names: list[str]) -> Array:
    """The table of finite numbers, a column for each name."""
    table = _read_plain(rows, style)
    if table.shape != (len(rows), len(names)):
        table = _read_cells(path, rows, style, names)
    if np.isfinite(table).all():
        return table
    k, i = (int(n) for n in np.argwhere(~np.isfinite(table))[0])
    place = f"{path}, line {rows[k][0]}, {names[i]}"
    remedy = "Repair or cut out the damaged samples."
    raise InputError(place, style.cells(rows[k][1])[i], "is not finite", remedy)


def _read_plain(rows: Sequence[Row], style: NumberStyle) -> Array:
    """All rows at once, where nothing is quoted or left over; an empty table if that fails."""
    lines = [line for _, line in rows]
    if style.decimal == "," or any("_" in line or "x" in line for line in lines):
        return np.empty((0, 0))  # NumPy would read 1_000 and 0x1p4 too
    try:
        return np.loadtxt(lines, delimiter=style.separator or None, comments=None, ndmin=2)
    except ValueError:
        return np.empty((0, 0))


def _read_cells(path: object, rows: Sequence[Row], style: NumberStyle, names: list[str]) -> Array:
    """Cell by cell, with an error that names the line and the column."""
    table = np.empty((len(rows), len(names)))
    for k, (number, line) in enumerate(rows):
        cells, place = style.cells(line), f"{path}, line {number}"
        if len(cells) != len(names):
            problem = f"has {len(cells)} column(s) where the header names {len(names)}"
            remedy = (
                "Complete or remove the line; where commas part the columns, "
                "the decimal sign is the point."
            )
            raise InputError(place, line, problem, remedy)
        for i, cell in enumerate(cells):
            if not style.is_number(cell):
                remedy = (
                    "Write it as 0.125 or 1.25e-1 with one decimal sign, or remove the line, "
                    "or a column of words."
                )
                raise InputError(f"{place}, {names[i]}", cell, "is not a number", remedy)
            table[k, i] = style.to_float(cell)
    return table
