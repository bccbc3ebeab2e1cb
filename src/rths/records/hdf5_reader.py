"""Reading a record, whole or what is left of it.

A finished file is opened as it is; one that a run is still writing, or left open when it was
killed, in the mode for readers beside a writer; one that was cut off as a mended copy, of which
only what lies before the cut is believed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray

from rths.errors import InputError
from rths.loop.stop import Stop
from rths.records.record import Channel, Record
from rths.records.salvage import open_salvaged, stored_end
from rths.records.timing import read_timing

Array = NDArray[np.float64]
FORMAT = "rths record 1"
"""Name and version of the layout; a file that says otherwise is refused."""
DETAILS = (
    "loop", "created", "versions", "wall_seconds", "real_time_factor", "events", "machine",
)  # fmt: skip
"""Attributes that tell how a record came about."""
JSON = ("versions", "events", "machine")
"""Those that are written as JSON."""


def read(path: Path | str) -> Record:
    """Read a record, also of a run that was killed before it ended, or what is left of one."""
    with open_record(path) as (file, size):
        return _read(file, size)


@contextmanager
def open_record(path: Path | str) -> Iterator[tuple[Any, int]]:
    """Open a record whatever happened to it; beside it the number of bytes to be believed."""
    path = Path(path)
    size = path.stat().st_size if path.is_file() else 0
    try:
        with h5py.File(path, "r") as file:
            yield _check(path, file), size
            return
    except FileNotFoundError:
        raise InputError("record", str(path), "does not exist", "Check the name.") from None
    except OSError as error:
        failed = error
    end = stored_end(path) if size else None
    if end is None:
        raise InputError(
            "record", str(path), f"cannot be read ({failed})", "Give a record of this package."
        ) from failed
    try:
        if size < end:
            with open_salvaged(path) as copy, h5py.File(copy, "r") as file:
                if file.attrs["format"] != FORMAT:
                    raise KeyError("format")
                yield file, size
        else:  # a run that goes on, or was killed
            with h5py.File(path, "r", swmr=True) as file:
                yield _check(path, file), size
    except (OSError, KeyError, RuntimeError) as error:
        raise InputError(
            "record",
            str(path),
            f"is cut off after {size} of {end} bytes, and nothing of it can be read",
            "Copy the file again, or repeat the run.",
        ) from error


def _check(path: Path, file: Any) -> Any:
    if file.attrs.get("format") != FORMAT:
        raise InputError("record", str(path), f"is no {FORMAT!r}", "Give a record of this package.")
    return file


def _read(file: Any, size: int) -> Record:
    tick = float(file.attrs["tick"])
    signals = _signals(file)
    counts = {d.name: _count_readable(d, size) for d in signals}
    whole = all(counts[d.name] == len(d) for d in signals)
    if not whole:
        signals = [d for d in signals if counts[d.name]]
    ends = {
        d.name: (counts[d.name] - 1) * int(d.attrs["every"]) + int(d.attrs["phase"]) + 1
        for d in signals
    }
    if not ends:
        raise KeyError("no signal can be read")
    ticks = max(ends.values()) if whole else min(ends.values())
    channels, rows = _read_rows(signals, ticks)
    lost = "" if whole else f"the file is cut off: {ticks} ticks could be read"
    stop = _stop(file, lost, ticks, tick)
    given = {"name": "", "plan": "", "seed": 0, **_attributes(file)}
    record = Record(
        str(given["name"]),
        tick,
        channels,
        rows,
        stop,
        str(given["plan"]),
        int(given["seed"]),
        files_of(file),
        {k: given[k] for k in DETAILS if k in given},
    )
    return replace(record, timing=read_timing(file, record))


def _read_rows(signals: list[Any], ticks: int) -> tuple[dict[str, Channel], Array]:
    """Read the signals into rows, a row a tick; where a slower one has no value it is none."""
    channels: dict[str, Channel] = {}
    rows = np.full((ticks, sum(d.shape[1] for d in signals)), np.nan)
    first = 0
    for d in signals:
        every, phase, width = int(d.attrs["every"]), int(d.attrs["phase"]), d.shape[1]
        columns = slice(first, first + width)
        part = rows[phase::every, columns]
        part[:] = d[: len(part)]
        name = str(d.attrs.get("signal", d.name.strip("/").replace("/", ".")))
        channels[name] = Channel(
            name, str(d.attrs["unit"]), 1 / float(d.attrs["rate"]), float(d.attrs["start"]),
            every, phase, columns,
        )  # fmt: skip
        first += width
    return channels, rows


def _signals(file: Any) -> list[Any]:
    """Give the datasets of the signals, in the order of the loop."""
    found: list[Any] = []

    def look(name: str, item: Any) -> None:
        if hasattr(item, "shape") and "unit" in item.attrs:
            found.append(item)

    file.visititems(look)
    return sorted(found, key=lambda d: int(d.attrs.get("order", 0)))


def _count_readable(data: Any, size: int) -> int:
    """Count the rows that lie before the end of the file."""
    rows = 0
    while rows < len(data):
        try:
            chunk = data.id.get_chunk_info_by_coord((rows, 0))
        except (OSError, RuntimeError, ValueError):
            break
        if chunk.byte_offset is None or chunk.byte_offset + chunk.size > size:
            break
        rows += data.chunks[0]
    return min(rows, len(data))


def _attributes(file: Any) -> dict[str, Any]:
    """Give the attributes that can be read: of a file cut off the last ones are lost."""
    found = {}
    for name in file.attrs:
        try:
            value = file.attrs[name]
        except (OSError, RuntimeError, KeyError):
            continue
        found[name] = json.loads(value) if name in JSON else value
    return {k: v.item() if hasattr(v, "item") else v for k, v in found.items()}


def files_of(file: Any) -> dict[str, bytes]:
    """Give the files that travel with a record, by the field that names them."""
    try:
        kept = file["files"].values() if "files" in file else ()
        return {str(d.attrs["field"]): d[:].tobytes() for d in kept}
    except (OSError, RuntimeError, KeyError):
        return {}


def _stop(file: Any, lost: str, ticks: int, tick: float) -> Stop:
    given = _attributes(file)
    told = {} if lost else json.loads(given.get("stop") or "{}")
    if "reason" in told:
        return Stop.from_dict(told)
    running = given.get("status") == "running"
    why = lost or ("the run was killed before it ended" if running else told.get("message", ""))
    return Stop("interrupted", ticks, ticks * tick, f"stopped after tick {ticks - 1}: {why}")
