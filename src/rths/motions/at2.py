"""PEER AT2: four lines of header, then the samples line by line.

    PEER NGA STRONG MOTION DATABASE RECORD
    Imperial Valley-02, 5/19/1940, El Centro Array #9, 180
    ACCELERATION TIME SERIES IN UNITS OF G
    NPTS=   4000, DT=   .0050 SEC

The fourth line has changed over the years; older files say ``4000 0.0050 NPTS, DT``. Both are read.
Numbers may touch where a minus sign fills the column. The number of samples must be NPTS exactly;
a file cut short by a broken download is refused, not shortened in silence.

PEER ground motion database, https://ngawest2.berkeley.edu
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from rths.errors import InputError
from rths.motions.text_file import first_lines, read_text
from rths.motions.time_series import Array, TimeSeries, multiply
from rths.motions.unit import to_si

_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[EeDd][-+]?\d+)?"
_COUNT = r"(?P<npts>\d{1,12})"
_NEWER = re.compile(rf"NPTS\s*=\s*{_COUNT}\s*,?\s*DT\s*=\s*(?P<dt>{_NUMBER})", re.IGNORECASE)
_OLDER = re.compile(rf"^\s*{_COUNT}\s+(?P<dt>{_NUMBER})\s+NPTS\s*,\s*DT", re.IGNORECASE)
_QUANTITY = re.compile(
    r"(?P<name>ACCELERATION|VELOCITY|DISPLACEMENT)\s+TIME\s+(?:SERIES|HISTORY)\s+IN\s+UNITS\s+OF\s+"
    r"(?P<unit>[A-Z/0-9]+)",
    re.IGNORECASE,
)


def is_format(path: Path | str) -> bool:
    """Whether one of the first lines states NPTS and DT in either dialect."""
    return any(_NEWER.search(line) or _OLDER.search(line) for line in first_lines(path, 8))


def read(path: Path | str) -> TimeSeries:
    """The record as a checked series in SI units."""
    lines = read_text(path).splitlines()
    at, count, step = _count_and_step(path, lines)
    name, unit, factor = _quantity(path, lines[:at])
    values = _samples(path, lines, at + 1)
    if len(values) != count:
        problem = "is cut short" if len(values) < count else "has too many"
        raise InputError(
            f"{path}, line {at + 1}, NPTS",
            count,
            f"disagrees with {len(values)} samples in the file, which {problem}",
            "Download the record again.",
        )
    return TimeSeries(step, multiply(values, factor), (name,), (unit,))


def _count_and_step(path: Path | str, lines: list[str]) -> tuple[int, int, float]:
    for at, line in enumerate(lines[:8]):
        found = _NEWER.search(line) or _OLDER.search(line)
        if found:
            return at, int(found["npts"]), float(found["dt"].upper().replace("D", "E"))
    raise InputError(
        f"{path}, line 4",
        lines[3] if len(lines) > 3 else "",
        "states neither NPTS= 4000, DT= .0050 SEC nor 4000 0.0050 NPTS, DT",
        "Use the AT2 file as PEER delivers it.",
    )


def _quantity(path: Path | str, header: list[str]) -> tuple[str, str, float]:
    found = _QUANTITY.search(" ".join(header))
    if not found:
        raise InputError(
            f"{path}, line 3",
            header[-1] if header else "",
            "does not state the quantity and its unit",
            "It should read ACCELERATION TIME SERIES IN UNITS OF G.",
        )
    return (found["name"].lower(), *to_si(found["unit"].lower()))


def _samples(path: Path | str, lines: list[str], start: int) -> Array:
    values: list[float] = []
    for number, line in enumerate(lines[start:], start=start + 1):
        foreign = re.sub(_NUMBER, " ", line).strip()
        if foreign:
            raise InputError(
                f"{path}, line {number}",
                foreign,
                "is not a number",
                "Only samples may follow the header; download the record again.",
            )
        values.extend(float(v.replace("D", "E")) for v in re.findall(_NUMBER, line.upper()))
    return np.array(values)
