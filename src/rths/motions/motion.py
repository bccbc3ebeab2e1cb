"""A ground motion from a file of any known format, as acceleration in m/s²."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np

from rths.errors import InputError
from rths.motions import at2, cosmos_v2, csv, mat
from rths.motions.text_file import existing_file
from rths.motions.time_series import TimeSeries

FORMATS = (at2, cosmos_v2, mat, csv)  # the strictest test first


def read_signals(path: Path | str) -> TimeSeries:
    """All signals of the file, in SI units, whatever its format."""
    path = existing_file(path)
    seen = path.stat()
    return _read(path, seen.st_mtime_ns, seen.st_size)


@lru_cache(maxsize=32)
def _read(path: Path, changed: int, size: int) -> TimeSeries:
    """Read a file once for all variations of a test; a file that has changed is read anew."""
    for form in FORMATS:
        if form.is_format(path):
            series: TimeSeries = form.read(path)
            return series
    raise InputError(
        "file",
        str(path),
        "has none of the known formats (PEER AT2, COSMOS V2, MAT, CSV)",
        "Convert it to CSV with a header line such as time_s,acceleration_g.",
    )


def read_motion(path: Path | str, unit: str | None = None) -> TimeSeries:
    """The accelerations of the file in m/s²; ``unit`` is for files that do not name theirs."""
    series = read_signals(path)
    if unit is not None:
        series = series.convert(unit)
    chosen = [i for i, known in enumerate(series.units) if known == "m/s2"]
    if not chosen:
        raise InputError(
            "file",
            str(path),
            f"has no acceleration among {series.names} with units {series.units}",
            "Name the column acceleration_g or acceleration_m_s2, or state the unit.",
        )
    if series.values.ndim == 1:
        return series
    values = series.values[:, chosen]
    names = tuple(series.names[i] for i in chosen)
    shaped = values[:, 0] if len(chosen) == 1 else np.ascontiguousarray(values)
    return TimeSeries(series.step, shaped, names, ("m/s2",) * len(chosen))
