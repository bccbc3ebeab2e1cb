"""Named signals of one test, from a record of ours or a file of the user's."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rths.errors import InputError, suggest

if TYPE_CHECKING:
    from rths.records.record import Record

ACTUATED = ("integrator", "compensator", "transfer", "specimen")
"""Roles whose signals have a column for each actuator."""


@dataclass(frozen=True, eq=False)
class Signals:
    """Named signals with one step, and which of them a command takes unless told otherwise."""

    step: float
    values: dict[str, NDArray[np.float64]]
    units: dict[str, str]
    own: bool
    """Whether they come from a record of this package."""

    def pick(self, asked: str | None, usual: tuple[str, ...], what: str) -> NDArray[np.float64]:
        """Give the signal asked for, or the usual one if there is no doubt which it is."""
        if asked is not None:
            if asked not in self.values:
                raise self._unknown_error(f"--{what}", asked, "is not in the file")
            return self.values[asked]
        found = [n for u in usual for n in self.values if n == u]
        found = found or [n for u in usual for n in self.values if u in n.lower()]
        if not found:
            raise self._unknown_error(f"--{what}", None, "cannot be told from the names")
        return self.values[found[0]]

    def _unknown_error(self, field: str, value: str | None, problem: str) -> InputError:
        hint = "" if value is None else suggest(value, self.values)
        return InputError(field, value, problem, f"{hint}The file has: {', '.join(self.values)}.")


def signals(path: Path, channel: int = 0) -> Signals:
    """Read a record, or a CSV, MAT or other file of signals."""
    import h5py

    if path.is_file() and path.suffix.lower() != ".mat" and h5py.is_hdf5(path):
        from rths.records.hdf5 import read

        return from_record(read(path), channel)
    from rths.motions.motion import read_signals

    series = read_signals(path)
    table = series.values if series.values.ndim == 2 else series.values[:, None]
    values = {n: table[:, i].copy() for i, n in enumerate(series.names)}
    return Signals(series.step, values, dict(zip(series.names, series.units, strict=True)), False)


def _check_channel(record: Record, channel: int) -> None:
    """Refuse an actuator that the test does not have."""
    moved = [record[n].shape[1] for n in record.channels if n.partition(".")[0] in ACTUATED]
    count = max(moved, default=1)
    if channel >= count:
        remedy = f"The test has {count} actuator(s): give a channel from 0 to {count - 1}."
        raise InputError("--channel", channel, "does not exist", remedy)


def from_record(record: Record, channel: int) -> Signals:
    """Give the signals of one channel that have a value every tick."""
    _check_channel(record, channel)
    found, units = {}, {}
    for name, c in record.channels.items():
        if c.every != 1:
            continue
        table = record[name]
        shared = table.shape[1] == 1
        if not shared and channel >= table.shape[1]:  # of a structure that is smaller
            continue
        found[name] = table[:, 0 if shared else channel].copy()
        units[name] = c.units[0 if shared else channel]
    return Signals(record.tick, found, units, True)
