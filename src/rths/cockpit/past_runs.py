"""Runs that have been: which there are, what a record shows, and two of them side by side."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rths.cockpit.packed import plain
from rths.cockpit.what_if import show_rehearsal
from rths.errors import InputError
from rths.plain_text import is_plain, make_plain
from rths.realtime.ring import find_ring
from rths.records.hdf5_reader import read
from rths.report.comparison import plan_differences, signal_differences
from rths.report.indices import indices
from rths.report.shown_run import ShownRun
from rths.report.shown_signals import FORCE, MEASURED, TARGET
from rths.run.run_directory import RunDirectory, read_json

MOST_RUNS = 500
"""Runs that are listed, the youngest first."""


def list_runs(root: Path) -> list[dict[str, Any]]:
    """List the runs in a folder, the youngest first; nothing in them is opened but summaries."""
    found = []
    for folder in _find_folders(root):
        run = RunDirectory(folder)
        with suppress(OSError):  # it is just being taken away
            kept = next((p for p in (run.record, run.journal, run.session) if p.is_file()), None)
            if kept is not None:
                found.append((kept.stat().st_mtime, folder))
    found.sort(reverse=True)
    return [_describe_run(folder, age) for age, folder in found[:MOST_RUNS]]


def find_live_runs(root: Path) -> list[Path]:
    """Find the runs in a folder that go on; of the others no more than one file is opened."""
    return [folder for folder in _find_folders(root) if _is_live(RunDirectory(folder))]


def _find_folders(root: Path) -> list[Path]:
    """Find the folders that may be runs; one whose name is no text cannot be asked for."""
    try:
        found = [p for p in root.iterdir() if not p.name.startswith(".") and is_plain(p.name)]
        return [p for p in found if p.is_dir()]
    except OSError:
        return []


def _describe_run(folder: Path, age: float) -> dict[str, Any]:
    run = RunDirectory(folder)
    told: dict[str, Any] = {
        "run": folder.name,
        "time": datetime.fromtimestamp(age, UTC).isoformat(timespec="seconds"),
        "record": run.record.is_file(),
        "live": _is_live(run),
        "tripped": run.trip.is_file(),
        "report": run.report.is_file(),
        "certificate": run.certificate_page.is_file(),
    }
    try:
        summary = read_json(run.summary)
        names = ("name", "reason", "message")
        told |= {k: make_plain(str(summary[k])) for k in names if k in summary}
    except (OSError, ValueError, TypeError, RecursionError):
        told["name"] = folder.name
    return told


def _is_live(run: RunDirectory) -> bool:
    """Tell whether a run goes on; of one without a ring its directory is not touched."""
    try:
        ring = find_ring(str(read_json(run.session)["ring"]))
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return False
    return ring is not None and run.is_held()


def find_run(root: Path, name: str) -> Path:
    """Give the folder of a run by its name; nothing outside of the root has one."""
    with suppress(OSError):  # longer than names are
        if name and name == Path(name).name and name not in (".", "..") and (root / name).is_dir():
            return root / name
    raise InputError("run", name, f"is no run in {root}", "Choose one of the list.")


def show_record(run: str) -> dict[str, Any]:
    """Give what is drawn of the record of a run, and its indices."""
    record = read(RunDirectory(Path(run)).record)
    shown = ShownRun(record.name, record)
    found = indices(record) if shown.has(TARGET, MEASURED, FORCE) else []
    told = show_rehearsal(record)
    told["name"], told["plan"] = record.name, record.plan
    told["all_indices"] = [{"name": i.name, "value": i.value, "unit": i.unit} for i in found]
    events = record.details.get("events", ())
    told["events"] = [{k: e.get(k) for k in ("time", "state", "reason", "by")} for e in events]
    timing = record.timing
    told["timing"] = timing and {"counts": timing.counts, "percentiles": timing.percentiles}
    return dict(plain(told))


def compare_runs(first: str, second: str) -> dict[str, Any]:
    """Give two records side by side: both as they are drawn, and what differs between them."""
    a, b = (read(RunDirectory(Path(run)).record) for run in (first, second))
    told = {
        "records": [show_record(run) for run in (first, second)],
        "plan": [
            {"field": f, "first": str(x), "second": str(y)} for f, x, y in plan_differences(a, b)
        ],
        "signals": [vars(d) for d in signal_differences(a, b)],
    }
    return dict(plain(told))
