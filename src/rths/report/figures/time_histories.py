"""Time histories: excitation, displacements and forces, records side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rths.loop.channel_name import name_channel
from rths.report.figure import (
    COLOURS,
    GREY,
    NARROWEST,
    WIDTH,
    grid,
    keep_in_view,
    legend,
    outline,
)
from rths.report.readable import readable_scale
from rths.report.shown_run import ShownRun
from rths.report.shown_signals import DRIVE, FORCE, MEASURED, TARGET

PLACE = 10
CAPTION = (
    "Time histories: excitation, target and measured displacement, and the force fed back, "
    "of each record."
)


def draw(runs: Sequence[ShownRun]) -> Any:
    """Draw a column for each record, a row for each quantity and channel."""
    channels = max(r.channels for r in runs)
    driven = int(any(DRIVE in r.record for r in runs))
    rows = driven + 2 * channels
    width = max(WIDTH, NARROWEST * len(runs))
    figure, axes = grid(rows, len(runs), (width, 1.45 * rows + 0.4), sharex="col", sharey="row")
    for column, run in enumerate(runs):
        axes[0, column].set_title(run.label, loc="left", fontsize=9)
        if driven and DRIVE in run.record:
            _curves(axes[0, column], [run], [(DRIVE, 0, "0.25", 0.7, "")], "excitation")
        for c in range(run.channels):
            moved, felt = (name_channel(n, c, channels) for n in ("displacement", "force"))
            both = [(TARGET, c, GREY, 2.0, "target"), (MEASURED, c, COLOURS[1], 0.8, "measured")]
            _curves(axes[driven + c, column], [run], both, moved)
            force = [(FORCE, c, COLOURS[0], 0.8, "")]
            _curves(axes[driven + channels + c, column], [run], force, felt)
        axes[-1, column].set_xlabel("time, s")
        for row in axes[:, column] if column else ():
            row.set_ylabel("")
    for row in axes:
        keep_in_view(row, [not run.record.stop.completed for run in runs])
    legend(figure, axes[driven, 0])
    return figure


def _curves(axis: Any, runs: Sequence[ShownRun], curves: Sequence[Any], name: str) -> None:
    """Draw signals in one unit that suits the largest of them."""
    record = runs[0].record
    known = [c for c in curves if c[0] in record]
    if not known:
        return
    unit = record.channel(known[0][0]).units[known[0][1]]
    size = max(float(np.nanmax(np.abs(record[n][:, c]), initial=0.0)) for n, c, *_ in known)
    shown, factor = readable_scale(size, unit)
    for signal, c, colour, width, label in known:
        t, y = outline(record.time(signal), factor * record[signal][:, c])
        axis.plot(t, y, color=colour, lw=width, label=label or None)
    axis.set_ylabel(f"{name}, {shown}")
