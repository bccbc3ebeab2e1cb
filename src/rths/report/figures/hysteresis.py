"""Hysteresis of the specimen: force over displacement, and over velocity."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rths.loop.channel_name import name_channel
from rths.report.figure import COLOURS, grid, legend, thin
from rths.report.readable import readable_scale
from rths.report.shown_run import ShownRun
from rths.report.shown_signals import MEASURED

PLACE = 50
CAPTION = "Specimen: force over measured displacement (left) and over its velocity (right)."
SPECIMEN_FORCE = "specimen.force"


def draw(runs: Sequence[ShownRun]) -> Any:
    """Draw a row for each channel, all records in one panel."""
    shown = [r for r in runs if r.has(MEASURED, SPECIMEN_FORCE)]
    if not shown:
        return None
    channels = max(r.channels for r in shown)
    figure, axes = grid(channels, 2, (7.2, 2.7 * channels), sharey="row")
    for c in range(channels):
        size = max(np.nanmax(np.abs(r.signal(SPECIMEN_FORCE, c))) for r in shown if c < r.channels)
        unit, factor = readable_scale(float(size), "N")
        for k, run in enumerate(r for r in shown if c < r.channels):
            colour = COLOURS[k % len(COLOURS)]
            x, f = run.signal(MEASURED, c), factor * run.signal(SPECIMEN_FORCE, c)
            v = np.gradient(x, run.record.tick)
            axes[c, 0].plot(*thin(1e3 * x, f), color=colour, lw=0.7, label=run.label)
            axes[c, 1].plot(*thin(1e3 * v, f), color=colour, lw=0.7)
        axes[c, 0].set_ylabel(f"{name_channel('force', c, channels)}, {unit}")
    axes[-1, 0].set_xlabel("displacement, mm")
    axes[-1, 1].set_xlabel("velocity, mm/s")
    legend(figure, axes[0, 0])
    return figure
