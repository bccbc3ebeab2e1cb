"""Explicit-Newmark prediction: the kinematics of the integrator, carried on over the delay.

    u = x_i + T v_i + T²/2 a_i,   T = dt + τ                                                   (1)

The acceleration at the target's time is not known before the force there is measured: (1) starts at
the boundary before the target, t_i, and looks ahead over one interval dt more than the delay. A
harmonic motion gains damping for ω dt up to 1.0408 only, at τ = dt.

Use it with a step well below the delay; the velocity of the target need not be known.

[ahmadizadeh2008] Earthq. Eng. Struct. Dyn. 37(1), 21-42; [wu2013] section 2.
"""

from __future__ import annotations

from rths.compensator._kinematics import KinematicPrediction
from rths.compensator.base import describe, register
from rths.loop.block import Block, Vector, kernel
from rths.site import Site


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # p = T, T²/2;   u = x_i, v_i, a_i
    y[0] = u[0] + p[0] * u[1] + p[1] * u[2]  # (1)


@register
@describe
class ExplicitNewmark(KinematicPrediction):
    """Predictor with a constant acceleration, the one of the boundary before the target."""

    example = {"delay": 0.006}

    def block(self, site: Site) -> Block:
        """Yield the block of (1)."""
        T = self.horizon(site)
        return Block(step, [T, T**2 / 2])
