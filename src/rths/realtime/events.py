"""Events of a test: each transition and each act of the operator, with its time and reason.

They stand in a file of the run directory while the test goes on, and in its record when it has
ended, each bound to the one before (records/trail.py). What cannot be read, as after a full disk,
counts as nothing noted.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import asdict

from rths.errors import InputError
from rths.plain_file import read_text
from rths.records.details import read_detail
from rths.records.trail import Event, State, chain, digest_of
from rths.run.run_directory import RunDirectory, write_json

__all__ = ["Event", "State", "put_into_record", "read_events", "read_seal", "write_events"]


def write_events(directory: RunDirectory, events: list[Event]) -> None:
    """Write all events of a run."""
    write_json(directory.events, [asdict(e) for e in chain(events)])


def read_events(directory: RunDirectory) -> list[Event]:
    """Read the events of a run; none if they cannot be read."""
    try:
        text = read_text(directory.events)
        return [Event(**e) for e in read_detail("events", text)]
    except (OSError, ValueError, TypeError, RecursionError):
        return []


def read_seal(directory: RunDirectory) -> dict[str, str] | None:
    """Give the seal of the record for the event of its end; None if there is none."""
    from rths.records.hdf5 import read_digests

    try:
        return {"seal": digest_of(read_digests(directory.record))}
    except (InputError, OSError, KeyError, ValueError):
        return None


def put_into_record(directory: RunDirectory, events: list[Event]) -> None:
    """Keep the events of a run in its record, if the run has come that far."""
    from rths.records.hdf5 import add_details

    if directory.record.exists():
        # a full disk or a damaged record: they stand in their own file
        with suppress(OSError, ValueError, RuntimeError, KeyError):
            add_details(directory.record, {"events": [asdict(e) for e in chain(events)]})
