"""A trip stays in the run directory, and with its rig, until somebody has acknowledged it.

A directory in which a test tripped takes no new run, and its rig none from any directory (see
rig_latch.py). Acknowledging keeps the trip under another name with who did it and why, and is an
event of the record as well.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

from rths.errors import InputError
from rths.loop.stop import Stop
from rths.realtime.acknowledgement import Acknowledgement
from rths.realtime.events import Event, put_into_record, read_events, write_events
from rths.realtime.rig_latch import find_latch, latch_of
from rths.run.run_directory import RunDirectory, read_json, write_json

LATCHED = ("trip", "killed")
"""Ends of a run without a rig after which somebody must look before the next."""
GOOD = ("completed", "interrupted")
"""Ends of a run that moved a rig after which it may be moved again: others left it on its way."""


def must_latch(reason: str, moved: bool) -> bool:
    """Tell whether somebody must look after such an end, of a run that moved a rig or none."""
    return reason not in GOOD if moved else reason in LATCHED


def end_must_latch(directory: RunDirectory, stop: Stop) -> bool:
    """Tell the same of a run by its directory, which names the rig that it has met."""
    return must_latch(stop.reason, directory.rig.exists())


def write_trip(directory: RunDirectory, cause: dict[str, Any]) -> None:
    """Latch a trip with its cause, for the directory and for its rig."""
    with suppress(OSError):  # a full disk must not end the supervisor; it is written again at last
        write_json(directory.trip, {**cause, "acknowledged": None})
    rig = latch_of(directory)
    if rig is not None:
        rig.latch(directory.folder, str(cause.get("message")))


def let_rig_go(directory: RunDirectory) -> None:
    """Free the rig of a run that has ended as planned, or that has not begun."""
    rig = latch_of(directory)
    if rig is not None:
        rig.free(directory.folder)


def refuse_tripped(folder: Path) -> None:
    """Refuse a directory whose trip nobody has acknowledged."""
    directory = RunDirectory(folder)
    if directory.trip.exists():
        remedy = (
            "Find the cause, make sure that the rig is safe, then: rths acknowledge "
            f"{folder} --by NAME --cause WORDS. It was: {_read_trip(directory)['message']}"
        )
        raise InputError("folder", str(folder), "holds a trip not yet acknowledged", remedy)


def require_trip(folder: Path, held: bool = False) -> None:
    """Refuse a directory that holds no trip, whose run goes on, or that must be recovered first.

    ``held`` tells that whoever asks holds the directory himself.
    """
    directory = RunDirectory(folder)
    if not held and directory.is_held():
        problem, remedy = "is the directory of a run that goes on", "Wait for its end."
        raise InputError("folder", str(folder), problem, remedy)
    if directory.trip.exists():
        return
    directory.refuse_unrecovered()
    if find_latch(folder) is not None:
        return
    remedy = "Name the directory of the run that tripped, or the plan of the rig."
    raise InputError("folder", str(folder), "holds no trip", remedy)


def acknowledge(folder: Path, who: Acknowledgement, held: bool = False) -> str:
    """Acknowledge the trip of a directory and of its rig; give its cause.

    A run that was cut off before it began has left no trip, and its rig engaged.
    """
    require_trip(folder, held)
    directory = RunDirectory(folder)
    rig, given = latch_of(directory) or find_latch(folder), who.as_dict()
    if rig is not None and not directory.trip.exists():
        rig.acknowledge(who)
        return "the run was cut off before it began"
    trip = {**_read_trip(directory), "acknowledged": given}
    write_json(directory.next_acknowledged_trip(), trip)
    directory.trip.unlink()
    if rig is not None and rig.concerns(folder):  # not since another run
        rig.acknowledge(who)
    told = f"acknowledged by {who.people}: {who.cause}"
    events = [*read_events(directory), Event(given["time"], "idle", told)]
    write_events(directory, events)
    put_into_record(directory, events)
    return str(trip["message"])


def _read_trip(directory: RunDirectory) -> dict[str, Any]:
    found = {"message": "of a cause that could not be written down"}
    # cut off by a full disk, or no file at all: it tripped all the same
    with suppress(OSError, ValueError, TypeError):
        found |= read_json(directory.trip)
    return found
