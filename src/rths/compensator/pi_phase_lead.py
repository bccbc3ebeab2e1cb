"""PI on the tracking error of a target that a lead filter has brought forward.

    L(s) = (b s + a)/(s + a) on the target d,   e = L d - x_m                                  (1)
    u = (k_p + k_i/s) e,   s = (2/h) (z - 1)/(z + 1) in both                                    (2)

The feedback takes the static error away and makes the actuator faster; what lag remains is left to
the lead. Its gain at high frequency is b: with a a large number the zero a/b is what matters. The
signals may pass converters of step q and range R: the target, the lead's output, the error and the
command. With an actuator that holds its command x_m is that of the same tick, otherwise that of
the tick before. Defaults are the sample controller of the benchmark: J1 = 4.6 ms, J2 = 10 %.

Use it as the yardstick that others have to beat.

[silva2020] section 5.
"""

from __future__ import annotations

from rths.compensator.base import Compensator, describe, register
from rths.loop.block import Block, Vector, kernel
from rths.loop.site import Site
from rths.quantity import NonNegative, NonNegativeMetres, Positive, PositiveMetres

WHOLE = 1.5 * 2.0**52
"""Added and taken away again it rounds any number below 2^51 to a whole one."""


def convert(v: float, quantum: float, limit: float) -> float:
    """Limit and round a signal; a quantum of 0 leaves it as it is."""
    if quantum == 0.0:
        return v
    v = min(max(v, -limit), limit)
    return ((v / quantum + WHOLE) - WHOLE) * quantum


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # p = factors of d_k, d_(k-1), l_(k-1); of e_k, e_(k-1); q, R
    # x = d, l, e and u of the last tick;   u = target, measured displacement
    q, limit = p[5], p[6]
    d = convert(u[0], q, limit)
    led = p[0] * d + p[1] * x[0] + p[2] * x[1]  # (1)
    e = convert(convert(led, q, limit) - u[1], q, limit)
    x[3] += p[3] * e + p[4] * x[2]  # (2)
    x[0] = d
    x[1] = led
    x[2] = e
    y[0] = convert(x[3], q, limit)


@register
@describe
class PiPhaseLead(Compensator):
    """Lead filter and PI control."""

    clock = "tick"
    inputs = ("integrator.target", "feedback.displacement")
    cites = ("silva2020",)
    example = {"proportional": 0.8, "integral": 30.0}

    proportional: NonNegative = 2.0
    """Gain k_p."""
    integral: NonNegative = 95.0
    """Gain k_i, 1/s."""
    lead: Positive = 50.83163360273612
    """Gain b of the lead at high frequency."""
    pole: Positive = 8570.397339444286
    """Pole a of the lead, 1/s."""
    quantum: NonNegativeMetres = 0.0
    """Step q of the converters, m; none if 0."""
    limit: PositiveMetres = 3.8
    """Range R of the converters, m."""

    def block(self, site: Site) -> Block:
        """Yield the block of (1) and (2), at rest."""
        k, a, b = 2 / site.interval, self.pole, self.lead
        lead = [(b * k + a) / (k + a), (a - b * k) / (k + a), (k - a) / (k + a)]
        pi = [self.proportional + self.integral / k, self.integral / k - self.proportional]
        d = site.displacement
        return Block(step, [*lead, *pi, self.quantum, self.limit], [d, d, 0.0, d])
