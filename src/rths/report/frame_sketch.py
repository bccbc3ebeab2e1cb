"""A frame drawn to scale: elements as lines, hinges as circles, supports and specimens as signs.

    w(ξ) = N_1 w_1 + N_2 L θ_1 + N_3 w_2 + N_4 L θ_2         the cubic between two nodes         (1)

Displacements are drawn larger than they are, by a factor that is said.
"""

from __future__ import annotations

from math import floor, log10
from typing import Any

import numpy as np

from rths.frame.element.description import Beam, ElasticBeam, Truss, ZeroLength
from rths.loop.block import Vector
from rths.report.figure import COLOURS
from rths.report.shown_frame import ShownFrame

GHOST = "0.72"
"""Colour of what a shape is compared with."""
SMALL = 8
"""Least size of letters, points: 12 px on a page."""
AS_WRITTEN: dict[str, Any] = {"parse_math": False}
"""How names of a user are shown: two $ in one begin no formula."""
SEEN = 0.09
"""Share of the size of a frame that its largest displacement takes in a picture."""
STYLES: dict[str, dict[str, Any]] = {
    "elastic beam": {"color": "0.35", "lw": 1.5},
    "fibre beam": {"color": COLOURS[0], "lw": 2.8},
    "truss": {"color": COLOURS[2], "lw": 1.8, "ls": (0, (5, 2))},
}
"""Lines of the elements, which differ in more than colour."""
HINGE: dict[str, Any] = {
    "marker": "o",
    "ls": "",
    "ms": 5,
    "mfc": "white",
    "mec": COLOURS[1],
    "mew": 1.4,
}
SPECIMEN = COLOURS[4]
XI = np.linspace(0.0, 1.0, 17)


def style_of(element: Any) -> str:
    """Name the line of an element; "" for springs, which have no length."""
    if isinstance(element, ZeroLength):
        return ""
    if isinstance(element, Truss):
        return "truss"
    is_fibre = isinstance(element, Beam) and not isinstance(element, ElasticBeam)
    return "fibre beam" if is_fibre else "elastic beam"


def draw_elements(axis: Any, shown: ShownFrame, moves: Vector | None = None, **look: Any) -> None:
    """Draw all elements, displaced by x, y and rotation of each node, in their style or another."""
    model = shown.frame.model
    order = {node: k for k, node in enumerate(model.nodes)}
    moves = np.zeros((len(order), 3)) if moves is None else moves
    told = set()
    for element in model.elements.values():
        style = style_of(element)
        if not style:
            continue
        first, second = (order[node] for node in element.nodes)
        line = curve_between(
            shown.places[first], shown.places[second], moves[first], moves[second], style
        )
        own = look or {**STYLES[style], **({} if style in told else {"label": style})}
        axis.plot(*line, solid_capstyle="round", **own)
        told.add(style)


def curve_between(
    a: Vector, b: Vector, start: Vector, end: Vector, style: str
) -> tuple[Vector, Vector]:
    """Give the line (1) between two nodes; bars stay straight."""
    axis = b - a
    L = float(np.hypot(*axis))
    c, s = axis / L
    (u_1, w_1), (u_2, w_2) = ((c * m[0] + s * m[1], c * m[1] - s * m[0]) for m in (start, end))
    u = L * XI + u_1 + (u_2 - u_1) * XI
    w = w_1 + (w_2 - w_1) * XI
    if style != "truss":
        w = (
            w_1 * (1 - 3 * XI**2 + 2 * XI**3)
            + start[2] * L * (XI - 2 * XI**2 + XI**3)
            + w_2 * (3 * XI**2 - 2 * XI**3)
            + end[2] * L * (XI**3 - XI**2)
        )  # (1)
    return a[0] + c * u - s * w, a[1] + s * u + c * w


def draw_hinges(axis: Any, shown: ShownFrame, moves: Vector | None = None) -> None:
    """Draw the springs between nodes at one place."""
    model = shown.frame.model
    order = {node: k for k, node in enumerate(model.nodes)}
    at = [order[e.nodes[1]] for e in model.elements.values() if isinstance(e, ZeroLength)]
    if not at:
        return
    places = shown.places[at] + (0.0 if moves is None else moves[at, :2])
    axis.plot(*places.T, **HINGE, label="springs, hinges", zorder=5)


def draw_supports(axis: Any, shown: ShownFrame) -> None:
    """Draw the supports: a block holds all, a triangle lets turn, a ball lets slide too."""
    from matplotlib.path import Path

    block = Path([(-1, -0.7), (1, -0.7), (1, 0), (-1, 0), (-1, -0.7)])
    turn = np.linspace(0, 2 * np.pi, 25)
    ball = Path(np.column_stack([0.5 * np.cos(turn), 0.5 * np.sin(turn) - 0.5]))
    triangle = Path([(0, 0), (0.8, -1), (-0.8, -1), (0, 0)])
    signs = {"xyr": ("fixed", block), "xy": ("pinned", triangle), "y": ("roller", ball)}
    told = set()
    places = {n: shown.frame.model.nodes[n] for n in shown.frame.model.supports}
    strongest: dict[tuple[float, float], str] = {}
    for node, ways in shown.frame.model.supports.items():
        own = strongest.get(places[node], "")
        strongest[places[node]] = ways if len(ways) > len(own) else own
    for place, ways in strongest.items():
        name, sign = signs.get(ways, ("held in part", "D"))
        size = 6 if sign == "D" else 13
        label = None if name in told else name
        axis.plot(*place, marker=sign, ms=size, color="0.25", ls="", label=label, zorder=4)
        told.add(name)


def draw_specimens(axis: Any, shown: ShownFrame, moves: Vector | None = None) -> None:
    """Draw where the specimens are: between two nodes, or an arrow at one."""
    order = {node: k for k, node in enumerate(shown.frame.model.nodes)}
    size = float(np.ptp(shown.places, axis=0).max()) or 1.0
    middle = shown.places.mean(axis=0)
    for k, (nodes, way) in enumerate(shown.specimens):
        at = [order[node] for node in nodes]
        ends = shown.places[at] + (0.0 if moves is None else moves[at, :2])
        label = None if k else "specimen"
        if len(ends) == 2:
            axis.plot(*ends.T, color=SPECIMEN, lw=3.5, marker="s", ms=6, label=label, zorder=6)
            continue
        along = np.array([0.0, 1.0] if way == "y" else [1.0, 0.0])
        side = -1.0 if along @ ends[0] <= along @ middle else 1.0
        far = ends[0] + 0.13 * side * size * along
        line = np.array([ends[0], far])
        axis.plot(*line.T, color=SPECIMEN, lw=3.5, label=label, zorder=6, solid_capstyle="butt")
        axis.plot(*far, marker="s", ms=8, color=SPECIMEN, zorder=6)


def scale_of(shown: ShownFrame, moves: Vector) -> float:
    """Give a round factor with which displacements are seen."""
    largest = float(np.hypot(moves[:, 0], moves[:, 1]).max())
    if largest <= 0.0:
        return 1.0
    wanted = SEEN * float(np.ptp(shown.places, axis=0).max()) / largest
    power = 10.0 ** floor(log10(wanted))
    return power * max(f for f in (1, 2, 5) if f * power <= wanted * (1 + 1e-9))


def draw_ties(axis: Any, shown: ShownFrame) -> None:
    """Draw what ties nodes at different places along x, such as a floor and a leaning column."""
    label = "tied along x"
    for nodes, ways in shown.frame.model.ties:
        places = np.unique([shown.frame.model.nodes[n] for n in nodes], axis=0)
        if "x" in ways and len(places) > 1:
            axis.plot(*places.T, color="0.5", lw=1.0, ls=":", label=label, zorder=1)
            label = ""


def set_room(axis: Any, shown: ShownFrame) -> None:
    """Show lengths alike along both axes, with room around for signs and displacements."""
    low, high = shown.places.min(axis=0), shown.places.max(axis=0)
    room = _room(high - low)
    axis.set_aspect("equal", adjustable="datalim")
    axis.update_datalim([low - room, high + room])
    axis.margins(0.0)
    axis.autoscale_view()


def _room(spans: Vector) -> Vector:
    """Give the room to either side along x and y."""
    most = float(spans.max())
    return np.array([0.13 * most, min(0.13 * most, max(0.3 * float(spans[1]), 0.05 * most))])


def height_of(shown: ShownFrame, width: float, least: float, most: float) -> float:
    """Give the height of a panel, inches, that suits the frame's proportions at a width."""
    spans = np.ptp(shown.places, axis=0)
    wanted = spans + 2 * _room(spans)
    return float(np.clip(width * wanted[1] / wanted[0], least, most))
