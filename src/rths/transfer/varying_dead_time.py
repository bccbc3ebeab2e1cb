"""Dead time that changes during the test: it drifts, it swings, or both.

    x_m(t) = u(t - tau(t))                                                                   (1)
    tau(t) = tau_0 + (tau_1 - tau_0) min(t/T, 1) + a sin(2 pi f t)                              (2)

Between ticks the command runs straight, as in `dead_time`. Oil warms, valves work at another load:
a compensator set for tau_0 is then late or early. Use it to see whether an adaptive one follows.

[chen2010] (actuators whose delay varies in a test).
"""

from __future__ import annotations

from math import ceil, pi, sin

import numpy as np

from rths.errors import InputError
from rths.loop.block import Block, Ring, Vector, kernel, ring_size
from rths.loop.fields import fields, many
from rths.quantity import Delay, Duration, Hertz
from rths.site import Site
from rths.transfer.base import Transfer, describe, register

P = fields(
    first="tau_0, ticks",
    drift="tau_1 - tau_0, ticks",
    swing="a, ticks",
    drift_ticks="T, ticks",
    angle="2 pi f h, rad",
)
X = fields(ring=many("commands"), newest="place of the newest", tick="ticks so far")


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    mask = x.size - 3
    k = (int(x[X.newest]) + 1) & mask
    x[k] = u[0]
    x[X.newest] = k
    t = x[X.tick]
    x[X.tick] = t + 1.0
    drift = p[P.drift] * min(t / p[P.drift_ticks], 1.0)
    tau = p[P.first] + drift + p[P.swing] * sin(p[P.angle] * t)  # (2)
    tau = max(tau, 0.0)  # round-off of a delay that just reaches zero
    q = int(tau)
    r = tau - q
    y[0] = (1.0 - r) * x[(k - q) & mask] + r * x[(k - q - 1) & mask]  # (1)


@register
@describe
class VaryingDeadTime(Transfer):
    """Pure delay that is not constant."""

    cites = ("chen2010",)
    example = {"delay": 0.006}

    delay: Delay
    """Delay tau_0 at the start, s."""
    final_delay: Delay | None = None
    """Delay tau_1 at the end of the drift, s; the first one if not given."""
    drift_time: Duration = 10.0
    """Time T in which the delay drifts to its final value, s."""
    swing: Delay = 0.0
    """Amplitude a of a sinusoidal change about the drifting delay, s."""
    swing_frequency: Hertz = 1.0
    """Frequency f of the swing, Hz."""

    def __post_init__(self) -> None:
        """Refuse a swing that would ask for commands of the future."""
        least = min(self.delay, self._final)
        if self.swing > least:
            raise InputError(
                "transfer.swing",
                self.swing,
                f"is larger than the delay of {least:g} s, so that the delay becomes negative",
                f"Give at most {least:g}.",
            )

    @property
    def _final(self) -> float:
        return self.delay if self.final_delay is None else self.final_delay

    def block(self, site: Site) -> Block:
        """Yield the block of (1) and (2), filled with the displacement before t = 0."""
        h = site.tick
        longest = max(self.delay, self._final) + self.swing
        size = ring_size(ceil(longest / h) + 2)
        params = P.pack(
            first=self.delay / h,
            drift=(self._final - self.delay) / h,
            swing=self.swing / h,
            drift_ticks=self.drift_time / h,
            angle=2 * pi * self.swing_frequency * h,
        )
        states = X.pack(ring=np.full(size, site.displacement), newest=0, tick=0)
        ring, counters = Ring(X.ring, size, size), [states.size + X.tick]
        return Block(step, params, states, rings=[ring], counters=counters)
