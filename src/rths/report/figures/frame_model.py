"""The frame of the numerical part: nodes, elements, supports and where the specimen is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rths.report.figure import WIDTH, grid
from rths.report.frame_sketch import (
    AS_WRITTEN,
    SMALL,
    draw_elements,
    draw_hinges,
    draw_specimens,
    draw_supports,
    draw_ties,
    height_of,
    set_room,
)
from rths.report.shown_frame import ShownFrame, distinct, frames_of
from rths.report.shown_run import ShownRun

PLACE, SECTION = 2, "frame"
CAPTION = "The frame of the numerical part, to scale, with its supports and the specimen."
NAMED_NODES, NAMED_ELEMENTS = 24, 16
"""Nodes and elements up to which each has its name: more would lie on each other."""


def draw(runs: Sequence[ShownRun]) -> Any:
    """Draw each frame once."""
    shown = distinct(frames_of(runs))
    return draw_frames(shown) if shown else None


def draw_frames(frames: Sequence[ShownFrame]) -> Any:
    """Draw a panel for each frame."""
    height = sum(height_of(f, WIDTH, 2.0, 6.0) for f in frames) + 0.9
    figure, axes = grid(len(frames), 1, (WIDTH, height))
    for axis, shown in zip(axes[:, 0], frames, strict=True):
        draw_ties(axis, shown)
        draw_elements(axis, shown)
        draw_hinges(axis, shown)
        draw_supports(axis, shown)
        draw_specimens(axis, shown)
        axis.plot(*shown.places.T, ".", color="0.2", ms=3.5, zorder=4)
        _name_parts(axis, shown)
        set_room(axis, shown)
        axis.set(xlabel="x, m", ylabel="y, m")
        model = shown.frame.model
        counts = f"{len(model.nodes)} nodes, {len(model.elements)} elements"
        title = f"{counts}, {shown.frame.size} degrees of freedom"
        title = f"{shown.label}: {title}" if shown.label else title
        axis.set_title(title, loc="left", fontsize=9, **AS_WRITTEN)
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=5, fontsize=SMALL)
    return figure


def _name_parts(axis: Any, shown: ShownFrame) -> None:
    """Write the names of nodes and elements where there is room for them."""
    model = shown.frame.model
    if len(model.nodes) <= NAMED_NODES:
        at: dict[tuple[float, float], list[str]] = {}
        for node, place in model.nodes.items():
            at.setdefault(place, []).append(node)
        middle = shown.places.mean(axis=0)
        for place, names in at.items():
            side = "right" if place[0] <= middle[0] else "left"
            away = -7 if side == "right" else 7
            level = 9 if place[1] > middle[1] else 3
            axis.annotate(
                "\n".join(names),
                place,
                (away, level),
                textcoords="offset points",
                ha=side,
                va="bottom",
                fontsize=SMALL,
                **AS_WRITTEN,
            )
    if len(model.elements) > NAMED_ELEMENTS:
        return
    for name, element in model.elements.items():
        ends = np.array([model.nodes[n] for n in element.nodes])
        if not np.ptp(ends, axis=0).any():
            continue
        axis.annotate(
            name,
            ends.mean(axis=0),
            ha="center",
            va="center",
            fontsize=SMALL,
            style="italic",
            bbox={"boxstyle": "round,pad=0.15", "fc": "white", "ec": "none", "alpha": 0.9},
            zorder=7,
            **AS_WRITTEN,
        )
