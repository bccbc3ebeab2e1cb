"""A ground motion from a file of any known format, as acceleration in m/s²."""

from __future__ import annotations

import warnings
from functools import lru_cache
from pathlib import Path

import numpy as np

from rths.errors import InputError, InputWarning
from rths.motions import at2, cosmos_v2, csv, mat
from rths.motions.heading import EXAMPLES
from rths.motions.text_file import existing_file
from rths.motions.time_series import TimeSeries

FORMATS = (at2, cosmos_v2, mat, csv)  # the strictest test first
WITHOUT_TIME = (mat, csv)
"""Formats of which a file may lack the time, so that its step must be given."""
SAME_STEP = 1e-3
"""Part by which a file's step may differ from the one that is given: both are rounded."""


def read_signals(path: Path | str, step: float | None = None) -> TimeSeries:
    """All signals of the file, in SI units; ``step`` is for files that do not state theirs, s."""
    path = existing_file(path)
    seen = path.stat()
    series = _read(path, seen.st_mtime_ns, seen.st_size, step)
    for remark in series.remarks:
        warnings.warn(f"{path}: {remark}", InputWarning, stacklevel=2)
    return series


@lru_cache(maxsize=32)
def _read(path: Path, changed: int, size: int, step: float | None) -> TimeSeries:
    """Read a file once for all variations of a test; a file that has changed is read anew."""
    for form in FORMATS:
        if form.is_format(path):
            given = {"step": step} if form in WITHOUT_TIME else {}
            series: TimeSeries = form.read(path, **given)
            if step is not None and abs(series.step - step) > SAME_STEP * step:
                problem = f"contradicts the file, whose step is {series.step:g} s"
                remedy = "Leave the step out, or correct the file."
                raise InputError("excitation.step", step, problem, remedy)
            return series
    raise InputError(
        "file",
        str(path),
        "has none of the known formats (PEER AT2, COSMOS V2, MAT, CSV)",
        f"Convert it to CSV with a line of headings. {EXAMPLES}.",
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
    return TimeSeries(series.step, shaped, names, ("m/s2",) * len(chosen), series.remarks)
