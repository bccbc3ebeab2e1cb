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
from rths.loop.fields import fields
from rths.quantity import NonNegative, NonNegativeMetres, Positive, PositiveMetres
from rths.site import Site

WHOLE = 1.5 * 2.0**52
"""Added and taken away again it rounds any number below 2^51 to a whole one."""
P = fields(
    target="factor of d_k in the lead",
    last_target="factor of d_(k-1)",
    last_lead="factor of l_(k-1)",
    error="factor of e_k in the PI",
    last_error="factor of e_(k-1)",
    quantum="q, m; 0 for no converters",
    limit="R, m",
)
X = fields(target="d_(k-1), m", lead="l_(k-1), m", error="e_(k-1), m", command="u_(k-1), m")


def convert(v: float, quantum: float, limit: float) -> float:
    """Limit and round a signal; a quantum of 0 leaves it as it is."""
    if quantum == 0.0:
        return v
    v = min(max(v, -limit), limit)
    return ((v / quantum + WHOLE) - WHOLE) * quantum


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # u = target, measured displacement
    q, limit = p[P.quantum], p[P.limit]
    d = convert(u[0], q, limit)
    led = p[P.target] * d + p[P.last_target] * x[X.target] + p[P.last_lead] * x[X.lead]  # (1)
    e = convert(convert(led, q, limit) - u[1], q, limit)
    x[X.command] += p[P.error] * e + p[P.last_error] * x[X.error]  # (2)
    x[X.target] = d
    x[X.lead] = led
    x[X.error] = e
    y[0] = convert(x[X.command], q, limit)


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
        params = P.pack(
            target=(b * k + a) / (k + a),
            last_target=(a - b * k) / (k + a),
            last_lead=(k - a) / (k + a),
            error=self.proportional + self.integral / k,
            last_error=self.integral / k - self.proportional,
            quantum=self.quantum,
            limit=self.limit,
        )
        d = site.displacement
        return Block(step, params, X.pack(target=d, lead=d, error=0, command=d))
