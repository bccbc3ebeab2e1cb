"""The table of an ensemble: a row for each finished run, on the disk while others still run.

    run, <fields that vary>, end, time_s, <outcomes>

It is written anew from time to time, each time as a whole: a kill costs the last seconds, a full
disk leaves the table that was there. A table of the same ensemble that has more rows is kept.
"""

from __future__ import annotations

import csv
import json
import time
from collections.abc import Mapping, Sequence
from io import StringIO
from pathlib import Path
from typing import Any

from rths.assembly.variation import Values
from rths.loop.stop import Stop
from rths.plain_file import write_text

SECONDS = 2.0
"""Age at which rows are written: what a kill costs."""
PATIENCE = 20.0
"""A table that takes long to write is written less often: after so many times what it took."""
GIVEN = ("end", "time_s")
"""Columns between what varies and what came out."""


class EnsembleTable:
    """Rows by the number of their run; ``points`` are the values that vary, run by run.

    ``before`` is the number of rows that a table of the same ensemble has there already.
    """

    def __init__(self, path: Path, points: Sequence[Values], before: int = 0) -> None:
        self.path, self.points, self.before = path, points, before
        self.rows: dict[int, dict[str, Any]] = {}
        self._written = time.monotonic()
        self._pause = SECONDS

    def add(self, run: int, stop: Stop, measured: Mapping[str, Any]) -> None:
        """Take a finished run, and write the table if it is due."""
        given = dict(zip(GIVEN, (stop.reason, stop.time), strict=True))
        self.rows[run] = {**self.points[run], **given, **measured}
        if time.monotonic() - self._written > self._pause:
            self.write()

    @property
    def is_more(self) -> bool:
        """Tell whether there is no less than what an earlier run of the same ensemble has left."""
        return len(self.rows) >= self.before

    @property
    def columns(self) -> list[str]:
        """Names of all columns but the number of the run; runs of other kinds may have more."""
        first = dict.fromkeys(name for point in self.points for name in point)
        return list(
            first | dict.fromkeys(GIVEN) | dict.fromkeys(n for r in self.ordered for n in r)
        )

    @property
    def ordered(self) -> list[dict[str, Any]]:
        """Rows in the order of their runs."""
        return [self.rows[run] for run in sorted(self.rows)]

    @property
    def ends(self) -> dict[str, int]:
        """How many runs ended for which reason."""
        reasons = sorted(row["end"] for row in self.ordered)
        return {reason: reasons.count(reason) for reason in dict.fromkeys(reasons)}

    def as_columns(self) -> dict[str, list[Any]]:
        """Give every column by name; None where a run does not have it."""
        rows = self.ordered
        found: dict[str, list[Any]] = {"run": sorted(self.rows)}
        return found | {name: [row.get(name) for row in rows] for name in self.columns}

    def write(self) -> None:
        """Write all rows that are there, unless more are kept already."""
        if not self.is_more:
            return
        begun = time.monotonic()
        text = StringIO()
        writer = csv.writer(text, lineterminator="\n")
        names = self.columns
        writer.writerow(["run", *names])
        for run in sorted(self.rows):
            writer.writerow([run, *(_cell(self.rows[run].get(name)) for name in names)])
        write_text(self.path, text.getvalue())
        self._written = time.monotonic()
        self._pause = max(SECONDS, PATIENCE * (self._written - begun))


def _cell(value: Any) -> Any:
    """Write numbers with all their digits, lists as text, and nothing for what is not there."""
    if value is None:
        return ""
    return json.dumps(value) if isinstance(value, list | tuple | dict) else value
