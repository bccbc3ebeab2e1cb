"""Forward prediction that finds the actuator's delay and gain by itself, and then its order.

    u(t) = a P(t + rho),   P as in `forward_prediction`                                        (1)

Over an exponential window of length T, written < >, the measured displacement is split into the
target and its velocity:

    m = theta_0 d + theta_1 d',   solved from <d d>, <d d'>, <d' d'>, <m d>, <m d'>            (2)
    g = |theta_0 - i w theta_1|,  delta = arg(theta_0 - i w theta_1)/w,  w² = <d' d'>/<d d>      (3)

For a sine these are exactly the ratio of amplitudes and the time by which m is late; for other
motions they are so to first order. Prediction time and amplitude follow by

    rho' = delta/(4 T),   (ln a)' = -ln(g)/(4 T)                                              (4)

With a delay tau the window makes T delta'' + delta' + delta/(4T) = tau'' T + tau': errors decay
like (1 + t/2T) exp(-t/2T), without overshoot, and a delay that drifts at a rate r is followed
4 T r behind; likewise for ln(gain). The order starts low, where the stable range of rho is
largest, and rises by one in a time 4 T while the mismatch sqrt((theta_0 - 1)² + (w theta_1)²) is
below a tolerance. If the mismatch then passes twice the tolerance, as it does where the higher
order is not stable, the order falls for good. It is a real number: its fraction weighs the newest
term of (2) in `forward_prediction`, so that the command never jumps.

Start over-compensated: too long a prediction adds damping, too short a one takes it away. Use it
for an actuator whose delay is known only roughly, or changes.

[wallace2005] section 2.3 describes the aims, [wallace2005b] the first scheme of this kind; the law
(2) to (4) is our own.
"""

from __future__ import annotations

from math import atan2, exp, log, sqrt

import numpy as np

from rths.compensator.base import Compensator, describe, register
from rths.compensator.forward_prediction import enough_points, gram, recurrence
from rths.errors import InputError
from rths.loop.block import Block, Ring, Vector, kernel, ring_size
from rths.loop.port import Port
from rths.loop.site import Site
from rths.quantity import Count, Delay, Duration, Order, Positive, PositiveMetres

MOST_GAIN = log(2.0)
"""Bound of |ln a|: an actuator off by more than a factor of two is broken."""


def adapt(s: Vector, p: Vector, d: float, v: float, m: float) -> None:
    """Take (2) to (4) one tick further."""
    # s = rho, ln a, order, <d d>, <d d'>, <d' d'>, <m d>, <m d'>, whether the order has fallen
    # p = n, m, h, h/T, h/4T, quiet², tolerance, rho_max, first order, last order, b, phi at samples
    forget = p[3]
    s[3] += forget * (d * d - s[3])
    s[4] += forget * (d * v - s[4])
    s[5] += forget * (v * v - s[5])
    s[6] += forget * (m * d - s[6])
    s[7] += forget * (m * v - s[7])
    det = s[3] * s[5] - s[4] * s[4]
    if s[3] > p[5] and det > 1e-6 * s[3] * s[5]:
        w = sqrt(s[5] / s[3])
        along = (s[5] * s[6] - s[4] * s[7]) / det  # (2)
        across = -w * (s[3] * s[7] - s[4] * s[6]) / det
        s[0] += p[4] * atan2(across, along) / w  # (4)
        s[0] = min(max(s[0], 0.0), p[7])
        s[1] -= p[4] * log(max(sqrt(along * along + across * across), 1e-3))
        s[1] = min(max(s[1], -MOST_GAIN), MOST_GAIN)
        off = along - 1.0
        mismatch = sqrt(off * off + across * across)
        if s[8] == 0.0 and mismatch < p[6]:
            s[2] = min(s[2] + p[4], p[9])
        elif s[2] > p[8] and mismatch > 2.0 * p[6]:
            s[8] = 1.0
    if s[8] > 0.0:
        s[2] = max(s[2] - p[3], p[8])


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # x = the nine states of adapt, ring of targets, then the place of the newest;   p as in adapt
    # u = target, displacement measured at the last tick;   y = command, rho, a, order
    mask, n, m, last = x.size - 11, int(p[0]), int(p[1]), int(p[9])
    k = (int(x[-1]) + 1) & mask
    x[9 + k] = u[0]
    x[-1] = k
    v = (u[0] - x[9 + ((k - 2) & mask)]) / (2.0 * p[2])
    adapt(x[:9], p, x[9 + ((k - 1) & mask)], v, u[1])
    s = x[0] / (m * p[2]) + 0.5 * (n - 1)
    before, phi, b, value = 0.0, 1.0 / sqrt(n), 0.0, 0.0
    for i in range(last + 1):
        c = 0.0
        for j in range(n):
            c += p[10 + last + i * n + j] * x[9 + ((k - j * m) & mask)]
        value += min(max(x[2] - i + 1.0, 0.0), 1.0) * phi * c
        if i < last:
            nxt = (s * phi - b * before) / p[10 + i]
            before, phi, b = phi, nxt, p[10 + i]
    y[1] = x[0]
    y[2] = exp(x[1])
    y[3] = x[2]
    y[0] = y[2] * value  # (1)


@register
@describe
class AdaptiveForwardPrediction(Compensator):
    """Forward prediction with adaptive time, amplitude and order."""

    clock = "tick"
    inputs = ("integrator.target", "feedback.displacement")
    ports = (Port("ahead", "s"), Port("gain"), Port("order"))
    cites = ("wallace2005", "wallace2005b")
    example = {"ahead": 0.006}
    adapts = True

    ahead: Delay
    """Time rho to predict ahead at the start, s; better too long than too short."""
    order: Order = 3
    """Order N that is reached in the end."""
    start_order: Order = 2
    """Order at the start."""
    points: Count = 12
    """Number n of targets that the polynomial is fitted to."""
    sampling: Duration | None = None
    """Time Delta between these targets, s, rounded to whole ticks; one tick if not given."""
    longest: Delay | None = None
    """Longest prediction that the adaptation may reach, s; twice the first one if not given."""
    memory: Duration = 0.5
    """Length T of the window, s: half a period of the slowest motion or more."""
    tolerance: Positive = 0.02
    """Relative mismatch below which the order rises."""
    quiet_amplitude: PositiveMetres = 1e-4
    """Root mean square of the target below which nothing is learnt, m: well above the noise."""

    def __post_init__(self) -> None:
        """Refuse a fit with more coefficients than samples, and orders the wrong way round."""
        enough_points(self.order, self.points)
        if self.start_order > self.order:
            raise InputError(
                "compensator.start_order",
                self.start_order,
                f"is above the last order of {self.order}",
                "Start with a lower order, or raise the last.",
            )

    def block(self, site: Site) -> Block:
        """Yield the block of (1) to (4), with a history at rest and nothing learnt."""
        h, n, N = site.interval, self.points, self.order
        m = 1 if self.sampling is None else max(1, round(self.sampling / h))
        longest = 2 * self.ahead if self.longest is None else self.longest
        forget, rate = 1 - exp(-h / self.memory), h / (4 * self.memory)
        adaptation = [forget, rate, self.quiet_amplitude**2, self.tolerance, longest]
        at_samples = np.array([gram(N, n, -float(j)) for j in range(n)]).T
        params = [n, m, h, *adaptation, self.start_order, N, *recurrence(N, n), *at_samples.ravel()]
        size = ring_size((n - 1) * m + 3)
        states = np.zeros(9 + size + 1)
        states[0], states[2] = min(self.ahead, longest), self.start_order
        states[9:-1] = site.displacement
        rings = [Ring(9, size, 9 + size)]
        return Block(step, params, states, outputs=4, rings=rings, counters=(8,))
