"""Loops of elements of the frame: moment over rotation, force or stress over what it works on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rths.errors import InputError, suggest
from rths.frame.element.description import Truss, ZeroLength
from rths.frame.replay import Loops, nonlinear_elements, replay
from rths.loop.block import Vector
from rths.report.figure import COLOURS, WIDTH, grid, legend
from rths.report.frame_sketch import AS_WRITTEN
from rths.report.shown_frame import ShownFrame, frames_of
from rths.report.shown_run import ShownRun

PLACE, SECTION = 56, "frame"
CAPTION = (
    "Elements that took up most work in the test: moments over the rotation of a hinge, or of an "
    "end against the chord; forces of springs over their stretch; stresses of bars over strain."
)
SHOWN = 4
"""Elements that are shown."""
WAYS = "xyr"


def draw(runs: Sequence[ShownRun]) -> Any:
    """Draw the elements that took up most work in the first of the runs."""
    frames = [f for f in frames_of(runs) if f.is_moved]
    return draw_frames(frames) if frames else None


def draw_frames(frames: Sequence[ShownFrame], asked: Sequence[str] = ()) -> Any:
    """Draw elements, those asked for or those with most work; a colour for each run."""
    found = [_replay(shown, asked) for shown in frames]
    names = list(asked) or _rank(found[0])[:SHOWN]
    if not names:
        return None
    columns = min(2, len(names))
    rows = -(-len(names) // columns)
    figure, axes = grid(rows, columns, (WIDTH, 2.4 * rows + 0.3))
    for axis, name in zip(axes.ravel(), names, strict=False):
        for k, (shown, loops) in enumerate(zip(frames, found, strict=True)):
            if name in loops:
                x, y, words = _curve(shown, name, loops[name])
                axis.plot(x, y, color=COLOURS[k % len(COLOURS)], lw=0.9, label=shown.label)
                axis.set_xlabel(words[0], **AS_WRITTEN)
                axis.set_ylabel(words[1])
        axis.set_title(name, loc="left", fontsize=9, **AS_WRITTEN)
    for axis in axes.ravel()[len(names) :]:
        axis.set_axis_off()
    legend(figure, axes[0, 0])
    return figure


def _replay(shown: ShownFrame, asked: Sequence[str]) -> dict[str, Loops]:
    """Take the elements through the test once more; refuse a name that is none."""
    known = shown.frame.table.places
    for name in asked:
        if name not in known:
            remedy = f"{suggest(name, known)}Elements: {', '.join(list(known)[:12])}."
            raise InputError("--element", name, "is no element with states of its own", remedy)
    assert shown.rows is not None
    return replay(shown.frame, shown.rows, list(asked) or nonlinear_elements(shown.frame))


def _rank(loops: dict[str, Loops]) -> list[str]:
    """Name the elements by the work they took up, most first."""
    work = {name: float(one.work.sum()) for name, one in loops.items()}
    return sorted(work, key=lambda name: -work[name])


def _curve(shown: ShownFrame, name: str, loops: Loops) -> tuple[Vector, Vector, tuple[str, str]]:
    """Give the force that did most work over its deformation, and what both are."""
    element = shown.frame.model.elements[name]
    way = int(np.abs(loops.work).argmax())
    if isinstance(element, ZeroLength):
        way = max((WAYS.index(w) for w in element.springs), key=lambda w: abs(loops.work[w]))
    v, q = loops.deformations[:, way], loops.forces[:, way]
    if isinstance(element, Truss):
        length = shown.frame.model.length(element)
        return 1e3 * v / length, 1e-6 * q / element.area, ("strain, ‰", "stress, MPa")
    if isinstance(element, ZeroLength) and way < 2:
        return 1e3 * v, 1e-3 * q, (f"stretch along {WAYS[way]}, mm", "force, kN")
    if way == 0:
        return 1e3 * v, 1e-3 * q, ("stretch, mm", "axial force, kN")
    where = "" if isinstance(element, ZeroLength) else f" at {element.nodes[way - 1]}"
    return 1e3 * v, 1e-3 * q, (f"rotation{where}, mrad", "moment, kN m")
