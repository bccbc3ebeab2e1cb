"""Reading a record, whole or what is left of it.

A finished file is opened as it is; one that a run is still writing, left open when it was killed,
or that was cut off, as it can be salvaged, of which only what lies before the cut is believed.
Beside a writer a look may fall between two of its steps: it is repeated. A file that is no record,
or a damaged one, gives one message and takes no more memory than it may (motions/claim.py).
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray

from rths.errors import InputError
from rths.loop.stop import Stop
from rths.motions.claim import check_claim
from rths.motions.global_heap import check_heaps
from rths.plain_file import suggest_file
from rths.records.details import FORMS, read_detail, read_stop
from rths.records.record import Channel, Record
from rths.records.salvage import Salvaged, is_open, stored_end
from rths.records.stored import (
    find_item,
    items_of,
    read_attribute,
    read_count,
    read_number,
    read_numbers,
)
from rths.records.timing import read_timing

Array = NDArray[np.float64]
FORMAT = "rths record 1"
"""Name and version of the layout; a file that says otherwise is refused."""
DETAILS = (
    "loop", "created", "versions", "wall_seconds", "real_time_factor", "events", "machine",
    "rig",
)  # fmt: skip
"""Attributes that tell how a record came about."""
JSON = tuple(FORMS)
"""Those that are written as JSON."""
AGAIN = (0.05, 0.2)
"""Waits before another look at a file that a writer has open, s."""
DAMAGES = (
    ArithmeticError, AttributeError, LookupError, MemoryError, OSError, RuntimeError, TypeError,
    ValueError,
)  # fmt: skip
"""What reading raises where a file is not what it says."""


def read(path: Path | str) -> Record:
    """Read a record, also of a run that was killed before it ended, or what is left of one."""
    waits = iter(AGAIN)
    while True:
        try:
            with open_record(path) as (file, size):
                return _read(file, size)
        except InputError:
            raise
        except DAMAGES as error:
            wait = next(waits, None)
            if wait is None or not is_open(Path(path)):
                raise damage_error(path, error) from error
        time.sleep(wait)


def damage_error(path: Path | str, error: BaseException) -> InputError:
    """Say that a record cannot be read, and what was in the way."""
    why = str(error).partition("\n")[0] or type(error).__name__
    remedy = "Copy the file again, or repeat the run."
    return InputError("record", str(path), f"is damaged ({why})", remedy)


@contextmanager
def open_record(path: Path | str) -> Iterator[tuple[Any, int]]:
    """Open a record whatever happened to it; beside it the number of bytes to be believed."""
    path = Path(path)
    with ExitStack() as opened:
        yield _open(path, opened)


def _open(path: Path, opened: ExitStack) -> tuple[Any, int]:
    """Open a record in the mode that its state asks for."""
    if not path.exists():
        remedy = f"{suggest_file(path)}Check the name; rths run leaves records in runs/."
        raise InputError("record", str(path), "does not exist", remedy)
    if not path.is_file():
        raise InputError("record", str(path), "is no file", "Name the record in it.")
    size = path.stat().st_size
    check_heaps(path)
    try:
        return _check(path, opened.enter_context(h5py.File(path, "r"))), size
    except OSError as error:
        failed = error
    end = stored_end(path) if size else None
    if end is None:
        remedy = "Give a record of this package."
        if path.suffix.lower() == ".toml":
            remedy = f"It looks like a plan: run it with rths run {path}, and name its record."
        why = failed if h5py.is_hdf5(path) else "it is no HDF5 file"
        raise InputError("record", str(path), f"cannot be read ({why})", remedy) from failed
    try:
        salvaged = opened.enter_context(Salvaged(path))
        return _check(path, opened.enter_context(h5py.File(salvaged, "r"))), size
    except InputError:
        raise
    except (OSError, KeyError, RuntimeError, ValueError) as error:
        if size >= end:
            raise damage_error(path, error) from error
        raise InputError(
            "record",
            str(path),
            f"is cut off after {size} of {end} bytes, and nothing of it can be read",
            "Copy the file again, or repeat the run.",
        ) from error


def _check(path: Path, file: Any) -> Any:
    if "format" not in file.attrs or read_attribute(file, "format") != FORMAT:
        raise InputError("record", str(path), f"is no {FORMAT!r}", "Give a record of this package.")
    return file


def _read(file: Any, size: int) -> Record:
    tick = read_number(file, "tick")
    if tick <= 0:
        raise ValueError(f"tick is {tick}")
    signals = _signals(file)
    counts = {d.name: _count_readable(d, size) for d in signals}
    whole = all(counts[d.name] == len(d) for d in signals)
    if not whole:
        signals = [d for d in signals if counts[d.name]]
    ends = {
        d.name: (counts[d.name] - 1) * read_count(d, "every") + read_count(d, "phase") + 1
        for d in signals
    }
    if not ends:
        raise KeyError("no signal can be read")
    ticks = max(ends.values()) if whole else min(ends.values())
    check_claim(file.filename, 8 * ticks * sum(d.shape[1] for d in signals), size)
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
        files_of(file, size),
        {k: given[k] for k in DETAILS if k in given},
    )
    return replace(record, timing=read_timing(file, record, size))


def _read_rows(signals: list[Any], ticks: int) -> tuple[dict[str, Channel], Array]:
    """Read the signals into rows, a row a tick; where a slower one has no value it is none."""
    channels: dict[str, Channel] = {}
    rows = np.full((ticks, sum(d.shape[1] for d in signals)), np.nan)
    first = 0
    for d in signals:
        columns = slice(first, first + d.shape[1])
        channel = _channel(d, columns)
        part = rows[channel.phase :: channel.every, columns]
        part[:] = d[: len(part)]
        channels[channel.name] = channel
        first = columns.stop
    return channels, rows


def _channel(data: Any, columns: slice) -> Channel:
    """Describe a stored signal; its sampling must be one."""
    name = str(data.attrs.get("signal", data.name.strip("/").replace("/", ".")))
    every, phase = read_count(data, "every"), read_count(data, "phase")
    rate, start = read_number(data, "rate"), read_number(data, "start")
    if not phase < every or not rate > 0:
        raise ValueError(f"{name} has no sampling: every {every}, phase {phase}, {rate} Hz")
    return Channel(name, str(read_attribute(data, "unit")), 1 / rate, start, every, phase, columns)


def _signals(file: Any) -> list[Any]:
    """Give the datasets of the signals, in the order of the loop."""
    found: list[Any] = []

    def look(name: str, item: Any) -> None:
        if isinstance(item, h5py.Dataset) and "unit" in item.attrs:
            if item.ndim != 2 or item.shape[1] < 1 or item.dtype.kind not in "fiu":
                raise ValueError(f"{name} is no table of numbers")
            found.append(item)

    file.visititems(look)
    return sorted(found, key=lambda d: read_count(d, "order") if "order" in d.attrs else 0)


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
            value = read_attribute(file, name)
        except (OSError, RuntimeError, KeyError):
            continue
        found[name] = read_detail(name, value) if name in JSON else value
    return found


def files_of(file: Any, size: int) -> dict[str, bytes]:
    """Give the files that travel with a record of so many bytes, by the field that names them."""
    try:
        kept = find_item(file, "files")
        found = items_of(kept) if kept is not None else ()
        return {str(read_attribute(d, "field")): read_numbers(d, size).tobytes() for _, d in found}
    except (OSError, RuntimeError, KeyError):
        return {}


def _stop(file: Any, lost: str, ticks: int, tick: float) -> Stop:
    given = _attributes(file)
    told = "" if lost else read_stop(given.get("stop"))
    if isinstance(told, Stop):
        return told
    running = given.get("status") == "running"
    why = lost or ("the run was killed before it ended" if running else told)
    return Stop("interrupted", ticks, ticks * tick, f"stopped after tick {ticks - 1}: {why}")
