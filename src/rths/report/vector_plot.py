"""Small pictures as SVG text, for pages that must be written at once: axes, lines, points, cells.

A page of the certificate is made before every test; a drawing library takes longer to load than the
certificate takes to compute. What is published goes through `pictures`.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import count
from math import ceil, floor, isfinite, log10

import numpy as np
from numpy.typing import ArrayLike

LEFT, RIGHT, TOP, BOTTOM = 62.0, 18.0, 14.0, 48.0
"""Margins, pixels: numbers and a name fit left and below, half a number right and above."""
_numbers = count(1)
"""Numbers of the pictures of a process: two of one page must not share the name of a clip."""


def round_steps(low: float, high: float, count: int = 6) -> list[float]:
    """Marks at round numbers between two ends."""
    rough = (high - low) / count
    power = 10.0 ** floor(log10(rough))
    step = next(s * power for s in (1, 2, 2.5, 5, 10) if s * power >= rough * (1 - 1e-9))
    first = ceil(low / step - 1e-9)
    return [k * step for k in range(first, floor(high / step + 1e-9) + 1)]


class VectorPlot:
    """One picture; x and y are in the units of its axes."""

    def __init__(
        self,
        x: tuple[float, float],
        y: tuple[float, float],
        labels: tuple[str, str],
        size: tuple[float, float] = (420.0, 300.0),
    ) -> None:
        self.x, self.y, self.labels = x, y, labels
        self.width, self.height = size
        self._parts: list[str] = []
        self._clip = f"clip{next(_numbers)}"

    def place_x(self, x: float) -> float:
        """Place of x in the picture."""
        return LEFT + (x - self.x[0]) / (self.x[1] - self.x[0]) * (self.width - LEFT - RIGHT)

    def place_y(self, y: float) -> float:
        """Place of y in the picture."""
        share = (y - self.y[0]) / (self.y[1] - self.y[0])
        return self.height - BOTTOM - share * (self.height - TOP - BOTTOM)

    def line(self, x: ArrayLike, y: ArrayLike, kind: str = "line") -> None:
        """Draw a line through points; ``kind`` is a class of the style sheet."""
        pairs = zip(np.ravel(x).tolist(), np.ravel(y).tolist(), strict=True)
        points = " ".join(f"{self.place_x(a):.1f},{self.place_y(b):.1f}" for a, b in pairs)
        self._parts.append(f'<polyline class="{kind}" points="{points}"/>')

    def dots(self, x: ArrayLike, y: ArrayLike, kind: str = "dot", radius: float = 3.0) -> None:
        """Draw points, as far as they lie inside."""
        for a, b in zip(np.ravel(x).tolist(), np.ravel(y).tolist(), strict=True):
            inside = self.x[0] <= a <= self.x[1] and self.y[0] <= b <= self.y[1]
            if inside and isfinite(a) and isfinite(b):
                place = f'cx="{self.place_x(a):.1f}" cy="{self.place_y(b):.1f}"'
                self._parts.append(f'<circle class="{kind}" {place} r="{radius}"/>')

    def cell(self, x: tuple[float, float], y: tuple[float, float], kind: str) -> None:
        """Fill a rectangle, cut off at the border."""
        a, b = (min(max(v, self.x[0]), self.x[1]) for v in x)
        c, d = (min(max(v, self.y[0]), self.y[1]) for v in y)
        left, right, top, bottom = (
            self.place_x(a),
            self.place_x(b),
            self.place_y(d),
            self.place_y(c),
        )
        box = f'x="{left:.1f}" y="{top:.1f}" width="{right - left:.1f}" height="{bottom - top:.1f}"'
        self._parts.append(f'<rect class="{kind}" {box}/>')

    def text(self, x: float, y: float, words: str) -> None:
        """Write beside a point."""
        at = f'x="{self.place_x(x) + 7:.1f}" y="{self.place_y(y) - 6:.1f}"'
        self._parts.append(f'<text class="mark" {at}>{escape(words)}</text>')

    def svg(self) -> str:
        """The picture with its axes."""
        w, h = self.width, self.height
        right, low = w - RIGHT, h - BOTTOM
        shown = escape(f"{self.labels[1]} over {self.labels[0]}")
        size = f'viewBox="0 0 {w:g} {h:g}" width="{w:g}" height="{h:g}"'
        parts = [f'<svg {size} role="img" aria-label="{shown}">']
        parts.append(
            f'<clipPath id="{self._clip}"><rect x="{LEFT}" y="{TOP}" width="{right - LEFT}" '
            f'height="{low - TOP}"/></clipPath>'
        )
        for v in round_steps(*self.x):
            p = self.place_x(v)
            parts.append(f'<line class="grid" x1="{p:.1f}" y1="{TOP}" x2="{p:.1f}" y2="{low}"/>')
            parts.append(f'<text class="mid" x="{p:.1f}" y="{low + 15}">{v:.6g}</text>')
        for v in round_steps(*self.y):
            p = self.place_y(v)
            parts.append(f'<line class="grid" x1="{LEFT}" y1="{p:.1f}" x2="{right}" y2="{p:.1f}"/>')
            parts.append(f'<text class="end" x="{LEFT - 6}" y="{p + 4:.1f}">{v:.6g}</text>')
        parts += [f'<g clip-path="url(#{self._clip})">', *self._parts, "</g>"]
        middle = (LEFT + right) / 2
        parts.append(
            f'<text class="mid" x="{middle:.0f}" y="{h - 8}">{escape(self.labels[0])}</text>'
        )
        at = f"rotate(-90) translate({-(TOP + low) / 2:.0f} 13)"
        parts.append(f'<text class="mid" transform="{at}">{escape(self.labels[1])}</text></svg>')
        return "\n".join(parts)


def bars(names: Sequence[str], values: Sequence[float], unit: str) -> str:
    """Horizontal bars to both sides of zero, each beneath its name: a phone is wide enough."""
    most = max((abs(v) for v in values), default=0.0) or 1.0
    row, wide, middle = 44, 350, 110
    size = f'viewBox="0 0 {wide} {row * len(names) + 4}" width="{wide}"'
    parts = [f'<svg {size} role="img" aria-label="bars, in {escape(unit)}">']
    for k, (name, v) in enumerate(zip(names, values, strict=True)):
        y, length = row * k + 20, 100 * abs(v) / most
        left = middle - (length if v < 0 else 0)
        kind = "good" if v < 0 else "bad"
        parts.append(f'<text x="4" y="{y - 5}">{escape(name)}</text>')
        box = f'x="{left:.1f}" y="{y}" width="{length:.1f}" height="16"'
        parts.append(f'<rect class="{kind}" {box}/>')
        parts.append(f'<text x="225" y="{y + 13}">{v:+.2g} {escape(unit)}</text>')
    return "\n".join([*parts, "</svg>"])
