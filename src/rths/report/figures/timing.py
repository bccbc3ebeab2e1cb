"""Timing of runs on the clock: histograms of latency, execution time and round trip."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rths.report.figure import COLOURS, GREY, grid, legend
from rths.report.shown_run import ShownRun
from rths.report.timing import NAMES

PLACE = 80
SECTION = "clock"
CAPTION = (
    "Timing: how many ticks woke so late (latency), worked so long (execution time) and waited so "
    "long for the rig (round trip). Dotted: 99 % are below it. Dashed: one tick."
)
SHORTEST = 1e-7
"""Shortest time that is drawn, s: what is shorter is drawn there."""
BINS = 24
"""Bars in a factor of ten."""


def draw(runs: Sequence[ShownRun]) -> Any:
    """Draw a histogram for each quantity, all records in one panel; None off the clock."""
    shown = [(r, r.record.timing) for r in runs if r.record.timing is not None]
    names = [n for n in NAMES if any(t is not None and n in t.percentiles for _, t in shown)]
    if not names:
        return None
    figure, axes = grid(1, len(names), (7.2, 2.6), sharey=True)
    for name, axis in zip(names, axes[0], strict=True):
        for k, (run, timing) in enumerate(shown):
            assert timing is not None
            times = timing.times.get(name)
            if times is not None and times.size:
                _histogram(axis, times, COLOURS[k % len(COLOURS)], run.label)
        for tick in {r.record.tick for r, _ in shown}:
            axis.axvline(1e6 * tick, color=GREY, lw=1, ls="--")
        axis.set(xscale="log", yscale="log", xlabel=f"{NAMES[name]}, µs")
        _plain_numbers(axis)
    axes[0, 0].set_ylabel("ticks")
    axes[0, 0].set_ylim(bottom=0.7)
    legend(figure, axes[0, 0])
    return figure


def _plain_numbers(axis: Any) -> None:
    """Label a logarithmic axis with 10, 20, 50, 100 instead of powers."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    axis.xaxis.set_major_locator(LogLocator(subs=(1.0,), numticks=9))
    axis.xaxis.set_minor_locator(LogLocator(subs=(2.0, 5.0), numticks=9))
    axis.xaxis.set_major_formatter(FuncFormatter(lambda v, _: f"{v:g}"))
    low, high = axis.get_xlim()
    few = high < 200.0 * low
    axis.xaxis.set_minor_formatter(FuncFormatter(lambda v, _: f"{v:g}") if few else NullFormatter())
    axis.tick_params(axis="x", which="both", labelsize=8)


def _histogram(axis: Any, times: Any, colour: str, label: str) -> None:
    """Draw one histogram over the logarithm of time, and its 99 % line."""
    us = 1e6 * np.maximum(times, SHORTEST)
    low, high = np.floor(BINS * np.log10(us.min())), np.ceil(BINS * np.log10(us.max()))
    edges = 10.0 ** (np.arange(low, max(high, low + 1) + 1) / BINS)
    # round-off of the powers must not push the outermost times out
    counts, edges = np.histogram(np.clip(us, edges[0], edges[-1]), edges)
    axis.stairs(counts, edges, color=colour, fill=True, alpha=0.35)
    axis.stairs(counts, edges, color=colour, lw=0.9, label=label)
    axis.axvline(np.percentile(us, 99.0), color=colour, lw=1, ls=":")
