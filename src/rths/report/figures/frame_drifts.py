"""Storey drifts of the frame: how far each storey went, and the history of the one that led."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rths.report.figure import COLOURS, WIDTH, grid, keep_in_view, legend, outline
from rths.report.shown_frame import frames_of
from rths.report.shown_run import ShownRun

PLACE, SECTION = 54, "frame"
CAPTION = (
    "Storey drifts over storey heights: the largest to either side over the height of the frame "
    "(left), the last one as a thin line; the drift of the storey that went furthest "
    "(right)."
)
PERCENT = 100.0


def draw(runs: Sequence[ShownRun]) -> Any:
    """Draw profiles and histories, a colour for each run."""
    frames = [f for f in frames_of(runs) if f.is_moved and len(f.floors) > 1]
    if not frames:
        return None
    figure, axes = grid(1, 2, (WIDTH, 2.9), width_ratios=[1.0, 2.2])
    profile, history = axes[0]
    lead = int(np.abs(frames[0].drifts).max(axis=0).argmax())
    for k, shown in enumerate(frames):
        colour, drifts = COLOURS[k % len(COLOURS)], PERCENT * shown.drifts
        heights = np.array([y for y, _ in shown.floors])
        step: dict[str, Any] = {"orientation": "horizontal", "baseline": None, "color": colour}
        for side in (drifts.max(axis=0), drifts.min(axis=0)):
            profile.stairs(side, heights, lw=1.8, **step)
        profile.stairs(drifts[-1], heights, lw=0.8, **step)
        if lead < drifts.shape[1] and shown.time is not None:
            line = outline(shown.time, drifts[:, lead])
            history.plot(*line, color=colour, lw=0.9, label=shown.label)
    ended = {run.label: run.record.stop.completed for run in runs}
    keep_in_view([history], [not ended[f.label] for f in frames])
    profile.axvline(0.0, color="0.5", lw=0.8)
    profile.set(xlabel="largest drift, %", ylabel="height, m")
    history.set(xlabel="time, s", ylabel=f"drift of storey {lead + 1}, %")
    legend(figure, history)
    return figure
