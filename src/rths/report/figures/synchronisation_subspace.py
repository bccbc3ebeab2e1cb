"""Synchronisation subspace: measured over target displacement, with the stability-limit loop."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rths.errors import InputError
from rths.loop.channel_name import name_actuator
from rths.metrics.synchronisation_subspace import synchronisation_subspace
from rths.report.figure import COLOURS, WIDTH, grid, legend, thin
from rths.report.shown_run import ShownRun
from rths.report.shown_signals import MEASURED, MILLIMETRES, TARGET

PLACE = 20
CAPTION = (
    "Synchronisation subspace: measured over target displacement (above), and the error over the "
    "target (below). Perfect tracking is the straight line, a lag opens it to a loop. The dashed "
    "loop belongs to the critical delay of the test with an ideal actuator: a test that leaves it "
    "is outside of what theory calls stable."
)
LAST = 5.0
"""Seconds at the end of the strong motion that are shown."""


def draw(runs: Sequence[ShownRun]) -> Any:
    """Draw a panel for each record and channel."""
    panels = [(r, c) for r in runs if r.has(TARGET, MEASURED) for c in range(r.channels)]
    if not panels:
        return None
    columns = min(3, len(panels))
    rows = -(-len(panels) // columns)
    size = (WIDTH, 4.3 * rows + 0.3)
    figure, axes = grid(2 * rows, columns, size, height_ratios=[1.7, 1] * rows)
    for k, (run, c) in enumerate(panels):
        row, column = 2 * (k // columns), k % columns
        _panel(axes[row, column], axes[row + 1, column], run, c)
    for k in range(len(panels), rows * columns):
        for part in (0, 1):
            axes[2 * (k // columns) + part, k % columns].set_visible(False)
    for row in range(rows):
        axes[2 * row, 0].set_ylabel("measured, mm")
        axes[2 * row + 1, 0].set_ylabel("error, mm")
    legend(figure, axes[0, 0])
    return figure


def _panel(over: Any, under: Any, run: ShownRun, c: int) -> None:
    target, measured = run.signal(TARGET, c), run.signal(MEASURED, c)
    part = _strong_part(target, max(16, round(LAST / run.record.tick)))
    x, y = MILLIMETRES * target[part], MILLIMETRES * measured[part]
    reach = 1.1 * max(np.abs(x).max(), np.abs(y).max(), 1e-9)
    limit = run.critical_delay
    over.plot([-reach, reach], [-reach, reach], color="0.7", lw=0.8)
    over.plot(*thin(x, y), color=COLOURS[0], lw=0.8, label="test")
    under.plot(*thin(x, y - x), color=COLOURS[0], lw=0.8)
    if limit:
        try:
            loop = synchronisation_subspace(x, y, run.record.tick, delay=limit)
        except InputError:
            loop = None  # the target does not move
        if loop is not None:
            label, off = f"limit, {1e3 * limit:.3g} ms", loop.loop_measured - loop.loop_target
            style = {"color": COLOURS[1], "lw": 1.0, "ls": "--"}
            over.plot(loop.loop_target, loop.loop_measured, label=label, **style)
            under.plot(loop.loop_target, off, **style)
    over.set(xlim=(-reach, reach), ylim=(-reach, reach))
    under.set(xlim=(-reach, reach), xlabel="target, mm")
    channel = f", {name_actuator(c)}" if run.channels > 1 else ""
    over.set_title(f"{run.label}{channel}", loc="left", fontsize=8)


def _strong_part(target: Any, length: int) -> slice:
    """Find the stretch of that length with the strongest motion."""
    if target.size <= length:
        return slice(None)
    power = np.concatenate([[0.0], np.cumsum(target**2)])
    start = int(np.argmax(power[length:] - power[:-length]))
    return slice(start, start + length)
