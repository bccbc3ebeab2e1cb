"""What the files of a run say beside its rows: who holds it, its events, its machine, its trip.

They are read in a thread, five times a second: a disk that does not answer holds up what is told of
them, and neither the pictures nor a stop.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from rths.plain_text import make_plain
from rths.realtime.events import read_events
from rths.run.run_directory import RunDirectory, read_json

MOST_EVENTS = 200
"""Events that a page gets."""


@dataclass(frozen=True)
class Noted:
    """The files of one run, as they were a moment ago."""

    directory: RunDirectory
    held: bool = True
    changed: float = 0.0
    """When the events were written."""
    events: list[dict[str, Any]] = field(default_factory=list)
    machine: list[dict[str, Any]] = field(default_factory=list)
    tripped: bool = False
    recorded: bool = False
    """Whether the run is over and has its record."""

    def look_again(self) -> Noted:
        """Read what has changed."""
        directory = self.directory
        held = directory.is_held()
        try:
            changed = directory.events.stat().st_mtime
        except OSError:
            changed = self.changed
        events = self.events if changed == self.changed else _tell_events(directory)
        machine = self.machine or _tell_machine(directory)
        recorded = not held and directory.record.is_file()
        tripped = directory.trip.is_file()
        return Noted(directory, held, changed, events, machine, tripped, recorded)


def _tell_events(directory: RunDirectory) -> list[dict[str, Any]]:
    return [
        {"time": e.time, "state": e.state, "tick": e.tick, "by": e.by}
        | {"reason": make_plain(e.reason)}
        for e in read_events(directory)[-MOST_EVENTS:]
    ]


def _tell_machine(directory: RunDirectory) -> list[dict[str, Any]]:
    """Tell what the machine allows, once it is known."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        return [
            {"granted": bool(a["granted"]), "words": make_plain(str(a["words"]))}
            for a in read_json(directory.machine)
        ]
    return []
