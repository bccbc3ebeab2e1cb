"""Events of a test: each transition and each act of the operator, with its time and reason.

They stand in a file of the run directory while the test goes on, and in its record when it has
ended. What cannot be read, as after a full disk, counts as nothing noted.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Literal

from rths.run.run_directory import RunDirectory, read_json, write_json

State = Literal[
    "unconfigured", "idle", "armed", "ramping in", "running", "ramping out", "tripped"
]  # fmt: skip


@dataclass(frozen=True)
class Event:
    """One transition or one act of the operator."""

    time: str
    """Time of day, UTC."""
    state: State
    """State after it."""
    reason: str
    tick: int | None = None
    """Tick of the test, if one was running."""


def write_events(directory: RunDirectory, events: list[Event]) -> None:
    """Write all events of a run."""
    write_json(directory.events, [asdict(e) for e in events])


def read_events(directory: RunDirectory) -> list[Event]:
    """Read the events of a run; none if they cannot be read."""
    try:
        return [Event(**e) for e in read_json(directory.events)]
    except (OSError, ValueError, TypeError):
        return []


def put_into_record(directory: RunDirectory, events: list[Event]) -> None:
    """Keep the events of a run in its record, if the run has come that far."""
    from rths.records.hdf5 import add_details

    if directory.record.exists():
        with suppress(OSError):  # a full disk: they stand in their own file
            add_details(directory.record, {"events": [asdict(e) for e in events]})
