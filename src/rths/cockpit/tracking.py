"""How late and how large the measured motion is, over the last seconds of a test.

    min over τ and g of Σ (g c(t_i - τ) - m(t_i))²,   g = Σ m(t_i) c(t_i - τ) / Σ c(t_i - τ)²   (1)

τ is that of ``delay_by_least_squares``, with its confidence interval, for a target that is scaled
by the gain at the τ before. An actuator that follows perfectly has τ = 0 and g = 1. Nothing is said
of a window in which the target hardly moves.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rths.errors import InputError
from rths.identification.least_squares_delay import delay_by_least_squares

Array = NDArray[np.float64]
WINDOW = 2.0
"""Seconds of a window: a period or more of all that is tested."""
LONGEST = 0.06
"""Longest delay or lead that is looked for, s: actuators are a few to some tens of ms late."""
FASTEST = 1024.0
"""Samples a second that are taken: a delay is found far within a sample."""
QUIET = 1e-9
"""Standard deviation of a target, m, below which it stands still."""

MOST = 1e6
"""Motion, m, beyond which a test has run away."""
ROUNDS, ALIKE = 4, 0.003
"""Rounds in which delay and gain are found in turn, and a change of the gain that ends them."""
STRONGEST = 20.0
"""Gain beyond which the two motions have nothing to do with each other."""


@dataclass(frozen=True)
class Tracking:
    """Delay and gain (1) of one window."""

    delay: float
    """s, positive if the measured motion is late."""
    spread: float
    """Half of its 95 % confidence interval, s."""
    gain: float


def estimate_tracking(target: Array, measured: Array, step: float) -> Tracking | None:
    """Estimate (1); None if the target does not move, or no delay fits."""
    every = max(1, int(1.0 / (step * FASTEST) + 1e-9))
    c, m, h = target[::every], measured[::every], every * step
    largest = max(np.abs(c).max(initial=0.0), np.abs(m).max(initial=0.0))
    if c.size < 64 or not largest < MOST or np.std(c) < QUIET:
        return None
    gain = 1.0
    for _ in range(ROUNDS):
        try:
            found = delay_by_least_squares(gain * c, m, h, longest=min(LONGEST, 0.2 * c.size * h))
        except InputError:
            return None
        before, gain = gain, _find_gain(c, m, h, float(found))
        if not 0.0 < gain < STRONGEST:
            return None
        if abs(gain - before) < ALIKE:
            break
    return Tracking(float(found), 0.5 * (found.high - found.low), gain)


def _find_gain(c: Array, m: Array, step: float, delay: float) -> float:
    """Give the gain of (1) at a delay, where both have samples."""
    places = np.arange(c.size) * step
    inside = (places - delay >= 0.0) & (places - delay <= places[-1])
    shifted = np.interp(places[inside] - delay, places, c)
    power = float(shifted @ shifted)
    return float(shifted @ m[inside]) / power if power > 0.0 else 0.0


def track_windows(target: Array, measured: Array, step: float) -> list[Tracking]:
    """Estimate (1) in windows one after the other, as of a rehearsal."""
    length = max(1, round(WINDOW / step))
    starts = range(0, max(1, target.size - length + 1), length)
    each = (
        estimate_tracking(target[k : k + length], measured[k : k + length], step) for k in starts
    )
    return [t for t in each if t is not None]


def warm_up() -> None:
    """Load what the first estimate of a live test would wait for, and with it a stop."""
    t = 0.001 * np.arange(2000)
    estimate_tracking(np.sin(6.0 * t), np.sin(6.0 * (t - 0.01)), 0.001)
