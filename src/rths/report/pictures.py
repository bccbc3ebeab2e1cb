"""Pictures of a run: time histories, and the synchronisation subspace.

In the subspace plot the measured displacement stands over the target. Perfect tracking is the
diagonal; a delay opens it to an ellipse, run through counter-clockwise when the actuator lags.

[wallace2005] Fig. 7.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rths.plain_file import drop_link
from rths.records.record import Record
from rths.report.shown_signals import MEASURED, MILLIMETRES, TARGET

COLOURS = ("#0b5394", "#cc4125", "#6aa84f", "#8e7cc3", "#e69138")
# small enough for a column of a page, and no line that says nothing
STYLE = {
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.alpha": 0.25,
    "legend.frameon": False,
    "figure.constrained_layout.use": True,
}


def _figure(rows: int, columns: int, size: tuple[float, float], **share: Any) -> Any:
    """Make a figure without a screen, in the style of the package."""
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=size)
        FigureCanvasAgg(figure)
        return figure, figure.subplots(rows, columns, squeeze=False, **share)


def time_histories(records: Mapping[str, Record], reference: Record, path: Path) -> Path:
    """Draw the target displacement of each run over that of the reference, one panel a run."""
    figure, axes = _figure(len(records), 1, (7.2, 1.9 * len(records)), sharex=True)
    for row, (name, record) in zip(axes[:, 0], records.items(), strict=True):
        x = reference[TARGET][:, 0] * MILLIMETRES
        row.plot(reference.time(TARGET), x, color="0.55", lw=2.2, label="emulated reference")
        y = record[TARGET][:, 0] * MILLIMETRES
        row.plot(record.time(TARGET), y, color=COLOURS[1], lw=0.9, label="hybrid test")
        row.set_title(f"{name}: {_end(record)}", loc="left", fontsize=9)
        row.set_ylabel("displacement, mm")
    axes[0, 0].legend(loc="upper right", ncols=2, frameon=False)
    axes[-1, 0].set_xlabel("time, s")
    return _save(figure, path)


def subspaces(records: Mapping[str, Record], path: Path, last: float = 2.0) -> Path:
    """Draw measured over target displacement during the last seconds of each run, side by side."""
    figure, axes = _figure(1, len(records), (2.9 * len(records), 3.0))
    for axis, (name, record) in zip(axes[0], records.items(), strict=True):
        rows = max(2, round(last / record.tick))
        target = record[TARGET][-rows:, 0] * MILLIMETRES
        measured = record[MEASURED][-rows:, 0] * MILLIMETRES
        reach = 1.08 * max(abs(target).max(), abs(measured).max(), 1e-12)
        axis.plot([-reach, reach], [-reach, reach], color="0.6", lw=1, ls="--")
        axis.plot(target, measured, color=COLOURS[0], lw=0.9)
        axis.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal")
        axis.set_title(name, loc="left", fontsize=9)
        axis.set_xlabel("target, mm")
    axes[0, 0].set_ylabel("measured, mm")
    return _save(figure, path)


def _end(record: Record) -> str:
    """Tell in a few words how a run ended."""
    if record.stop.completed:
        return "ran to its end"
    return f"stopped at {record.stop.time:.2f} s ({record.stop.reason} of {record.stop.signal})"


def _save(figure: Any, path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(drop_link(path), dpi=160)
    return path
