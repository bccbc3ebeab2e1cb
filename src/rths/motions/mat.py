"""MAT files of MATLAB and Octave, version 5 (and before) and version 7.3.

The variables follow the rules of the CSV tables: one is the time (``time_s``, ``time``, ``t``,
``time_ms``) or the step (``dt``, ``dt_s``, ``step_s``), every other vector of that length is a
signal, and its name carries the unit:

    save('record.mat', 'time_s', 'acceleration_g')             % version 5
    save('record.mat', 'time_s', 'acceleration_g', '-v7.3')    % version 7.3, an HDF5 file

Matrices of (samples, channels) give one signal for each column. Texts, structures and vectors of
another length are left out. A file without time and step is read if its step is given.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from pathlib import Path

import numpy as np

from rths.errors import InputError
from rths.motions import mat5
from rths.motions.claim import check_claim
from rths.motions.even_times import even_out
from rths.motions.global_heap import check_heaps
from rths.motions.heading import Heading
from rths.motions.text_file import existing_file
from rths.motions.time_series import Array, TimeSeries, multiply
from rths.motions.unit import split_column

STEP_NAMES = ("dt", "step")
"""What a time step is called, in small letters and without its unit."""
EXAMPLE = "In MATLAB: save('record.mat', 'time_s', 'acceleration_g')."


def is_format(path: Path | str) -> bool:
    """Whether the file starts as MATLAB starts its files, or is named .mat."""
    path = Path(path)
    if path.suffix.lower() == ".mat":
        return True
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(128).startswith(b"MATLAB ")


def read(path: Path | str, step: float | None = None) -> TimeSeries:
    """The signals of the file in SI units; ``step`` is for files without a time, s."""
    arrays = _arrays(existing_file(path))
    clock, rest = _clock(path, arrays, step)
    samples = clock.samples
    names: list[str] = []
    units: list[str] = []
    columns: list[Array] = []
    for heading, array in rest.items():
        table = _columns(array, samples)
        name, unit, factor = split_column(heading)
        for i in range(table.shape[1]):
            names.append(name if table.shape[1] == 1 else f"{name}_{i + 1}")
            units.append(unit)
            with np.errstate(over="ignore"):  # what is beyond all numbers is refused below
                columns.append(multiply(table[:, i], factor))
    if not columns:
        shapes = {name: array.shape for name, array in arrays.items()}
        raise InputError(f"{path}", shapes, "holds no signal as long as its time", EXAMPLE)
    step, values, remarks = clock.even_out(np.column_stack(columns))
    shaped = values[:, 0] if len(columns) == 1 else values
    return TimeSeries(step, shaped, tuple(names), tuple(units), remarks)


def _arrays(path: Path) -> dict[str, Array]:
    import h5py

    older = mat5.read_arrays if mat5.is_version_5(path) else _from_version_4
    load = _from_hdf5 if h5py.is_hdf5(path) else older
    try:
        found = load(path)
    except InputError:
        raise
    except Exception as error:  # the readers raise a dozen kinds for a damaged file
        remedy = "Save it again from MATLAB or Octave."
        problem = f"cannot be read as a MAT file ({type(error).__name__})"
        raise InputError("file", str(path), problem, remedy) from error
    numeric = {k: np.asarray(v) for k, v in found.items()}
    return {k: v.astype(np.float64) for k, v in numeric.items() if v.dtype.kind in "fiu" and v.size}


def _from_version_4(path: Path) -> dict[str, Array]:
    from scipy.io import loadmat, whosmat

    # a complex number has 16 bytes, more than any other
    check_claim(path, sum(16 * prod(shape) for _, shape, _ in whosmat(path)), path.stat().st_size)
    return {k: v for k, v in loadmat(path).items() if not k.startswith("__")}


def _from_hdf5(path: Path) -> dict[str, Array]:
    import h5py

    found, size = {}, path.stat().st_size
    check_heaps(Path(path))
    with h5py.File(path, "r") as file:
        for name, item in file.items():
            numbers = isinstance(item, h5py.Dataset) and item.dtype.kind in "fiu"
            if not numbers or not isinstance(name, str):  # a name that is no UTF-8 comes as bytes
                continue
            if item.file.id != file.id or item.external or item.is_virtual:
                raise ValueError(f"{name} lies in another file")
            check_claim(path, item.nbytes, size)
            found[name] = np.asarray(item).T  # MATLAB stores by columns, so they come transposed
    return found


@dataclass(frozen=True, eq=False)
class _Clock:
    """When the samples were taken: at times, or at a constant step."""

    place: str
    samples: int
    factor: float
    """From the unit of times and step to seconds."""
    step: float = 0.0
    time: Array | None = None

    def even_out(self, values: Array) -> tuple[float, Array, tuple[str, ...]]:
        """Step in seconds and values at even times."""
        if self.time is None:
            return self.step * self.factor, values, ()
        step, even, remarks = even_out(self.time, values, 0.0, lambda k: f"{self.place}({k + 1})")
        return step * self.factor, even, remarks


def _clock(
    path: Path | str, arrays: dict[str, Array], given: float | None
) -> tuple[_Clock, dict[str, Array]]:
    """The times of the samples, and the other variables."""
    for heading, array in arrays.items():
        name, unit, factor = split_column(heading)
        rest = {k: v for k, v in arrays.items() if k != heading}
        if unit not in ("", "s"):
            continue
        place = f"{path}, {heading}"
        if Heading(name, unit, factor).is_time and array.size > 1:
            time = array.ravel()
            return _Clock(place, time.size, factor, time=time), rest
        if name.lower() in STEP_NAMES and array.size == 1:
            return _Clock(place, _count_samples(rest), factor, float(array.ravel()[0])), rest
    if given is not None and arrays:
        return _Clock(str(path), _count_samples(arrays), 1.0, given), arrays
    remedy = f"{EXAMPLE} Or give the step in the plan (excitation.step)."
    raise InputError(f"{path}", sorted(arrays), "holds neither a time nor a step", remedy)


def _count_samples(arrays: dict[str, Array]) -> int:
    return max((max(v.shape, default=1) for v in arrays.values()), default=0)


def _columns(array: Array, samples: int) -> Array:
    """(samples, channels), or no channel at all if the shape does not fit."""
    table = array.reshape(-1, 1) if array.ndim < 2 or 1 in array.shape else array
    if table.ndim != 2 or len(table) != samples:
        return np.empty((samples, 0))
    return table
