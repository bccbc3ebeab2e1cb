"""Signals sampled at one constant step: the form that every reader of a record gives.

    x(t) = x_k + (x_(k+1) - x_k) (t - k h)/h,   k h <= t < (k+1) h                           (1)

between the samples, and zero before the first and after the last. Time counts from the first
sample. A checked series has a positive step, at least two samples and finite values only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rths.errors import InputError
from rths.motions.unit import to_si

Array = NDArray[np.float64]


def multiply(values: Array, factor: float | Array) -> Array:
    """Values times a factor; infinite beyond all numbers, which a series refuses."""
    with np.errstate(over="ignore"):
        return np.asarray(factor * values)


@dataclass(frozen=True, eq=False)
class TimeSeries:
    """Samples ``values`` (samples,) or (samples, channels), ``step`` seconds apart, in SI units."""

    step: float
    values: Array
    names: tuple[str, ...] = ("signal",)
    units: tuple[str, ...] = ("",)
    remarks: tuple[str, ...] = ()
    """What a reader had to do to the samples, to be said to the user."""

    def __post_init__(self) -> None:
        values = np.array(self.values, dtype=np.float64, order="C")
        values.setflags(write=False)
        object.__setattr__(self, "values", values)
        object.__setattr__(self, "step", float(self.step))
        object.__setattr__(self, "names", _texts(self.names))
        object.__setattr__(self, "units", _texts(self.units))
        self._check()

    def _check(self) -> None:
        if not 0.0 < self.step < np.inf:
            raise InputError("step", self.step, "is no time step", "Give seconds above zero.")
        if self.values.ndim not in (1, 2) or len(self.values) < 2:
            raise InputError(
                "values",
                self.values.shape,
                "is not the shape of a record",
                "Give (samples,) or (samples, channels) with two samples or more.",
            )
        if len(self.names) != self.channels or len(self.units) != self.channels:
            raise InputError(
                "names",
                self.names,
                f"does not fit {self.channels} channel(s) with units {self.units}",
                "Give one name and one unit for each channel.",
            )
        bad = np.argwhere(~np.isfinite(self.values))
        if bad.size:
            place = tuple(int(i) for i in bad[0])
            raise InputError(
                f"values[{place[0]}]",
                float(self.values[place]),
                "is not a finite number",
                "Repair or cut out the damaged samples.",
            )

    @property
    def samples(self) -> int:
        """Number of samples of each channel."""
        return len(self.values)

    @property
    def channels(self) -> int:
        """Number of signals side by side."""
        return 1 if self.values.ndim == 1 else int(self.values.shape[1])

    @property
    def duration(self) -> float:
        """Seconds from the first sample to the last."""
        return (self.samples - 1) * self.step

    @property
    def times(self) -> Array:
        """Seconds of the samples, from zero."""
        return self.step * np.arange(self.samples, dtype=np.float64)

    @property
    def peak(self) -> float:
        """Largest absolute value of all channels."""
        return float(np.max(np.abs(self.values)))

    @property
    def unit(self) -> str:
        """The unit that all channels share."""
        if len(set(self.units)) > 1:
            raise InputError("unit", self.units, "is not the same for all", "Pick one channel.")
        return self.units[0]

    def channel(self, name: str) -> TimeSeries:
        """The one signal of that name."""
        if name not in self.names:
            raise InputError("channel", name, "is not in this record", f"It has {self.names}.")
        i = self.names.index(name)
        column = self.values if self.values.ndim == 1 else self.values[:, i]
        return TimeSeries(self.step, column, (name,), (self.units[i],), self.remarks)

    def values_at(self, times: ArrayLike) -> Array:
        """Values at any times, by equation (1); a row of channels for each time."""
        t = np.asarray(times, dtype=np.float64)
        # a time that misses the last sample by round-off still belongs to the record
        t = np.where(np.abs(t - self.duration) < 1e-9 * self.step, self.duration, t)
        grid = self.times
        if self.values.ndim == 1:
            return np.asarray(np.interp(t, grid, self.values, left=0.0, right=0.0))
        columns = [np.interp(t, grid, c, left=0.0, right=0.0) for c in self.values.T]
        return np.stack(columns, axis=-1)

    def scale(self, factor: float) -> TimeSeries:
        """All values times the factor."""
        return replace(self, values=multiply(self.values, factor))

    def scale_to_peak(self, peak: float) -> TimeSeries:
        """Scaled so that the largest absolute value is ``peak``, in the unit of the series."""
        if self.peak == 0.0:
            raise InputError("peak", peak, "cannot be reached from zeros", "Use another record.")
        return self.scale(peak / self.peak)

    def convert(self, unit: str) -> TimeSeries:
        """Values taken as ``unit`` (such as "g") and brought to SI, if the file names no unit."""
        if any(self.units):
            raise InputError(
                "excitation.unit",
                unit,
                f"contradicts the file, which says {self.units}",
                "Leave the unit out, or correct the file.",
            )
        si, factor = to_si(unit)
        return replace(self, values=multiply(self.values, factor), units=(si,) * self.channels)


def _texts(names: Sequence[str] | str) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else tuple(names)
