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
from rths.loop.site import Site
from rths.quantity import Delay


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # p = factors of d_k, d_(k-1), u_(k-1) in (2);   x = d and u of the last tick
    x[1] = p[0] * u[0] + p[1] * x[0] + p[2] * x[1]  # (2)
    x[0] = u[0]
    y[0] = x[1]


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
        params = [(2 * T_1 + h) / below, (h - 2 * T_1) / below, (2 * T_2 - h) / below]
        return Block(step, params, [site.displacement, site.displacement])
