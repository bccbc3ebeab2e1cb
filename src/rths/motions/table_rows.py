"""The rows of a text table: what stands above the numbers, the numbers, and comments left out.

Numbers begin with the first row whose first cell is one. Above them stand headings, perhaps units
below the headings, and titles before them. A line that starts with # % ! // or * is a comment; if
no headings stand above the numbers, the last comments may be the headings (NumPy writes them so).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

SIGNS = ("#", "%", "!", "//", "*")
"""How a comment begins."""
SEPARATORS = ";\t|,"
"""What may part cells, beside blanks."""
Row = tuple[int, str]
"""Number of the line in the file, and its text."""
_COMMENT = re.compile(rf"(?:{'|'.join(map(re.escape, SIGNS))})+\s*")
_FIRST_CELL = re.compile(r"""["']?\s*([^;|\t,\s"']*)""")
_NUMBER_LIKE = re.compile(
    r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[ed][-+]?\d+)?|[-+]?(?:nan|inf\w*)", re.I | re.ASCII
)
_LOOKALIKES = str.maketrans({"−": "-", "\u00a0": " ", "\u202f": " ", "\ufeff": None})
"""Signs that programs print for a minus and a blank."""


@dataclass(frozen=True)
class Rows:
    """The parts of a text table, in the order of the file."""

    above: list[Row]
    """Rows before the first number."""
    numbers: list[Row]
    comments: list[Row]
    """Comments before the first number, without their signs."""


def split_rows(text: str) -> Rows:
    """Part the lines of a text; empty ones are left out."""
    above: list[Row] = []
    numbers: list[Row] = []
    comments: list[Row] = []
    for number, line in enumerate(text.translate(_LOOKALIKES).splitlines(), start=1):
        stripped = line.lstrip().rstrip(" \r\v\f")  # a tab at the end parts cells
        if not stripped:
            continue
        sign = _COMMENT.match(stripped)
        if sign:
            if not numbers:
                comments.append((number, stripped[sign.end() :]))
        elif numbers or begins_with_number(stripped):
            numbers.append((number, stripped))
        else:
            above.append((number, stripped))
    return _drop_last_separator(Rows(above, numbers, comments))


def _drop_last_separator(rows: Rows) -> Rows:
    """Take off the separator that some programs write at the end of every row."""
    last = {line[-1] for _, line in rows.numbers}
    if len(last) != 1 or not last <= set(SEPARATORS):
        return rows
    sign = last.pop()
    above, numbers = (
        [(n, line.removesuffix(sign).rstrip(" ")) for n, line in part]
        for part in (rows.above, rows.numbers)
    )
    return Rows(above, numbers, rows.comments)


def begins_with_number(line: str) -> bool:
    """Whether the first cell of a line is a number, in whatever way the cells are parted."""
    found = _FIRST_CELL.match(line.lstrip())
    return found is not None and _NUMBER_LIKE.fullmatch(found[1]) is not None
