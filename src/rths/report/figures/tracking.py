"""Tracking error and tracking indicator over time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rths.loop.channel_name import name_actuator
from rths.metrics.tracking_indicator import tracking_indicator
from rths.report.figure import COLOURS, NARROWEST, WIDTH, grid, keep_in_view, legend, outline
from rths.report.shown_run import ShownRun
from rths.report.shown_signals import MEASURED, MILLIMETRES, TARGET

PLACE = 30
CAPTION = (
    "Tracking: error between measured and target displacement, and the tracking indicator, which "
    "rises while the specimen lags and falls while it leads."
)


def draw(runs: Sequence[ShownRun]) -> Any:
    """Draw error over indicator, a column for each channel, all records in one panel."""
    shown = [r for r in runs if r.has(TARGET, MEASURED)]
    if not shown:
        return None
    channels = max(r.channels for r in shown)
    width = max(WIDTH, NARROWEST * channels)
    figure, axes = grid(2, channels, (width, 3.6), sharex="col")
    for k, run in enumerate(shown):
        colour = COLOURS[k % len(COLOURS)]
        t = run.record.time(TARGET)
        for c in range(run.channels):
            x, y = MILLIMETRES * run.signal(TARGET, c), MILLIMETRES * run.signal(MEASURED, c)
            indicator = tracking_indicator(x, y, run.record.tick)
            for axis, values in zip(axes[:, c], (y - x, indicator), strict=True):
                values = np.where(np.isfinite(values), values, np.nan)
                axis.plot(*outline(t, values), color=colour, lw=0.8, label=run.label)
    for row in axes:
        for axis in row:
            keep_in_view([axis], [not r.record.stop.completed for r in shown])
    for c, column in enumerate(axes.T):
        if channels > 1:
            column[0].set_title(name_actuator(c), loc="left", fontsize=9)
        column[-1].set_xlabel("time, s")
    axes[0, 0].set_ylabel("error, mm")
    axes[1, 0].set_ylabel("indicator, mm²")
    legend(figure, axes[0, 0])
    return figure
