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

from rths.compensator._gram import check_points, gram, recurrence
from rths.compensator.base import Compensator, describe, register
from rths.errors import InputError
from rths.loop.block import Block, Ring, Vector, kernel, ring_size
from rths.loop.fields import fields, many
from rths.loop.port import Port
from rths.quantity import Count, Delay, Duration, Order, Positive, PositiveMetres
from rths.site import Site

MOST_GAIN = log(2.0)
"""Bound of |ln a|: an actuator off by more than a factor of two is broken."""
INDEPENDENT = 1e-6
"""Least share <d d><d' d'> - <d d'>² of <d d><d' d'> with which (2) is solved, the sine squared of
the angle between d and d': a target that drifts or grows like exp(t) has both in one direction, and
its weights would be made of noise, a thousandfold."""
LEAST_GAIN = 1e-3
"""Gain below which (4) sees no less: an actuator that does not move has ln g = -∞."""
P = fields(
    points="n",
    spacing="m, ticks from one target to the next",
    tick="h, s",
    forget="share of the newest in < >, 1 - exp(-h/T)",
    rate="h/4T",
    quiet="<d d> below which nothing is learnt, m²",
    tolerance="mismatch below which the order rises",
    longest="largest rho, s",
    start_order="order at the start",
    order="order N in the end",
    constant="phi_0 = 1/√n",
    recurrence=many("b_1...b_N"),
    at_samples=many("phi_i at the n samples, by rows"),
)
X = fields(
    ahead="rho, s",
    log_gain="ln a",
    order="order, with its fraction",
    dd="<d d>, m²",
    dv="<d d'>, m²/s",
    vv="<d' d'>, m²/s²",
    md="<m d>, m²",
    mv="<m d'>, m²/s",
    fallen="whether the order has fallen",
    newest="place of the newest target",
    targets=many("ring of targets, m"),
)


def adapt(x: Vector, p: Vector, d: float, v: float, m: float) -> None:
    """Take (2) to (4) one tick further."""
    forget, rate = p[P.forget], p[P.rate]
    x[X.dd] += forget * (d * d - x[X.dd])
    x[X.dv] += forget * (d * v - x[X.dv])
    x[X.vv] += forget * (v * v - x[X.vv])
    x[X.md] += forget * (m * d - x[X.md])
    x[X.mv] += forget * (m * v - x[X.mv])
    dd, dv, vv, md, mv = x[X.dd], x[X.dv], x[X.vv], x[X.md], x[X.mv]
    det = dd * vv - dv * dv
    if dd > p[P.quiet] and det > INDEPENDENT * dd * vv:
        w = sqrt(vv / dd)
        along = (vv * md - dv * mv) / det  # (2)
        across = -w * (dd * mv - dv * md) / det
        x[X.ahead] += rate * atan2(across, along) / w  # (4)
        x[X.ahead] = min(max(x[X.ahead], 0.0), p[P.longest])
        x[X.log_gain] -= rate * log(max(sqrt(along * along + across * across), LEAST_GAIN))
        x[X.log_gain] = min(max(x[X.log_gain], -MOST_GAIN), MOST_GAIN)
        off = along - 1.0
        mismatch = sqrt(off * off + across * across)
        if x[X.fallen] == 0.0 and mismatch < p[P.tolerance]:
            x[X.order] = min(x[X.order] + rate, p[P.order])
        elif x[X.order] > p[P.start_order] and mismatch > 2.0 * p[P.tolerance]:
            x[X.fallen] = 1.0
    if x[X.fallen] > 0.0:
        x[X.order] = max(x[X.order] - forget, p[P.start_order])


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # u = target, displacement measured at the last tick;   y = command, rho, a, order
    n, m, last = int(p[P.points]), int(p[P.spacing]), int(p[P.order])
    at = P.recurrence + last  # phi_i at the newest sample
    d = x[X.targets :]
    mask = d.size - 1
    k = (int(x[X.newest]) + 1) & mask
    d[k] = u[0]
    x[X.newest] = k
    v = (u[0] - d[(k - 2) & mask]) / (2.0 * p[P.tick])
    adapt(x, p, d[(k - 1) & mask], v, u[1])
    s = x[X.ahead] / (m * p[P.tick]) + 0.5 * (n - 1)
    before, phi, b, value = 0.0, p[P.constant], 0.0, 0.0
    for i in range(last + 1):
        c, place = 0.0, k
        for j in range(n):
            c += p[at + j] * d[place & mask]
            place -= m
        at += n
        value += min(max(x[X.order] - i + 1.0, 0.0), 1.0) * phi * c
        if i < last:
            nxt = (s * phi - b * before) / p[P.recurrence + i]
            before, phi, b = phi, nxt, p[P.recurrence + i]
    y[1] = x[X.ahead]
    y[2] = exp(x[X.log_gain])
    y[3] = x[X.order]
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
        check_points(self.order, self.points)
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
        params = P.pack(
            points=n,
            spacing=m,
            tick=h,
            forget=1 - exp(-h / self.memory),
            rate=h / (4 * self.memory),
            quiet=self.quiet_amplitude**2,
            tolerance=self.tolerance,
            longest=longest,
            start_order=self.start_order,
            order=N,
            constant=1.0 / sqrt(n),
            recurrence=recurrence(N, n),
            at_samples=np.array([gram(N, n, -float(j)) for j in range(n)]).T,
        )
        size = ring_size((n - 1) * m + 3)
        states = np.zeros(X.targets + size)
        states[X.ahead] = min(self.ahead, longest)
        states[X.order] = self.start_order
        states[X.targets :] = site.displacement
        rings = [Ring(X.targets, size, X.newest)]
        return Block(step, params, states, outputs=4, rings=rings, counters=(X.fallen,))
