"""Delay over time with its histogram."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rths.errors import InputError
from rths.identification.zero_crossing import delay_by_zero_crossing
from rths.loop.channel_name import name_channel
from rths.metrics.delay_over_time import delay_over_time
from rths.report.figure import COLOURS, grid, legend
from rths.report.shown_run import ShownRun
from rths.report.shown_signals import MEASURED, TARGET

PLACE = 40
CAPTION = (
    "Delay of the specimen behind the target: in sliding windows (lines), at every passage through "
    "zero (dots), and how often each delay occurs. The dotted line is the critical delay."
)
LONGEST_DELAY = 0.05
"""Longest delay that is looked for, s."""


def draw(runs: Sequence[ShownRun]) -> Any:
    """Draw a row for each channel: delay over time beside the histogram."""
    shown = [r for r in runs if r.has(TARGET, MEASURED) and len(r.record.rows) >= 64]
    if not shown:
        return None
    channels = max(r.channels for r in shown)
    figure, axes = grid(
        channels, 2, (7.2, 2.3 * channels + 0.3), sharey="row", width_ratios=[3.2, 1]
    )
    seen = False
    for c in range(channels):
        every: list[Any] = []
        for k, run in enumerate(r for r in shown if c < r.channels):
            found = _delays(run, c)
            if found is None:
                continue
            seen = True
            (t, windows), (at, crossings) = found
            colour = COLOURS[k % len(COLOURS)]
            axes[c, 0].plot(at, crossings, ".", ms=2.5, color=colour, alpha=0.5)
            axes[c, 0].plot(t, windows, color=colour, lw=1.3, label=run.label)
            inside = np.concatenate([windows, crossings])
            every.append((inside[np.isfinite(inside)], colour))
        _histogram(axes[c, 1], every)
        limits = {r.critical_delay for r in shown} - {None}
        reach = max((np.abs(v).max() for v, _ in every if v.size), default=0.0)
        for limit in limits:
            if limit is not None and 1e3 * limit < 3 * reach:
                axes[c, 0].axhline(1e3 * limit, color="0.3", lw=1.0, ls=":")
                low, high = axes[c, 0].get_ylim()
                axes[c, 0].set_ylim(low, max(high, 1.1e3 * limit))
        axes[c, 0].set_ylabel(f"{name_channel('delay', c, channels)}, ms")
    axes[-1, 0].set_xlabel("time, s")
    axes[-1, 1].set_xlabel("share")
    legend(figure, axes[0, 0])
    return figure if seen else None


def _delays(run: ShownRun, c: int) -> Any:
    """Give times and delays (ms) of windows and of crossings, or None if nothing moves."""
    x, y, h = run.signal(TARGET, c), run.signal(MEASURED, c), run.record.tick
    window = min(1.0, 0.5 * x.size * h)
    try:
        slid = delay_over_time(x, y, h, window=window, longest=min(LONGEST_DELAY, 0.2 * window))
        crossed = delay_by_zero_crossing(x - x.mean(), y - y.mean(), h, longest=LONGEST_DELAY)
    except InputError:
        return None
    times = np.sort(np.concatenate([crossed.up_times, crossed.down_times]))
    strong = np.abs(np.gradient(x, h))[np.minimum((times / h).astype(int), x.size - 1)]
    kept = strong > 0.05 * strong.max()  # a slow passage says nothing about the delay
    return (slid.times, 1e3 * slid.delays), (times[kept], 1e3 * crossed.all[kept])


def _histogram(axis: Any, every: list[Any]) -> None:
    values = [v for v, _ in every if v.size]
    if not values:
        return
    all_ = np.concatenate(values)
    low, high = np.quantile(all_, [0.01, 0.99])
    spread = max(high - low, 0.2, 0.02 * abs(high))
    bins = np.linspace(low - 0.3 * spread, high + 0.3 * spread, 41)
    for v, colour in every:
        weights = np.full(v.size, 1 / max(v.size, 1))
        axis.hist(v, bins, weights=weights, orientation="horizontal", color=colour, alpha=0.55)
    axis.set_ylim(bins[0], bins[-1])
