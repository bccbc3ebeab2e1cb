"""A matrix as a table of numbers, a row a line.

    # comment lines start with a hash
    3750.0, -1500.0
    -1500.0, 1500.0

Numbers are parted by commas, semicolons, tabs or blanks; the decimal sign is the point. There is no
line of headings.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from rths.errors import InputError
from rths.loop.block import Vector
from rths.matrices.full import LARGEST, Matrices, check_shape
from rths.motions.text_file import read_text

REMEDY = "Write a line for each row, its numbers parted by commas, and no headings."


def read(path: Path) -> Matrices:
    """Give the one matrix of the file."""
    return {"": lambda: _table(path)}


def _table(path: Path) -> Vector:
    lines = [
        (number, line.strip().rstrip(",;"))
        for number, line in enumerate(read_text(path).splitlines(), start=1)
        if line.strip() and not line.lstrip().startswith("#")
    ]
    if not lines:
        raise InputError("file", None, "holds no numbers", REMEDY)
    check_shape((len(lines),))
    separator = next((s for s in ";\t," if s in lines[0][1]), None)
    try:
        text = [line for _, line in lines]
        found = np.loadtxt(text, delimiter=separator, comments=None, ndmin=2, dtype=np.float64)
    except ValueError:
        raise _locate(lines, separator) from None
    return found


def _locate(lines: list[tuple[int, str]], separator: str | None) -> InputError:
    """Say which line is no row of numbers."""
    wide = len(lines[0][1].split(separator))
    for number, line in lines[: LARGEST + 1]:
        cells = line.split(separator)
        if len(cells) != wide:
            problem = f"has {len(cells)} number(s) in line {number} and {wide} in the first row"
            return InputError("file", None, problem, REMEDY)
        for cell in cells:
            if not _is_number(cell):
                shown = cell.strip()[:40]
                return InputError("file", None, f"has {shown!r} in line {number}", REMEDY)
    return InputError("file", None, "is no table of numbers", REMEDY)


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return "_" not in cell
