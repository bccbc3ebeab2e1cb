"""Polynomial extrapolation: command what the recent targets predict one delay ahead.

    u_k = sum_i w_i d_(k-im),   w_i = prod_(r != i) (eta + r)/(r - i),   i, r = 0...n            (1)
    eta = tau / (m dt)

With samples one delay apart (m dt = tau) the achieved motion is, for z = exp(-j omega tau),

    X/D = 1 - (1 - z)^(n+1)                                                                   (2)

so that n = 3 adds damping to a harmonic motion below omega tau = pi/2 and takes it away above.
The loop itself is lost earlier, through its other roots.

[horiuchi1999] Earthq. Eng. Struct. Dyn. 28(10), 1121-1141; n = 3, w = 4, -6, 4, -1.
"""

from __future__ import annotations

from math import prod

from rths.compensator._past import past_block
from rths.compensator.base import Compensator, describe, register
from rths.loop.block import Block
from rths.quantity import Delay, Duration, Order
from rths.site import Site


def weights(order: int, eta: float) -> list[float]:
    """Weights (1), newest target first."""
    nodes = range(order + 1)
    return [prod((eta + r) / (r - i) for r in nodes if r != i) for i in nodes]


@register
@describe
class Polynomial(Compensator):
    """Predictor for a known, constant delay; needs no model of the actuator."""

    cites = ("horiuchi1999",)
    example = {"delay": 0.006}
    predicts_polynomial = True

    delay: Delay
    """Delay tau to be made up for, s."""
    order: Order = 3
    """Order n of the polynomial."""
    spacing: Duration | None = None
    """Time between the samples used, s, rounded to whole stages; the delay if not given."""

    def block(self, site: Site) -> Block:
        """Yield the block of (1), with a history at rest."""
        dt = site.interval
        m = max(1, round((self.delay if self.spacing is None else self.spacing) / dt))
        w = weights(self.order, self.delay / (m * dt))
        return past_block(w, m, site.displacement)
