"""Signals of a record over time, as a picture that a notebook shows."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from typing import TYPE_CHECKING

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

if TYPE_CHECKING:
    from rths.records.record import Record

USUAL = ("excitation.signal", "integrator.target", "feedback.force")
"""What is drawn if nothing is named: what drives the test, how it moves, what it feels."""


class Drawing(Figure):
    """A figure that shows itself in a notebook, without a global state of figures."""

    def _repr_png_(self) -> bytes:
        into = BytesIO()
        self.savefig(into, format="png", dpi=100)
        return into.getvalue()


def draw_signals(record: Record, names: Sequence[str] = ()) -> Drawing:
    """Draw signals one above the other; ``savefig`` writes the picture."""
    shown = names or [n for n in USUAL if n in record] or list(record)[:3]
    figure = Drawing(figsize=(8.0, 1.0 + 1.8 * len(shown)), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots(len(shown), 1, sharex=True, squeeze=False)[:, 0]
    for axis, name in zip(axes, shown, strict=True):
        axis.plot(record.time(name), record[name], linewidth=0.8)
        axis.set_ylabel(f"{name}\n{record.channel(name).unit}")
        axis.grid(alpha=0.3)
    axes[0].set_title(f"{record.name}: {record.stop}")
    axes[-1].set_xlabel("time, s")
    return figure
