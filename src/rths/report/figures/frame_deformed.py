"""The deformed frame at the peak of the test."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rths.report.figure import COLOURS, WIDTH, grid
from rths.report.frame_sketch import (
    AS_WRITTEN,
    GHOST,
    draw_elements,
    draw_hinges,
    draw_specimens,
    draw_supports,
    height_of,
    scale_of,
    set_room,
)
from rths.report.readable import readable_value
from rths.report.shown_frame import ShownFrame, frames_of
from rths.report.shown_run import ShownRun

PLACE, SECTION = 52, "frame"
CAPTION = (
    "The frame when a node is furthest from rest, displacements drawn larger by the factor that is "
    "said, over the frame at rest (grey)."
)


def draw(runs: Sequence[ShownRun]) -> Any:
    """Draw a panel for each run of a frame."""
    frames = [f for f in frames_of(runs) if f.is_moved]
    if not frames:
        return None
    height = sum(height_of(f, WIDTH, 2.4, 5.0) for f in frames) + 0.4
    figure, axes = grid(len(frames), 1, (WIDTH, height))
    for axis, shown in zip(axes[:, 0], frames, strict=True):
        _draw_peak(axis, shown)
    return figure


def _draw_peak(axis: Any, shown: ShownFrame) -> None:
    """Draw one frame at its peak."""
    moves = shown.motion[shown.peak]
    factor = scale_of(shown, moves)
    draw_elements(axis, shown, color=GHOST, lw=1.0)
    draw_elements(axis, shown, factor * moves, color=COLOURS[0], lw=2.0)
    draw_hinges(axis, shown, factor * moves)
    draw_supports(axis, shown)
    draw_specimens(axis, shown, factor * moves)
    set_room(axis, shown)
    largest = readable_value(float(np.hypot(moves[:, 0], moves[:, 1]).max()), "m")
    assert shown.time is not None
    title = f"{shown.label}: {largest} at {shown.time[shown.peak]:.4g} s, drawn {factor:g} times"
    axis.set_title(title, loc="left", fontsize=9, **AS_WRITTEN)
    axis.set(xlabel="x, m", ylabel="y, m")
