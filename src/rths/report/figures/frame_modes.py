"""Mode shapes of the frame under its gravity loads, without the specimen."""

from __future__ import annotations

from collections.abc import Sequence
from math import pi
from typing import Any

import numpy as np

from rths.loop.block import Vector
from rths.report.figure import COLOURS, WIDTH, grid
from rths.report.frame_sketch import (
    AS_WRITTEN,
    GHOST,
    SEEN,
    SMALL,
    draw_elements,
    draw_supports,
    height_of,
    set_room,
    style_of,
)
from rths.report.readable import readable_value
from rths.report.shown_frame import ShownFrame, distinct, frames_of
from rths.report.shown_run import ShownRun

PLACE, SECTION = 4, "frame"
CAPTION = (
    "First modes of the frame, without the specimen and with the gravity loads, over the frame at "
    "rest (grey)."
)
SHOWN = 4
"""Modes that are shown."""
HIDDEN = 0.05
"""Share of the largest rotation below which a mode is not seen in the lines of the elements."""


def draw(runs: Sequence[ShownRun]) -> Any:
    """Draw the modes of each frame once."""
    shown = distinct(frames_of(runs))
    return draw_frames(shown) if shown else None


def draw_frames(frames: Sequence[ShownFrame]) -> Any:
    """Draw a row for each frame, a panel for each mode."""
    columns = min(SHOWN, max(f.frame.size for f in frames))
    wide = columns if columns < SHOWN else 2
    rows = -(-columns // wide)
    height = sum(rows * height_of(f, WIDTH / wide, 1.5, 3.2) for f in frames) + 0.3 * rows
    figure, axes = grid(rows * len(frames), wide, (WIDTH, height))
    for k, shown in enumerate(frames):
        panels = axes[rows * k : rows * (k + 1)].ravel()
        for i, axis in enumerate(panels):
            if i < min(columns, shown.frame.size):
                _draw_mode(axis, shown, i)
            else:
                axis.set_axis_off()
    return figure


def _draw_mode(axis: Any, shown: ShownFrame, i: int) -> None:
    """Draw one mode, its largest displacement as large as is well seen."""
    omega, shapes = shown.modes
    moves = shown.frame.node_motion(shapes[:, i])
    size = float(np.ptp(shown.places, axis=0).max())
    largest = np.hypot(moves[:, 0], moves[:, 1])
    sign = -1.0 if moves[int(largest.argmax()), 0] < 0 else 1.0
    turned = float(np.abs(moves[:, 2]).max()) * size / 8  # of a mode that only turns its nodes
    moves = moves * sign * SEEN * size / max(float(largest.max()), turned)
    draw_elements(axis, shown, color=GHOST, lw=1.0)
    draw_elements(axis, shown, moves, color=COLOURS[0], lw=1.8)
    draw_supports(axis, shown)
    alone = _find_hidden(shown, moves)
    if alone is not None:
        axis.plot(*shown.places[alone], "o", ms=9, mfc="none", mec=COLOURS[1], mew=1.6, zorder=5)
        words = f"{list(shown.frame.model.nodes)[alone]} turns"
        given: dict[str, Any] = {"textcoords": "offset points", "fontsize": SMALL, **AS_WRITTEN}
        axis.annotate(words, shown.places[alone], (7, 5), color=COLOURS[1], **given)
    set_room(axis, shown)
    period = readable_value(2 * pi / omega[i], "s") if omega[i] > 0 else "none"
    hertz = f" ({omega[i] / (2 * pi):.3g} Hz)" if omega[i] > 0 else ""
    axis.set_title(f"mode {i + 1}: {period}{hertz}", loc="left", fontsize=9)
    axis.grid(False)
    axis.set_axis_off()


def _find_hidden(shown: ShownFrame, moves: Vector) -> int | None:
    """Find the node that turns between springs alone, where no line shows it; None if lines do."""
    model = shown.frame.model
    order = {node: k for k, node in enumerate(model.nodes)}
    drawn = {order[n] for e in model.elements.values() if style_of(e) for n in e.nodes}
    size = float(np.ptp(shown.places, axis=0).max())
    seen = np.maximum(np.hypot(moves[:, 0], moves[:, 1]), np.abs(moves[:, 2]) * size / 8)
    worst = int(seen.argmax())
    hidden = seen[sorted(drawn)].max(initial=0.0) < HIDDEN * seen[worst]
    return worst if hidden else None
