"""Pictures of a study: figures without a screen, in the style of the reports.

A study's figures are functions that return a matplotlib figure; ``@figures.of("3", ...)`` names the
figure of the paper that they answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rths.report.pictures import COLOURS, STYLE

BLUE, RED, GREEN, VIOLET, ORANGE = COLOURS
GREY = "0.55"
LEGIBLE = {"legend.frameon": True, "legend.framealpha": 0.85, "legend.edgecolor": "none"}
"""Legends stand on white, so that curves may pass below them."""


def panels(rows: int, columns: int, size: tuple[float, float], **share: Any) -> tuple[Any, Any]:
    """Make a figure of rows by columns of axes."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=size, layout="constrained")
    FigureCanvasAgg(figure)
    return figure, figure.subplots(rows, columns, squeeze=False, **share)


def name_panel(axis: Any, text: str) -> None:
    """Write a panel's name above its left end."""
    axis.set_title(text, loc="left", fontsize=9)


@dataclass(frozen=True)
class Picture:
    """One figure of a study."""

    number: str
    caption: str
    draw: Callable[[], Any]

    def save(self, path: Path) -> Path:
        """Draw in the style of the package and write the file."""
        import matplotlib

        path.parent.mkdir(parents=True, exist_ok=True)
        with matplotlib.rc_context({**STYLE, **LEGIBLE}):
            self.draw().savefig(path, dpi=150)
        return path


@dataclass
class Figures:
    """The figures of a study; ``@figures.of(number, caption)`` adds one."""

    listed: list[Picture] = field(default_factory=list)

    def of(self, number: str, caption: str) -> Callable[[Callable[[], Any]], Callable[[], Any]]:
        """Make a picture of the function that draws it."""

        def add(draw: Callable[[], Any]) -> Callable[[], Any]:
            self.listed.append(Picture(number, caption, draw))
            return draw

        return add

    def __iter__(self) -> Iterator[Picture]:
        return iter(self.listed)
