"""Derivative feedforward: add the velocity of the structure times the delay.

    u_k = d_k + tau v_k                                                                      (1)

v is the integrator's own velocity at the time of the target, so that nothing is differentiated
twice and the lead is free of the half tick that a difference costs; this is why it works on the
integrator's steps, before the ramp. The difference (d_k - d_(k-1))/h in place of v gives `inverse`.
With a first-order lag T = tau the achieved motion is exactly the target; with a dead time it is
(1 + i omega tau) exp(-i omega tau): too large by (omega tau)²/2 and still late by omega² tau³/3.
Use it for short delays, omega tau below about 0.3.

[jung2006] Earthq. Eng. Struct. Dyn. 35(7), 789-810.
"""

from __future__ import annotations

from rths.compensator.base import Compensator, describe, register
from rths.loop.block import Block, Vector, kernel
from rths.quantity import Delay
from rths.site import Site


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # p = tau;   u = target, velocity at its time
    y[0] = u[0] + p[0] * u[1]  # (1)


@register
@describe
class DerivativeFeedforward(Compensator):
    """First-order prediction with the velocity that the integrator knows."""

    inputs = ("integrator.target", "integrator.next_velocity")
    cites = ("jung2006",)
    example = {"delay": 0.006}

    delay: Delay
    """Delay tau to be made up for, s."""

    def block(self, site: Site) -> Block:
        """Yield the block of (1)."""
        return Block(step, [self.delay])
