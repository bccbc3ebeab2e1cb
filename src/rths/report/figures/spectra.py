"""Amplitude spectra of displacements and force.

    S_xx = 2 h/(n Σ w²) Σ_s |X_s|²,   X_s spectrum of segment s under a Hann window w           (1)

Drawn is its root, in mm/√Hz. P. D. Welch, IEEE Trans. Audio Electroacoust. 15(2), 1967, 70-73.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rths.loop.channel_name import name_channel
from rths.report.figure import COLOURS, grid, legend
from rths.report.readable import readable_scale
from rths.report.shown_run import ShownRun
from rths.report.shown_signals import FORCE, MEASURED, TARGET

PLACE = 60
CAPTION = (
    "Spectra: root of the power density of target (thin) and measured displacement (bold), and of "
    "the force fed back."
)
HIGHEST = 100.0
"""Highest frequency that is drawn, Hz."""
Array = NDArray[np.float64]


def spectrum(signal: Array, step: float) -> tuple[Array, Array]:
    """Root of (1) with segments of a quarter of the signal, half overlapping."""
    length = max(16, signal.size // 4)
    window = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(length) / length)
    starts = np.arange(0, signal.size - length + 1, length // 2)
    power = np.zeros(length // 2 + 1)
    for start in starts:
        part = signal[start : start + length]
        power += np.abs(np.fft.rfft(window * (part - part.mean()))) ** 2
    power *= 2 * step / (starts.size * np.sum(window**2))  # (1)
    return np.asarray(np.fft.rfftfreq(length, step), np.float64), np.sqrt(power)


def draw(runs: Sequence[ShownRun]) -> Any:
    """Draw displacement beside force, a row for each channel."""
    shown = [r for r in runs if r.has(TARGET, MEASURED, FORCE) and len(r.record.rows) >= 64]
    if not shown:
        return None
    channels = max(r.channels for r in shown)
    figure, axes = grid(channels, 2, (7.2, 2.4 * channels + 0.2), sharex=True)
    for c in range(channels):
        size = max(np.nanmax(np.abs(r.signal(FORCE, c))) for r in shown if c < r.channels)
        unit, factor = readable_scale(float(size), "N")
        for k, run in enumerate(r for r in shown if c < r.channels):
            colour, h = COLOURS[k % len(COLOURS)], run.record.tick
            _line(axes[c, 0], 1e3 * run.signal(MEASURED, c), h, colour, 1.4, run.label)
            _line(axes[c, 0], 1e3 * run.signal(TARGET, c), h, "0.25", 0.6, None)
            _line(axes[c, 1], factor * run.signal(FORCE, c), h, colour, 1.0, run.label)
        axes[c, 0].set_ylabel(f"{name_channel('displacement', c, channels)}, mm/√Hz")
        axes[c, 1].set_ylabel(f"{name_channel('force', c, channels)}, {unit}/√Hz")
    for axis in axes[-1]:
        axis.set_xlabel("frequency, Hz")
    legend(figure, axes[0, 0])
    return figure


def _line(axis: Any, signal: Array, step: float, colour: str, width: float, label: Any) -> None:
    f, s = spectrum(signal, step)
    kept = (f > 0) & (f <= HIGHEST)
    floor = 1e-7 * s[kept].max(initial=0.0)
    if floor > 0.0:
        axis.loglog(f[kept], np.maximum(s[kept], floor), color=colour, lw=width, label=label)
