"""COSMOS volume 2: corrected strong motion, one block after the other.

    Corrected acceleration    (Format v01.20 with 13 text lines)
    ...
     100 Integer-header values follow on  10 lines, Format= (10I8)
     100 Real-header values follow on  20 lines, Format= (5F15.6)
       2 Comment line(s) follow, each starting with a "|":
       42000 acceleration pts, approx  210 secs, units=cm/sec2(04),Format=(8F10.3)
    End-of-data for Chan  1 acceleration

Each block states its own size and Fortran format. The step of the corrected series is real-header
value 62, in ms; value 34 is the one of the raw record, in s, and may differ. Whichever is used
must agree with the stated duration. A file may hold several channels, and velocity and
displacement after each acceleration: only the accelerations are taken.

COSMOS Strong Motion Data Format, version 1.20, Consortium of Organizations for Strong-Motion
Observation Systems, 2001.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from rths.errors import InputError
from rths.motions.text_file import first_lines, read_text
from rths.motions.time_series import Array, TimeSeries, multiply
from rths.motions.unit import to_si

UNKNOWN = -999.0
"""What the format writes for a header value that is not known."""
_FIRST = re.compile(r"^\s*corrected acceleration\b", re.IGNORECASE)
_FORMAT = r"Format\s*=\s*\(\s*(?P<across>[1-9]\d{0,3})[FEDG](?P<width>[1-9]\d{0,3})"
_COUNT = r"^\s*(?P<count>\d{1,12})\s+"
_SECONDS = r"(?P<secs>\d{1,12}\.?\d{0,12}|\.\d{1,12})"
_REAL = re.compile(rf"{_COUNT}Real-header values follow on.*{_FORMAT}", re.IGNORECASE)
_DATA = re.compile(
    rf"{_COUNT}(?P<what>\w+)\.?\s+pts,?\s+approx\s+{_SECONDS}\s+secs,\s*"
    rf"units\s*=\s*(?P<unit>[^,(\s]+).*{_FORMAT}",
    re.IGNORECASE,
)


def is_format(path: Path | str) -> bool:
    """Whether the first line says "Corrected acceleration"."""
    lines = first_lines(path, 1)
    return bool(lines) and bool(_FIRST.match(lines[0])) and "ACCELEROGRAM" not in lines[0].upper()


def read(path: Path | str) -> TimeSeries:
    """All acceleration channels of the file as one checked series in m/s²."""
    lines = read_text(path).splitlines()
    first = lines[0] if lines else ""
    if not _FIRST.match(first):
        remedy = "Choose the corrected (V2) file of the record."
        raise InputError(f"{path}, line 1", first, "is not a COSMOS V2 heading", remedy)
    channels: list[Array] = []
    steps: list[float] = []
    real: Array | None = None
    for at, line in enumerate(lines):
        if found := _REAL.match(line):
            real = _block(path, lines, at, found)
        elif (found := _DATA.match(line)) and found["what"].lower().startswith("acc"):
            si, factor = to_si(found["unit"])
            if si != "m/s2":
                remedy = "Choose a record in cm/sec2 or g."
                raise InputError(
                    f"{path}, line {at + 1}, units",
                    found["unit"],
                    "is no unit of acceleration",
                    remedy,
                )
            steps.append(_step(path, at, real, int(found["count"]), float(found["secs"])))
            channels.append(multiply(_block(path, lines, at, found), factor))
    return _series(path, steps, channels)


def _series(path: Path | str, steps: list[float], channels: list[Array]) -> TimeSeries:
    if not channels:
        raise InputError(
            "file",
            str(path),
            "has no block of acceleration points",
            "The file is cut short or of another volume; download it again.",
        )
    if len(set(steps)) > 1 or len({len(c) for c in channels}) > 1:
        raise InputError(
            "file",
            str(path),
            f"has channels of unlike step or length ({steps}, {[len(c) for c in channels]})",
            "Split it into one file for each channel.",
        )
    if len(channels) == 1:
        return TimeSeries(steps[0], channels[0], ("acceleration",), ("m/s2",))
    names = tuple(f"acceleration_{i + 1}" for i in range(len(channels)))
    return TimeSeries(steps[0], np.column_stack(channels), names, ("m/s2",) * len(names))


def _block(path: Path | str, lines: list[str], at: int, found: re.Match[str]) -> Array:
    """The numbers below line ``at``, in columns of fixed width, which may touch."""
    count, across, width = int(found["count"]), int(found["across"]), int(found["width"])
    values: list[float] = []
    for number in range(at + 1, at + 1 + -(-count // across)):
        text = lines[number].rstrip() if number < len(lines) else ""
        wanted = min(across, count - len(values))
        cells = [text[i : i + width].strip() for i in range(0, len(text), width)]
        if len(cells) != wanted:
            raise InputError(
                f"{path}, line {number + 1}",
                text.strip(),
                f"has {len(cells)} of {wanted} values; the block should hold {count}",
                "The file is cut short or damaged; download it again.",
            )
        for cell in cells:
            values.append(_number(f"{path}, line {number + 1}", cell))
    return np.array(values)


def _number(place: str, cell: str) -> float:
    try:
        return float(cell.upper().replace("D", "E"))
    except ValueError:
        remedy = "The file is damaged; download it again."
        raise InputError(place, cell, "is not a number", remedy) from None


def _step(path: Path | str, at: int, real: Array | None, count: int, seconds: float) -> float:
    if real is None:
        remedy = "The file is damaged; download it again."
        raise InputError(
            f"{path}, line {at + 1}", count, "points come before a real header", remedy
        )
    corrected = real[61] * 1e-3 if len(real) > 61 and real[61] != UNKNOWN else UNKNOWN
    raw = float(real[33]) if len(real) > 33 else UNKNOWN
    for step in (float(corrected), raw):
        # the duration is printed in whole seconds, cut or rounded
        if step > 0.0 and abs(count * step - seconds) <= 1.0 + step:
            return float(f"{step:.12g}")
    raise InputError(
        f"{path}, line {at + 1}, approx secs",
        seconds,
        f"fits {count} points neither at {corrected:g} s (value 62) nor at {raw:g} s (value 34)",
        "Correct the real header, or convert the record to CSV.",
    )
