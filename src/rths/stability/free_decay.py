"""Growth of a small or large motion by simulation, for loops that no linearisation describes.

    x(0) = a φ_i  for some amplitudes a and each mode i, then nothing drives the loop            (1)
    σ = ln( rms of the last quarter / rms of the second quarter ) / (half of the time)          (2)

σ is the rate of the envelope: it depends on a, and a loop with friction, a quantiser or an adaptive
law may grow from one amplitude and decay from another. Not finite: the motion has overflowed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from rths.assembly.hybrid_test import HybridTest
from rths.registry import find
from rths.stability.structural_modes import Modes, modes_of

AMPLITUDES = (1e-5, 1e-4, 1e-3, 1e-2)
"""Amplitudes a, m: from the resolution of a displacement sensor to the stroke of a test."""
CYCLES = 40
"""Periods of the mode in a run: ten in each quarter of (2), so that no single one decides."""


@dataclass(frozen=True)
class Decay:
    """One free motion: its mode, its first amplitude (m), its rate (1/s), what is left of it."""

    mode: int
    amplitude: float
    rate: float
    left: float
    """Amplitude in the last quarter, m."""


def free_decay(test: HybridTest, mode: int, amplitude: float, modes: Modes | None = None) -> Decay:
    """Let the loop go from one mode and measure (2)."""
    modes = modes or modes_of(test)
    shape = modes.shapes[:, mode]
    x = amplitude * shape / np.abs(shape).max()
    period = 1 / max(float(modes.frequencies[mode]), 1e-3)
    step = test.clock.step
    steps = int(np.clip(np.ceil(CYCLES * period / step), 400, 400_000))
    released = replace(
        test,
        excitation=find("excitation", "free_vibration")(displacement=tuple(x)),
        limits={},
        safety=None,
        guards=(),
        record=("integrator.target",),
        duration=steps * step,
    )
    cycle = released.cycle()
    released.layout.silence(cycle.arena)
    rows = np.zeros((released.clock.ticks, test.channels))
    done = cycle.advance(len(rows), rows)
    if done < len(rows):
        return Decay(mode, amplitude, np.inf, np.inf)
    quarters = np.array_split(rows, 4)
    early, late = (float(np.sqrt(np.mean(quarters[k] ** 2))) for k in (1, 3))
    rate = np.log(max(late, 1e-300) / max(early, 1e-300)) / (0.5 * released.duration)
    return Decay(mode, amplitude, float(rate), float(np.abs(quarters[3]).max()))


def free_decays(test: HybridTest) -> list[Decay]:
    """Free motions of every mode (at most three) from each of some amplitudes."""
    modes = modes_of(test)
    count = min(3, modes.frequencies.size)
    return [free_decay(test, i, a, modes) for i in range(count) for a in AMPLITUDES]
