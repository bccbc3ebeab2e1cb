"""Figures without a screen, in the style of the package, as files or as text of a page."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rths.errors import InputError
from rths.plain_file import drop_link
from rths.report.pictures import COLOURS, STYLE

__all__ = [
    "COLOURS",
    "GREY",
    "NARROWEST",
    "WIDTH",
    "data_uri",
    "draw_styled",
    "grid",
    "keep_in_view",
    "least_width",
    "legend",
    "outline",
    "require_picture",
    "save",
    "thin",
]

Array = NDArray[np.float64]
GREY = "0.55"
FILES = ("png", "svg", "pdf")
WIDTH, NARROWEST = 7.2, 2.4
"""Width of a picture, inches, which the page shows alike: letters then have one size; and that of a
column of it."""
BEYOND, ROOM = 3.0, 1.4
"""How much larger a lost run may be before the others set the scale; and what they leave free."""
POINTS = 3000
"""Points of a curve that a picture keeps: more cannot be seen."""


def draw_styled(draw: Callable[..., Any], *given: Any) -> Any:
    """Draw in the style of the package."""
    import matplotlib

    with matplotlib.rc_context({**STYLE, "lines.solid_joinstyle": "round"}):
        return draw(*given)


def grid(rows: int, columns: int, size: tuple[float, float], **more: Any) -> tuple[Any, Any]:
    """Make a figure of axes in rows and columns."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=size, layout="constrained")
    FigureCanvasAgg(figure)
    return figure, figure.subplots(rows, columns, squeeze=False, **more)


def least_width(figure: Any) -> int:
    """Pixels that a page gives a picture at least, so that its smallest letters have 12.

    They are of 8 points, and a point is 1/72 of an inch of the picture.
    """
    return round(12 * 72 / 8 * float(figure.get_figwidth()))


def keep_in_view(axes: Any, lost: Any) -> None:
    """Let runs that came to their end set the scale of axes with a curve, or a panel, for each.

    A run that was lost leaves the picture where it is much larger than all others.
    """
    kept: list[Array] = []
    gone: list[Array] = []
    several = len(axes) > 1
    for k, axis in enumerate(axes):
        for i, line in enumerate(axis.get_lines()):
            values = np.asarray(line.get_ydata(), float)
            finite = values[np.isfinite(values)]
            if finite.size:
                (gone if lost[k if several else min(i, len(lost) - 1)] else kept).append(finite)
    if not kept or not gone:
        return
    low, high = min(v.min() for v in kept), max(v.max() for v in kept)
    reach = max(abs(low), abs(high))
    if max(np.abs(v).max() for v in gone) > BEYOND * reach > 0:
        middle, half = 0.5 * (low + high), 0.5 * ROOM * max(high - low, 0.1 * reach)
        for axis in axes:
            axis.set_ylim(middle - half, middle + half)


def legend(figure: Any, axis: Any, columns: int = 4) -> None:
    """Put the legend of an axis above all axes, where no curve runs through it."""
    handles, labels = axis.get_legend_handles_labels()
    if len(labels) > 1:
        figure.legend(handles, labels, loc="outside upper right", ncols=columns, fontsize=8)


def outline(t: Array, y: Array) -> tuple[Array, Array]:
    """Keep the least and the largest value of each of many pieces: peaks stay where they are."""
    if t.size <= 2 * POINTS:
        return t, y
    size = -(-t.size // POINTS)
    whole = t.size // size * size
    pieces = y[:whole].reshape(-1, size)
    start = np.arange(0, whole, size)
    places = np.sort(
        np.column_stack([start + pieces.argmin(axis=1), start + pieces.argmax(axis=1)]), axis=1
    ).ravel()
    places = np.concatenate([places, [t.size - 1]])
    return t[places], y[places]


def thin(x: Array, y: Array) -> tuple[Array, Array]:
    """Keep every so many points of a loop."""
    stride = max(1, x.size // (2 * POINTS))
    return x[::stride], y[::stride]


def data_uri(figure: Any) -> str:
    """Write a figure as SVG inside the page."""
    import matplotlib

    buffer = BytesIO()
    with matplotlib.rc_context({"svg.hashsalt": "rths", "svg.fonttype": "path"}):
        figure.savefig(buffer, format="svg", metadata={"Date": None})
    return "data:image/svg+xml;base64," + b64encode(buffer.getvalue()).decode("ascii")


def require_picture(path: Path) -> Path:
    """Refuse a name whose ending is no kind of picture."""
    if path.suffix.lstrip(".") not in FILES:
        raise InputError("figure", str(path), "has no known ending", f"Use {', '.join(FILES)}.")
    return path


def save(figure: Any, path: Path) -> Path:
    """Write a figure as PNG, SVG or PDF, by the ending of its name."""
    require_picture(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(drop_link(path), dpi=200)
    return path
