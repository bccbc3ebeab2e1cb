"""A trip stays in the run directory until somebody has acknowledged it.

A directory in which a test tripped takes no new run, and neither does any directory next to it for
the same rig. Acknowledging keeps the trip under another name with who did it, and is an event of
the record as well.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rths.assembly.hybrid_test import HybridTest
from rths.errors import InputError
from rths.realtime.events import Event, put_into_record, read_events, write_events
from rths.run.run_directory import RunDirectory, read_json, write_json

LATCHED = ("trip", "killed")
"""Ends of a run after which somebody must look before the next."""


def write_trip(directory: RunDirectory, cause: dict[str, Any]) -> None:
    """Latch a trip with its cause."""
    with suppress(OSError):  # a full disk must not end the supervisor; it is written again at last
        write_json(directory.trip, {**cause, "acknowledged": None})


def refuse_tripped(folder: Path) -> None:
    """Refuse a directory whose trip nobody has acknowledged."""
    directory = RunDirectory(folder)
    if directory.trip.exists():
        remedy = (
            "Find the cause, make sure that the rig is safe, then: "
            f"rths acknowledge {folder} --by NAME. It was: {_read_trip(directory)['message']}"
        )
        raise InputError("folder", str(folder), "holds a trip not yet acknowledged", remedy)


def refuse_tripped_rig(test: HybridTest, folder: Path) -> None:
    """Refuse a rig that tripped in a directory next to this one, until it is acknowledged."""
    from rths.config.plan import load

    for tripped in RunDirectory(folder).tripped_nearby():
        with suppress(InputError, OSError):  # a plan that cannot be read may be of this rig
            if load(tripped.plan).hardware != test.hardware:
                continue
        refuse_tripped(tripped.folder)


def acknowledge(folder: Path, by: str) -> str:
    """Acknowledge the trip of a directory; give its cause."""
    directory = RunDirectory(folder)
    if not directory.trip.exists():
        raise InputError("folder", str(folder), "holds no trip", "Name the directory of the run.")
    now = datetime.now(UTC).isoformat()
    trip = {**_read_trip(directory), "acknowledged": {"by": by, "time": now}}
    write_json(directory.next_acknowledged_trip(), trip)
    directory.trip.unlink()
    events = [*read_events(directory), Event(now, "idle", f"acknowledged by {by}")]
    write_events(directory, events)
    put_into_record(directory, events)
    return str(trip["message"])


def _read_trip(directory: RunDirectory) -> dict[str, Any]:
    try:
        found: dict[str, Any] = read_json(directory.trip)
    except ValueError:  # cut off by a full disk: it tripped all the same
        found = {"message": "of a cause that could not be written down"}
    return found
