"""The record of a run: one HDF5 file that is enough to repeat it.

    /<role>/<signal>      float64 (samples, channels), attributes unit, rate (Hz), start (s)
    /files/<number>       bytes of a file that the plan names, attributes field, name
    /timing/...           of a run on the clock: as in timing.py
    attributes of /       format, name, plan (TOML), seed, tick, loop, created, versions,
                          status, stop, wall_seconds, real_time_factor, seal, events (JSON):
                          digests of all that is in it, and the trail of who did what; of a run
                          on the clock machine (JSON): what it allowed

The file is written while the run goes on, portion by portion, in a mode that lets others read it
meanwhile: when the process is killed, everything up to the last portion can still be read.
``status`` is "running" until the run has ended; then it is the reason of the end. Of a file that
was cut off everything before the cut is read.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import h5py
import numpy as np
from numpy.typing import NDArray

from rths.errors import InputError
from rths.loop.stop import Stop
from rths.motions.global_heap import check_heaps
from rths.plain_file import drop_link
from rths.records.hdf5_reader import FORMAT, JSON, open_record, read
from rths.records.portions import CHUNK, count_bytes
from rths.records.record import Channel, Record
from rths.records.seal import seal_file
from rths.records.timing import Timing, write_timing
from rths.records.versions import package_versions

__all__ = ["RecordWriter", "add_details", "open_record", "read", "read_digests", "write"]


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
        *,
        seed: int = 0,
        files: Mapping[str, bytes] | None = None,
        details: Mapping[str, Any] | None = None,
        timing: Timing | None = None,
    ) -> None:
        self.path, self.channels = Path(path), channels
        self.stop: Stop | None = None
        self.seal = ""
        self._rows = np.empty((0, 0))
        self._ticks = 0
        self._width = max(c.columns.stop for c in channels.values())
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = h5py.File(drop_link(self.path), "w", libver=("v110", "v110"))
        except OSError as error:
            raise InputError(
                "record", str(path), f"cannot be written ({error})", "Choose another place."
            ) from error
        self._write_head(name=name, plan=plan, seed=seed, tick=tick, loop=loop)
        self._tick, self._given, self._start = tick, dict(details or {}), time.perf_counter()
        self._write_details(files or {}, timing)
        self._data = {c.name: self._dataset(c) for c in channels.values()}
        self._file.swmr_mode = True
        self._head = self._file.id.get_filesize()

    def _write_head(self, **given: Any) -> None:
        """Write what is known before the run, and what a reader finds if it never ends."""
        self._file.attrs.update(
            format=FORMAT,
            **given,
            created=datetime.now(UTC).isoformat(timespec="seconds"),
            versions=json.dumps(package_versions()),
            status="running",
            stop="",
            wall_seconds=0.0,
            real_time_factor=0.0,
        )

    def _write_details(self, files: Mapping[str, bytes], timing: Timing | None) -> None:
        """Write what a record holds beside its signals."""
        for number, (field, content) in enumerate(files.items(), start=1):
            data = np.frombuffer(content, np.uint8)
            kept = self._file.create_dataset(f"files/{number}", data=data)
            kept.attrs["field"] = field
        if timing is not None:
            write_timing(self._file, timing)

    def _dataset(self, c: Channel) -> Any:
        width = c.columns.stop - c.columns.start
        data = self._file.create_dataset(
            _path(c.name), (0, width), "f8", chunks=(CHUNK, width), maxshape=(None, width)
        )
        data.attrs.update(unit=c.unit, rate=1 / c.step, start=c.start, every=c.every, phase=c.phase)
        data.attrs.update(signal=c.name, order=c.columns.start)
        return data

    def room(self, ticks: int) -> NDArray[np.float64]:
        """Give a buffer for the next rows."""
        if len(self._rows) < ticks:
            self._rows = np.empty((ticks, self._width))
        return self._rows[:ticks]

    def keep(self, ticks: int) -> None:
        """Append that many rows of the buffer to the file."""
        self._reserve(self._ticks + ticks)
        for name, c in self.channels.items():
            new = self._rows[c.rows(self._ticks, ticks), c.columns]
            data = self._data[name]
            before = len(data)
            data.resize(before + len(new), axis=0)
            data[before:] = new
        self._ticks += ticks
        self._file.flush()

    def _reserve(self, ticks: int) -> None:
        """Claim the room for so many ticks: HDF5 does not survive a disk that fills up under it."""
        needed = self._head + count_bytes(self.channels.values(), ticks)
        os.posix_fallocate(self._file.id.get_vfd_handle(), 0, needed)

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
        wall = self._given.get("wall_seconds", time.perf_counter() - self._start)
        with h5py.File(self.path, "r+") as file:
            file.attrs["wall_seconds"] = wall
            # a run of no tick may take no time that the clock can tell: it ticks in ns
            file.attrs["real_time_factor"] = self._ticks * self._tick / max(wall, 1e-9)
            for name in ("created", *JSON):
                if name in self._given:
                    file.attrs[name] = _text(self._given[name])
            file.attrs["status"] = stop.reason if stop else "error"
            file.attrs["stop"] = json.dumps(stop.as_dict() if stop else {"message": repr(error)})
            self.seal = seal_file(file)

    def add(self, details: Mapping[str, Any]) -> None:
        """Add to the finished record what was known only after it was written."""
        _put(self.path, details)


def write(record: Record, path: Path, loop: str = "") -> str:
    """Write a record that is in memory, as a whole or not at all; give its seal."""
    part = Path(path).with_name(Path(path).name + ".part")
    try:
        seal = _write(record, part, loop)
        os.replace(part, path)
    except BaseException:  # half a record would pass for the whole one
        part.unlink(missing_ok=True)
        raise
    return seal


def _write(record: Record, path: Path, loop: str) -> str:
    given = record.details
    with RecordWriter(
        path,
        record.name,
        record.tick,
        record.channels,
        record.plan,
        loop or str(given.get("loop", "")),
        seed=record.seed,
        files=record.files,
        details=given,
        timing=record.timing,
    ) as writer:
        if len(record.rows):
            writer.room(len(record.rows))[:] = record.rows
            writer.keep(len(record.rows))
        writer.stop = record.stop
    return writer.seal


def add_details(path: Path, details: Mapping[str, Any]) -> None:
    """Add to a finished record, which may be damaged by now, what was known only later."""
    check_heaps(path)
    _put(path, details)


def _put(path: Path, details: Mapping[str, Any]) -> None:
    with h5py.File(path, "r+") as file:
        for name, value in details.items():
            file.attrs[name] = _text(value)


def read_digests(path: Path) -> dict[str, str]:
    """Read the digests that stand in a finished record (seal.py)."""
    with open_record(path) as (file, _):
        found: dict[str, str] = json.loads(file.attrs["seal"])
        return found


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _path(name: str) -> str:
    return name.replace(".", "/").replace("[", "_").replace("]", "")
