"""Linear-acceleration prediction: the acceleration goes on as it went from the last boundary.

    u = x_i + T v_i + T²/3 a_i + T²/6 a',   a' = a_i + T/Δ (a_i - a_i-1),   T = dt + τ          (1)

As in the explicit-Newmark prediction the newest acceleration is that of the boundary before the
target. A harmonic motion gains damping for ω dt up to 1.5826 at τ = dt = Δ. The loop is another
matter: with explicit Newmark and τ = dt it is stable only for 0.344 < Ω < 0.762, with LSRT2 up
to 0.868.

Use it where the acceleration is smooth; noise in the force enters it directly.

[ahmadizadeh2008] Earthq. Eng. Struct. Dyn. 37(1), 21-42; [wu2013] eqs (A.4), (A.5).
"""

from __future__ import annotations

from rths.compensator._kinematics import KinematicPrediction
from rths.compensator.base import describe, register
from rths.loop.block import Block, Vector, kernel
from rths.loop.fields import fields
from rths.site import Site

P = fields(velocity="T, s", acceleration="T²/3, s²", ahead="T²/6, s², of a'", beyond="T/Δ")


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # u = x_i, v_i, a_i;   x = a_i-1
    a = u[2] + p[P.beyond] * (u[2] - x[0])
    y[0] = u[0] + p[P.velocity] * u[1] + p[P.acceleration] * u[2] + p[P.ahead] * a  # (1)
    x[0] = u[2]


@register
@describe
class LinearAcceleration(KinematicPrediction):
    """Predictor with an acceleration on the straight line through the last two."""

    example = {"delay": 0.006}

    def block(self, site: Site) -> Block:
        """Yield the block of (1), without acceleration before."""
        T = self.horizon(site)
        beyond = T / site.interval
        params = P.pack(velocity=T, acceleration=T**2 / 3, ahead=T**2 / 6, beyond=beyond)
        return Block(step, params, [0.0])
