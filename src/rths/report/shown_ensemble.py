"""An ensemble as its page shows it: what is measured of each run, and some of their histories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rths.assembly.hybrid_test import HybridTest
from rths.errors import InputError
from rths.records.record import Record
from rths.report.certificate_origin import Origin
from rths.report.figure import outline
from rths.report.indices import indices
from rths.report.readable import readable_scale
from rths.report.shown_signals import COMMAND, FORCE, MEASURED, TARGET
from rths.run.ensemble import peaks_of
from rths.run.ensemble_table import EnsembleTable
from rths.stability.plan_parameter import unit_of

PEAK, METRIC = "peak.", "metric."
TRACKING = "rms_tracking_error"
HISTORIES = 8
"""Runs whose histories are drawn: more curves are not told apart."""
MAIN = (COMMAND, MEASURED, FORCE)
"""Signals whose peaks a reader looks for first."""


@dataclass(frozen=True)
class History:
    """One signal of one run over time, as far as a picture shows it."""

    run: int
    time: NDArray[np.float64]
    values: NDArray[np.float64]
    unit: str
    lost: bool


@dataclass
class ShownEnsemble:
    """What was asked for, and what has come of it so far."""

    name: str
    origin: Origin
    table: EnsembleTable
    metrics: Sequence[str] = (TRACKING,)
    units: dict[str, str] = field(default_factory=dict)
    """Unit of each outcome."""
    histories: dict[int, History] = field(default_factory=dict)
    scales: dict[str, tuple[str, float]] = field(default_factory=dict)
    """Unit in which a field that varies is shown, and the factor to it from what the plan has."""

    @property
    def planned(self) -> int:
        """Runs that were asked for."""
        return len(self.table.points)

    @property
    def finished(self) -> int:
        """Runs that are there."""
        return len(self.table.rows)

    @property
    def lost(self) -> int:
        """Runs that did not come to their planned end."""
        return self.finished - self.table.ends.get("completed", 0)

    @property
    def fields(self) -> list[str]:
        """Fields of the plan that vary."""
        return list(dict.fromkeys(name for point in self.table.points for name in point))

    def name_field(self, name: str) -> str:
        """Name a field that varies, with the unit of its values."""
        unit = self.scales.get(name, ("", 1.0))[0]
        return f"{name}, {unit}" if unit else name

    def write_value(self, name: str, value: Any) -> str:
        """Write a value of a field that varies in the unit that it is shown in."""
        return words_of(value * self.scales[name][1] if name in self.scales else value)

    def write_point(self, point: Mapping[str, Any], but: str = "") -> str:
        """Write values of fields as a legend has them, without the one on an axis."""
        parts = []
        for name, value in point.items():
            unit = self.scales.get(name, ("", 1.0))[0]
            shown = f"{name.rpartition('.')[2]} {self.write_value(name, value)} {unit}".rstrip()
            parts += [shown] if name != but else []
        return ", ".join(parts)

    @property
    def main(self) -> list[str]:
        """Outcomes that a table for a person shows, as far as they were recorded."""
        known = [c for c in self.table.columns if c.startswith((PEAK, METRIC))]
        first = [c for c in known if c.startswith(METRIC)]
        peaks = [c for name in MAIN for c in known if c.split("[")[0] == f"{PEAK}{name}"]
        return [*first, *peaks]

    def measure(self, record: Record) -> dict[str, float]:
        """Measure the peak of every recorded column, and the indices that were asked for."""
        rows = record.rows
        most = peaks_of(rows) if len(rows) else np.full(rows.shape[1], nan)
        found = {f"{PEAK}{n}": float(v) for n, v in zip(record.labels(), most, strict=True)}
        units = [u for c in record.channels.values() for u in c.units]
        self.units |= dict(zip(found, units, strict=True))
        for name in self.metrics:
            found |= self._index(record, name)
        return found

    def _index(self, record: Record, name: str) -> dict[str, float]:
        """Give an index of each channel; not a number where a run was too short for it."""
        width = record[TARGET].shape[1] if TARGET in record else 1
        found: dict[str, float] = {}
        for c in range(width):
            try:
                given = indices(record, [name], channel=c)
            except (InputError, ArithmeticError):
                continue
            for i in given:
                label = f"{METRIC}{i.name}" + (f"[{c}]" if width > 1 else "")
                found[label] = nan if i.value is None else i.value
                self.units[label] = i.unit
        return found

    def watch(self, run: int, record: Record, measured: dict[str, float]) -> None:
        """Keep a finished run, and its history if it is among those that are drawn."""
        self.table.add(run, record.stop, measured)
        signal = next((n for n in (MEASURED, TARGET, FORCE) if n in record), None)
        if run not in self.drawn or signal is None:
            return
        t, y = outline(record.time(signal), np.array(record[signal][:, 0]))
        unit = record.channel(signal).units[0]
        self.histories[run] = History(run, t, y, unit, not record.stop.completed)

    @property
    def drawn(self) -> set[int]:
        """Runs whose history is drawn: the first, the last, and some evenly between."""
        count = min(HISTORIES, self.planned)
        return {int(k) for k in np.linspace(0, self.planned - 1, count).round()}


def require_metric(name: str) -> str:
    """Give the name of an index that a run alone has."""
    from rths.metrics import metric
    from rths.report.indices import missing_arguments

    try:
        metric(name)
    except InputError as error:
        raise error.relabel("--metric") from None
    if name == "nrmse" or missing_arguments(name):
        problem = "needs more than the run, such as the emulated structure"
        remedy = "Leave it out, or ask for it in a study: rths sweep."
        raise InputError("--metric", name, problem, remedy)
    return name


def scales_of(test: HybridTest, axes: Mapping[str, Sequence[Any]]) -> dict[str, tuple[str, float]]:
    """Choose the unit in which the numbers of each field are shown: delays in ms."""
    found = {}
    for name, values in axes.items():
        numbers = [abs(v) for v in values if isinstance(v, int | float) and v is not True]
        unit = unit_of(test, name) if len(numbers) == len(values) and "." in name else ""
        if unit not in ("", "1"):
            found[name] = readable_scale(max(numbers), unit)
    return found


def words_of(value: Any) -> str:
    """Write a value that varies as a plan has it, with the digits that matter."""
    return f"{value:.6g}" if isinstance(value, float) else str(value)
