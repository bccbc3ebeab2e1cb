"""Phase lead: a zero that leads and a pole that keeps high frequencies in bounds.

    U/D = (T_1 s + 1)/(T_2 s + 1),   s = (2/h) (z - 1)/(z + 1)                                  (1)
    u_k = [ (2 T_1 + h) d_k - (2 T_1 - h) d_(k-1) + (2 T_2 - h) u_(k-1) ] / (2 T_2 + h)          (2)

By Tustin's rule: the response at omega is that of (1) at (2/h) tan(omega h/2). At low frequency it
leads by T_1 - T_2, at high frequency the gain is T_1/T_2. It cancels the pole of an actuator whose
time constant is T_1. Use it when the frequency response of the actuator is known and its delay
is short against the period.

[zhao2003] Earthq. Eng. Struct. Dyn. 32(11), 1773-1794.
"""

from __future__ import annotations

from rths.compensator.base import Compensator, describe, register
from rths.loop.block import Block, Vector, kernel
from rths.loop.fields import fields
from rths.quantity import Delay
from rths.site import Site

P = fields(target="factor of d_k", last_target="of d_(k-1)", last_command="of u_(k-1)")
X = fields(target="d_(k-1), m", command="u_(k-1), m")


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    s = p[P.target] * u[0] + p[P.last_target] * x[X.target]
    y[0] = s + p[P.last_command] * x[X.command]  # (2)
    x[X.target] = u[0]
    x[X.command] = y[0]


@register
@describe
class PhaseLead(Compensator):
    """First-order lead filter."""

    clock = "tick"
    cites = ("zhao2003",)
    example = {"lead_time": 0.006, "lag_time": 0.0006}

    lead_time: Delay
    """Time constant T_1 of the zero, s."""
    lag_time: Delay
    """Time constant T_2 of the pole, s: the shorter, the more of the noise passes."""

    def block(self, site: Site) -> Block:
        """Yield the block of (2), at rest."""
        h, T_1, T_2 = site.interval, self.lead_time, self.lag_time
        below = 2 * T_2 + h
        params = P.pack(
            target=(2 * T_1 + h) / below,
            last_target=(h - 2 * T_1) / below,
            last_command=(2 * T_2 - h) / below,
        )
        rest = site.displacement
        return Block(step, params, X.pack(target=rest, command=rest))
