"""Pictures of a study: figures without a screen, in the style of the reports.

A study's figures are functions that return a matplotlib figure; ``@figures.of("3")`` names the
figure of the paper that they answer, and ``captions.toml`` beside them says what is to be seen.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

from rths.report.pictures import COLOURS, STYLE

BLUE, RED, GREEN, VIOLET, ORANGE = COLOURS
GREY = "0.55"
DOTS = 150
"""Dots of an inch of a picture."""
LEGIBLE = {"legend.frameon": True, "legend.framealpha": 0.85, "legend.edgecolor": "none"}
"""Legends stand on white, so that curves may pass below them."""


def blank_figure(size: tuple[float, float]) -> Any:
    """Make a figure without axes."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=size, layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def panels(rows: int, columns: int, size: tuple[float, float], **share: Any) -> tuple[Any, Any]:
    """Make a figure of rows by columns of axes."""
    figure = blank_figure(size)
    return figure, figure.subplots(rows, columns, squeeze=False, **share)


def read_captions(package: str) -> dict[str, str]:
    """Read the captions of the study in this package, by the number of the figure."""
    return tomllib.loads((files(package) / "captions.toml").read_text("utf-8"))


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
            self.draw().savefig(path, dpi=DOTS)
        return path


@dataclass
class Figures:
    """The figures of a study with their captions; ``@figures.of(number)`` adds one."""

    captions: Mapping[str, str]
    listed: list[Picture] = field(default_factory=list)

    def of(self, number: str) -> Callable[[Callable[[], Any]], Callable[[], Any]]:
        """Make a picture of the function that draws it."""

        def add(draw: Callable[[], Any]) -> Callable[[], Any]:
            self.listed.append(Picture(number, self.captions[number], draw))
            return draw

        return add

    def __iter__(self) -> Iterator[Picture]:
        return iter(self.listed)
