"""From a journal and what is left in shared memory to a record, after a crash or a good end."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rths.assembly.hybrid_test import HybridTest
from rths.config.attachments import attached_files
from rths.config.plan import load
from rths.errors import InputError
from rths.loop.stop import Stop
from rths.plain_file import read_text, write_text
from rths.realtime.control_words import ControlWord
from rths.realtime.journal import read_journal
from rths.realtime.lifecycle import end_is_noted, latch, note_recovery
from rths.realtime.ring import SharedRing, find_ring, spare_status
from rths.realtime.trip_latch import end_must_latch, let_rig_go
from rths.records.details import read_detail, read_stop
from rths.records.record import Record, channels_of
from rths.records.timing import PERCENTILES, ROW_HEADER, Timing, link_of, percentiles
from rths.run.run_directory import RunDirectory, read_json, write_json

COUNTS = ("slips", "lost")
"""What the ring counts."""


def recover(folder: Path) -> Stop:
    """Make the record of a run that was cut off, and latch the trip that nobody has noted."""
    with RunDirectory(folder).hold(patience=2.0):
        stop = rebuild_record(folder)
        latched = end_must_latch(RunDirectory(folder), stop)
        if not latched:
            let_rig_go(RunDirectory(folder))
        if latched and not end_is_noted(folder):
            latch(folder, stop)
        else:
            note_recovery(folder)
    return stop


def rebuild_record(folder: Path) -> Stop:
    """Make the record of a run directory from everything that was taken; keep it beside."""
    directory = RunDirectory(folder)
    about, rows = read_journal(directory.journal)
    test = load(directory.find_plan())
    _check_width(directory, test, about["width"])
    counted = _earlier_counts(directory)
    ring = _attach_ring(about.get("ring", ""), about["width"])
    if ring is not None:
        counted = {"slips": ring.read(ControlWord.SLIPS), "lost": ring.read(ControlWord.LOST)}
        rows = np.concatenate([rows, read_ring_rows(ring, rows)])
        if spare_status(ring.path).exists():
            write_text(directory.status, spare_status(ring.path).read_text())
    record = _record(directory, test, place_rows(rows, test.clock.ticks), counted)
    from rths.records.hdf5 import write

    write(record, directory.record)
    assert record.timing is not None
    write_json(directory.timing, _in_microseconds(record.timing))
    if ring is not None:
        ring.remove()
    return record.stop


def _attach_ring(name: str, width: int) -> SharedRing | None:
    """Map the ring of a run; None if it is gone, or if it is no ring of this run."""
    path = find_ring(name)
    if path is None:
        return None
    try:
        return SharedRing.attach(path, width)
    except ValueError:  # cut off, or of another width
        return None


def _check_width(directory: RunDirectory, test: HybridTest, width: int) -> None:
    """Refuse a journal whose rows are not those of the plan beside it."""
    planned = len(test.live_layout.record_slots) + len(ROW_HEADER)
    if width != planned:
        problem = f"has {width} columns, and the plan beside it records {planned}"
        remedy = "Give the directory as the run left it."
        raise InputError("journal", str(directory.journal), problem, remedy)


def _record(
    directory: RunDirectory, test: HybridTest, rows: NDArray[np.float64], counted: dict[str, int]
) -> Record:
    """Put together what a run directory tells: rows, plan, timing, events, machine."""
    stop = _stop(directory, len(rows), test.tick, counted["slips"])
    channels = channels_of(test.live_layout, test.tick)
    plan = read_text(directory.plan)
    # a tick is due when its number and the slipped periods have passed: that is the wall's time
    ticks = len(rows)
    details: dict[str, Any] = {
        "loop": "table",
        "wall_seconds": (ticks + counted["slips"]) * test.tick,
    }
    kept = {"events": directory.events, "machine": directory.machine, "rig": directory.rig}
    for name, path in kept.items():
        with suppress(OSError, ValueError):  # a full disk may have cut it off
            details[name] = read_detail(name, read_text(path))
    record = Record(
        test.name,
        test.tick,
        channels,
        rows[:, len(ROW_HEADER) :],
        stop,
        plan,
        test.seed,
        attached_files(test),
        details,
    )
    latency, busy = (1e-9 * rows[:, ROW_HEADER.index(name)] for name in ("latency", "busy"))
    timing = Timing(latency, busy, counted["slips"], counted["lost"], link_of(record))
    return replace(record, timing=timing)


def _earlier_counts(directory: RunDirectory) -> dict[str, int]:
    """Give what was counted when the record was made before: the ring is gone since."""
    known: Any = {}
    if directory.follows_journal(directory.timing):
        with suppress(OSError, ValueError):  # cut off by a full disk
            known = read_json(directory.timing)
    counted = {name: known.get(name) if isinstance(known, dict) else 0 for name in COUNTS}
    # a text that was damaged may hold any number, and the record has words of 64 bits
    sound = {k: n for k, n in counted.items() if isinstance(n, int) and 0 <= n < 1 << 63}
    return {name: sound.get(name, 0) for name in COUNTS}


def read_ring_rows(ring: SharedRing, journal: NDArray[np.float64]) -> NDArray[np.float64]:
    """Read the rows that are in the ring and not in the journal."""
    head, size = ring.read(ControlWord.WRITTEN), len(ring.rows)
    rows: NDArray[np.float64] = ring.rows[np.arange(max(0, head - size), head) & (size - 1)].copy()
    return rows[rows[:, 0] > journal[-1, 0]] if len(journal) else rows


def place_rows(rows: NDArray[np.float64], most: int) -> NDArray[np.float64]:
    """Put every row at its tick; a row that found no room in the ring is not a number."""
    ticks = rows[:, 0].astype(int)
    if not len(rows) or ticks[-1] + 1 == len(rows):
        return rows
    if ticks[-1] >= most:
        remedy = "Give the directory as the run left it."
        raise InputError("journal", int(ticks[-1]), f"is no tick of a test of {most}", remedy)
    whole = np.full((ticks[-1] + 1, rows.shape[1]), np.nan)
    whole[ticks] = rows
    return whole


def _stop(directory: RunDirectory, done: int, tick: float, slips: int) -> Stop:
    """Say why the run ended after ``done`` ticks, as far as the loop could tell."""
    when = f"stopped at tick {done} (t = {done * tick:.6g} s)"
    texts = {
        "completed": "completed",
        "asked": f"{when}: the operator asked for it",
        "slips": f"{when}: {slips} periods slipped, more than the plan allows",
        "heartbeat": f"{when}: the supervisor's heartbeat was lost",
        None: f"{when}: the loop's process was killed",
    }
    reason = None
    with suppress(OSError, ValueError, AttributeError):  # never written, or cut off
        status = read_json(directory.status)
        if status.get("stop"):
            told = read_stop(json.dumps(status["stop"]))
            if isinstance(told, Stop):
                return told
        found = status.get("reason")
        reason = found if isinstance(found, str) and found in texts else None
    kind: Any = {"asked": "interrupted", None: "killed"}.get(reason, reason)
    return Stop(kind, done, done * tick, texts[reason])


def _in_microseconds(timing: Timing) -> dict[str, Any]:
    """Give the timing statistics of a run as they stand beside its record."""
    told: dict[str, Any] = {"slips": timing.slips, "lost": timing.lost}
    told |= {k: v for k, v in timing.counts.items() if k not in ("slips", "lost_rows")}
    for name, times in timing.times.items():
        found = percentiles(times) if times.size else dict.fromkeys(PERCENTILES, 0.0)
        told["busy" if name == "execution_time" else name] = {
            k.replace("_", "."): 1e6 * v for k, v in found.items()
        }
    return told
