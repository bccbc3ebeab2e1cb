"""The record of a run: one HDF5 file that is enough to repeat it.

    /<role>/<signal>      float64 (samples, channels), attributes unit, rate (Hz), start (s)
    attributes of /       format, name, plan (TOML, with seed), tick, loop, versions, status, stop

The file is written while the run goes on, portion by portion, in a mode that lets others read it
meanwhile: when the process is killed, everything up to the last portion can still be read.
``status`` is "running" until the run has ended; then it is the reason of the end.
"""

from __future__ import annotations

import json
import platform
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import h5py
import numpy as np
from numpy.typing import NDArray

from rths.errors import InputError
from rths.loop.stop import Stop
from rths.records.record import Channel, Record

FORMAT = "rths record 1"
CHUNK = 8192


class RecordWriter:
    """Keeps the rows of a run in a file; a context manager that closes it whatever happens."""

    def __init__(
        self,
        path: Path,
        name: str,
        tick: float,
        channels: dict[str, Channel],
        plan: str,
        loop: str,
    ) -> None:
        self.path, self.channels = Path(path), channels
        self.stop: Stop | None = None
        self._rows = np.empty((0, 0))
        self._ticks = 0
        self._width = max(c.columns.stop for c in channels.values())
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = h5py.File(self.path, "w", libver=("v110", "v110"))
        except OSError as error:
            raise InputError(
                "record", str(path), f"cannot be written ({error})", "Choose another place."
            ) from error
        self._file.attrs.update(
            format=FORMAT,
            name=name,
            plan=plan,
            tick=tick,
            loop=loop,
            created=datetime.now(UTC).isoformat(timespec="seconds"),
            versions=json.dumps(_versions()),
            status="running",
            stop="",
        )
        self._data = {c.name: self._dataset(c) for c in channels.values()}
        self._file.swmr_mode = True

    def _dataset(self, c: Channel) -> Any:
        width = c.columns.stop - c.columns.start
        data = self._file.create_dataset(
            _path(c.name), (0, width), "f8", chunks=(CHUNK, width), maxshape=(None, width)
        )
        data.attrs.update(unit=c.unit, rate=1 / c.step, start=c.start, every=c.every, phase=c.phase)
        return data

    def room(self, ticks: int) -> NDArray[np.float64]:
        """Give a buffer for the next rows."""
        if len(self._rows) < ticks:
            self._rows = np.empty((ticks, self._width))
        return self._rows[:ticks]

    def keep(self, ticks: int) -> None:
        """Append that many rows of the buffer to the file."""
        for name, c in self.channels.items():
            new = self._rows[c.rows(self._ticks, ticks), c.columns]
            data = self._data[name]
            before = len(data)
            data.resize(before + len(new), axis=0)
            data[before:] = new
        self._ticks += ticks
        self._file.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()
        stop = self.stop
        with h5py.File(self.path, "r+") as file:
            file.attrs["status"] = stop.reason if stop else "error"
            file.attrs["stop"] = json.dumps(stop.as_dict() if stop else {"message": repr(error)})


def write(record: Record, path: Path, loop: str) -> None:
    """Write a record that is in memory."""
    with RecordWriter(path, record.name, record.tick, record.channels, record.plan, loop) as writer:
        writer.room(len(record.rows))[:] = record.rows
        writer.keep(len(record.rows))
        writer.stop = record.stop


def _path(name: str) -> str:
    return name.replace(".", "/").replace("[", "_").replace("]", "")


def _versions() -> dict[str, str]:
    packages = ("rths", "numpy", "numba", "h5py")
    return {"python": platform.python_version(), **{p: version(p) for p in packages}}


def read(path: Path | str) -> Record:
    """Read a record, also of a run that was killed before it ended."""
    try:
        file = h5py.File(path, "r", swmr=True)
    except OSError as error:
        raise InputError(
            "record", str(path), f"cannot be read ({error})", "Give a record of this package."
        ) from error
    with file:
        if file.attrs.get("format") != FORMAT:
            raise InputError(
                "record", str(path), f"is no {FORMAT!r}", "Give a record of this package."
            )
        return _read(file)


def _read(file: Any) -> Record:
    tick = float(file.attrs["tick"])
    channels: dict[str, Channel] = {}
    parts: list[NDArray[np.float64]] = []
    found: list[Any] = []
    file.visititems(lambda name, item: found.append(item) if hasattr(item, "shape") else None)
    ticks = max((len(d) - 1) * int(d.attrs["every"]) + int(d.attrs["phase"]) + 1 for d in found)
    first = 0
    for d in found:
        every, phase, width = int(d.attrs["every"]), int(d.attrs["phase"]), d.shape[1]
        name = d.name.strip("/").replace("/", ".")
        columns = slice(first, first + width)
        channel = Channel(
            name, str(d.attrs["unit"]), 1 / float(d.attrs["rate"]), float(d.attrs["start"]),
            every, phase, columns,
        )  # fmt: skip
        rows = np.full((ticks, width), np.nan)
        rows[phase::every][: len(d)] = d[:]
        channels[name], first = channel, first + width
        parts.append(rows)
    text = file.attrs["stop"]
    stop = _stop(json.loads(text) if text else {}, str(file.attrs["status"]), ticks, tick)
    rows = np.concatenate(parts, axis=1)
    return Record(str(file.attrs["name"]), tick, channels, rows, stop, str(file.attrs["plan"]))


def _stop(given: dict[str, Any], status: str, ticks: int, tick: float) -> Stop:
    if "reason" in given:
        limit = given["limit"]
        return Stop(**{**given, "limit": tuple(limit) if limit else None})
    why = "the run was killed before it ended" if status == "running" else given.get("message", "")
    return Stop("interrupted", ticks, ticks * tick, f"stopped after tick {ticks - 1}: {why}")
