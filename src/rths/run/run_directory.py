"""The directory of a run: its files by name, who may write them, and when it takes another run.

    rehearsed      record, plan, summary; report, certificate and chart if they were asked for
    on the clock   besides: session, machine, journal, status, refusal, timing, events, requests,
                   rig, trip, copies

One run at a time holds a directory. Text is written as a whole or not at all. Samples are thrown
away only when they stand in a record: a journal that no younger record was made from is kept.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rths.errors import InputError
from rths.plain_file import read_text, write_text
from rths.records.details import parse_json

RUNS = Path("runs")
"""Where runs go that were not told where."""
LOOK = 0.02
"""Seconds between two attempts to hold a directory."""


@dataclass(frozen=True)
class RunDirectory:
    """The files of one run."""

    folder: Path

    @property
    def record(self) -> Path:
        """The record; made last, so that one younger than the journal is of the same run."""
        return self.folder / "record.h5"

    @property
    def reference(self) -> Path:
        """The record of the emulated structure, which the test should reproduce."""
        return self.folder / "reference.h5"

    @property
    def plan(self) -> Path:
        """The plan with all changes in it."""
        return self.folder / "plan.toml"

    @property
    def copies(self) -> Path:
        """Folder with copies of the files that the plan names: they may be edited in mid-run."""
        return self.folder / "plan_files"

    @property
    def copied_plan(self) -> Path:
        """The plan that names the copies, from which the loop's process loads the test."""
        return self.copies / "copied_plan.toml"

    @property
    def summary(self) -> Path:
        """The run in a few numbers."""
        return self.folder / "summary.json"

    @property
    def report(self) -> Path:
        """The page about the record."""
        return self.folder / "report.html"

    @property
    def comparison(self) -> Path:
        """The picture of this record with another."""
        return self.folder / "compare.png"

    @property
    def certificate(self) -> Path:
        """The stability certificate as data."""
        return self.folder / "certificate.json"

    @property
    def certificate_page(self) -> Path:
        """The stability certificate as a page."""
        return self.folder / "certificate.html"

    @property
    def counterexample(self) -> Path:
        """The shortest plan that shows how the test is lost."""
        return self.folder / "counterexample.toml"

    @property
    def chart(self) -> Path:
        """The stability chart as data."""
        return self.folder / "chart.json"

    @property
    def chart_picture(self) -> Path:
        """The stability chart as a picture."""
        return self.folder / "chart.svg"

    @property
    def session(self) -> Path:
        """What supervisor, loop and recovery must know of one another, ring and width above all."""
        return self.folder / "realtime.json"

    @property
    def machine(self) -> Path:
        """What the machine allowed the loop; written by the loop's process."""
        return self.folder / "machine.json"

    @property
    def journal(self) -> Path:
        """Rows as they came; appended by the supervisor."""
        return self.folder / "journal"

    @property
    def status(self) -> Path:
        """How the loop ended; written by the loop's process, or never if that was killed."""
        return self.folder / "status.json"

    @property
    def refusal(self) -> Path:
        """What the loop's process has against a test that it does not begin."""
        return self.folder / "refused.json"

    @property
    def timing(self) -> Path:
        """Statistics of the clock; made with the record."""
        return self.folder / "timing.json"

    @property
    def events(self) -> Path:
        """Transitions of the test and acts of the operator."""
        return self.folder / "events.json"

    @property
    def requests(self) -> Path:
        """What people ask of the run from outside; read by the supervisor while it goes on."""
        return self.folder / "requests"

    @property
    def rig(self) -> Path:
        """Who the rig of the run is; written by the loop's process before the first command."""
        return self.folder / "rig.json"

    @property
    def trip(self) -> Path:
        """The trip that nobody has acknowledged; while it is there no test runs here."""
        return self.folder / "tripped.json"

    def find_plan(self) -> Path:
        """Give the plan to load the test from: the one that names the copies, if there is one."""
        return self.copied_plan if self.copied_plan.exists() else self.plan

    def read_origins(self) -> dict[Path, bytes]:
        """Read what a record is made from beside the journal, by its place in the folder.

        All of it is written before the first tick.
        """
        copies = sorted(p for p in self.copies.rglob("*") if p.is_file())
        origins = (self.plan, self.session, self.machine, self.rig, *copies)
        return {p.relative_to(self.folder): p.read_bytes() for p in origins if p.exists()}

    def next_acknowledged_trip(self) -> Path:
        """Name the file that keeps the next trip that is acknowledged; none is overwritten."""
        return self.folder / f"trip-{len(list(self.folder.glob('trip-*.json'))) + 1}.json"

    def make(self) -> None:
        """Make the directory, if it is not there."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise self._error(error) from None

    @contextmanager
    def hold(self, patience: float = 0.0) -> Iterator[int]:
        """Hold the directory; whoever has the file that is given, as the loop does, holds it too.

        ``patience`` is how long to wait for another to let go, s.
        """
        import fcntl

        try:
            flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
            file = os.open(self.folder / ".lock", flags, 0o644)
        except OSError as error:
            raise self._error(error) from None
        try:
            end = time.monotonic() + patience
            while True:
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    if time.monotonic() > end:
                        remedy = "Wait for its end, or choose another directory."
                        problem = "is the directory of a run that goes on"
                        raise InputError("folder", str(self.folder), problem, remedy) from None
                    time.sleep(LOOK)
            yield file
        finally:
            os.close(file)

    def is_held(self) -> bool:
        """Tell whether a run holds the directory; nothing is written there."""
        import fcntl

        try:
            file = os.open(self.folder / ".lock", os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
        except OSError:  # it has never had a run, or it is gone
            return False
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            return False
        except BlockingIOError:
            return True
        finally:
            os.close(file)

    def _error(self, error: OSError) -> InputError:
        """Say why the directory takes no run."""
        if isinstance(error, FileNotFoundError):
            remedy = "Name the directory of a run."
            return InputError("folder", str(self.folder), "does not exist", remedy)
        problem = f"cannot be written ({error.strerror})"
        return InputError("folder", str(self.folder), problem, "Choose another directory.")

    def clear(self) -> None:
        """Remove what the run before left and what would be taken for the next one's."""
        self.refuse_unrecovered()
        for path in (self.journal, self.status, self.refusal, self.rig):
            path.unlink(missing_ok=True)

    def refuse_unrecovered(self) -> None:
        """Refuse a directory with a run whose record was never made."""
        if self.journal.exists() and not self.follows_journal(self.record):
            remedy = f"Make its record first: rths recover {self.folder}."
            raise InputError("folder", str(self.folder), "holds a run that was cut off", remedy)

    def follows_journal(self, path: Path) -> bool:
        """Tell whether a file was made from the journal that is there, and not from one before."""
        return path.exists() and path.stat().st_mtime_ns >= self.journal.stat().st_mtime_ns


def write_json(path: Path, value: Any) -> None:
    """Write data as JSON, as a whole or not at all."""
    write_text(path, json.dumps(value, indent=2) + "\n")


def read_json(path: Path) -> Any:
    """Read what ``write_json`` wrote."""
    return parse_json(read_text(path))
