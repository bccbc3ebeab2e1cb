"""Runs that were made, as a table: what differed between them, and what came of each.

Of a sweep these are its variables and outcomes. Of records the numbers and words in which their
plans differ, and of each the tracking error, the largest command and the largest force. A plan is
read as data: nothing of it is built or run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rths.config.toml_mistake import parse_toml
from rths.errors import InputError
from rths.loop.block import Vector
from rths.metrics.rms_tracking_error import rms_tracking_error
from rths.records.hdf5 import read
from rths.records.record import Record

PEAKS = ("compensator.command", "feedback.force")
NAMES = ("name", "seed")
"""Fields of a plan that change nothing, or nothing that anybody could set."""


@dataclass(frozen=True, eq=False)
class KnownRuns:
    """Runs by settings and outcomes, a row each; lost ones have no outcome."""

    settings: dict[str, list[Any]]
    outcomes: dict[str, Vector]
    lost: int

    @property
    def count(self) -> int:
        """Runs in all."""
        return len(next(iter(self.settings.values()), []))


def read_runs(paths: Sequence[Path]) -> KnownRuns:
    """Read a sweep's folder, or records and directories of runs."""
    if len(paths) == 1 and (paths[0] / "results").is_dir():
        return _of_sweep(paths[0])
    sweep = next((p for p in paths if (p / "results").is_dir()), None)
    if sweep is not None:
        raise InputError("--next", str(sweep), "is a sweep", "Name it alone.")
    records = [f for p in paths for f in _record_files(p)]
    if len(records) < 2:
        remedy = "Name the folder of a sweep, or several records or directories of runs."
        raise InputError(
            "--next", [str(p) for p in paths], "are too few runs to learn from", remedy
        )
    return of_records([read(f) for f in records])


def _record_files(path: Path) -> list[Path]:
    """Find the records beneath a path."""
    if path.is_file():
        return [path]
    found = sorted(path.glob("*.h5")) or sorted(path.glob("*/*.h5"))
    if not found:
        remedy = "Name a record, the directory of a run, or a folder of such."
        raise InputError("--next", str(path), "holds no record and no sweep", remedy)
    return found


def _of_sweep(folder: Path) -> KnownRuns:
    from rths.sweep.results import Results
    from rths.sweep.statistics import numeric_outcomes

    results = Results(folder)
    ended = np.asarray(results.column("end")) == "completed"
    settings = {v: list(results.column(v)) for v in results.variables}
    outcomes = {
        name: np.where(ended, np.asarray(results.column(name), float), np.nan)
        for name in numeric_outcomes(results)
    }
    return KnownRuns(settings, outcomes, int((~ended).sum()))


def of_records(records: Sequence[Record]) -> KnownRuns:
    """Make the table of some records."""
    plans = [_flatten(parse_toml(r.plan)) for r in records]
    paths = [
        p
        for p in plans[0]
        if p.rpartition(".")[2] not in NAMES and all(p in plan for plan in plans)
    ]
    settings = {p: [plan[p] for plan in plans] for p in paths}
    differ = {p: v for p, v in settings.items() if any(x != v[0] for x in v)}
    if not differ:
        problem = "have plans that do not differ in any number or word"
        remedy = "Name runs with other settings, or sweep the plan."
        raise InputError("--next", len(records), problem, remedy)
    rows = [_measure(r) for r in records]
    outcomes = {name: np.array([row[name] for row in rows]) for name in rows[0]}
    return KnownRuns(differ, outcomes, sum(not r.stop.completed for r in records))


def _measure(record: Record) -> dict[str, float]:
    """Measure a record; one that did not come to its end has no outcome."""
    if not record.stop.completed:
        return dict.fromkeys(("tracking error", *(f"peak of {p}" for p in PEAKS)), np.nan)
    found = {"tracking error": np.nan}
    if "integrator.target" in record and "transfer.displacement" in record:
        x, y = record["integrator.target"][:, 0], record["transfer.displacement"][:, 0]
        n = min(len(x), len(y))
        found["tracking error"] = rms_tracking_error(x[:n], y[:n], record.tick)
    for name in PEAKS:
        found[f"peak of {name}"] = float(np.abs(record[name]).max()) if name in record else np.nan
    return found


def _flatten(table: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Give numbers and words of a plan by their path."""
    flat: dict[str, Any] = {}
    for key, value in table.items():
        if isinstance(value, Mapping):
            flat |= _flatten(value, f"{prefix}{key}.")
        elif isinstance(value, str | int | float) and not isinstance(value, bool):
            flat[prefix + key] = value
    return flat
