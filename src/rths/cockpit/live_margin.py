"""The margin that is left while a test runs.

    extra delay  e = τ - τ_0,   lost at e_c;      gain  γ = g/g_0,   lost at γ_c               (1)
    e grows by a line through the last estimates:  e(t) = a + b t,
    time to the limit (e_c - e)/b,  said if b exceeds three times its standard error           (2)

τ and g are those of the last seconds (tracking.py), τ_0 and g_0 those of the same estimate in the
rehearsal, e_c and γ_c the critical extra delay and gain of the certificate. A delay in front of the
specimen and a gain of its motion are what the certificate has changed in the loop, one at a time.
The standard error is that of a line through estimates whose windows overlap, so that only every
one in a window counts.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from math import sqrt
from typing import Any

import numpy as np

from rths.cockpit.tracking import WINDOW, Tracking

TREND = 12.0
"""Seconds over which a growth is looked for."""
FEWEST = 8
"""Estimates from which on a line is drawn."""
SURE = 3.0
"""Standard errors that a growth must exceed."""
SLOWEST = 1e-6
"""Growth, s/s, that is none: a millisecond in a quarter of an hour."""


@dataclass(frozen=True)
class Limits:
    """What the certificate and the rehearsal say about one test."""

    verdict: str = ""
    sentence: str = ""
    delay: float | None = None
    """Critical extra delay, s."""
    searched_delay: float | None = None
    """Extra delay up to which none was found, s."""
    gain: float | None = None
    """Critical gain."""
    planned_delay: float = 0.0
    planned_gain: float = 1.0


@dataclass
class LiveMargin:
    """Estimates of the last seconds of one actuator, and what they say."""

    limits: Limits | None = None
    _seen: deque[tuple[float, float]] = field(default_factory=lambda: deque(maxlen=512))

    def add(self, time: float, found: Tracking) -> None:
        """Take the estimate of a moment."""
        self._seen.append((time, found.delay))
        while self._seen and self._seen[0][0] < time - TREND:
            self._seen.popleft()

    def growth(self) -> float | None:
        """Give the slope b of (2), s/s; None if it may be chance."""
        if len(self._seen) < FEWEST:
            return None
        t, e = np.array(self._seen).T
        if np.ptp(t) < 2.0 * WINDOW:
            return None
        (slope, _), residuals, *_ = np.polyfit(t, e, 1, full=True)
        left = float(residuals[0]) if residuals.size else 0.0
        free = max(np.ptp(t) / WINDOW, 1.0)  # windows that do not overlap
        error = sqrt(left / t.size / (free * float(np.var(t))))
        sure = slope > SURE * error and slope > SLOWEST
        return float(slope) if sure else None

    def describe(self, found: Tracking | None) -> dict[str, Any]:
        """Tell all of it as plain data."""
        limits = self.limits
        told: dict[str, Any] = {"known": limits is not None}
        if limits is not None:
            told |= {
                "verdict": limits.verdict,
                "sentence": limits.sentence,
                "limit": limits.delay,
                "searched": limits.searched_delay,
                "gain_limit": limits.gain,
                "planned": limits.planned_delay,
            }
        if found is None:
            return told
        told |= {"delay": found.delay, "spread": found.spread, "gain": found.gain}
        growth = self.growth()
        told["growth"] = growth
        if limits is None:
            return told
        extra = found.delay - limits.planned_delay
        told |= {"extra": extra, "relative_gain": found.gain / (limits.planned_gain or 1.0)}
        if limits.delay is not None and growth is not None:
            told["seconds_left"] = max(0.0, (limits.delay - extra) / growth)
        return told
