"""Hermite extrapolation: the polynomial through displacements and velocities of two targets.

    u = (1 - η²) x_1 + η² x_0 + (η + η²) Δ v_1                                  order 2        (1)
    u = (1 - 3η² - 2η³) x_1 + (3η² + 2η³) x_0                                   order 3        (2)
        + (η + 2η² + η³) Δ v_1 + (η² + η³) Δ v_0,        η = τ/Δ

x_1, v_1 belong to the newest target, x_0, v_0 to the one Δ before. A polynomial motion of the order
is predicted exactly. A harmonic motion gains damping for ωΔ up to π/2 (order 2) and 2.6006
(order 3) at η = 1; yet in the loop with LSRT2 order 3 grows slowly at any small step, while
order 2 has the largest stable range of all predictors, Ω = 1.2638.

Use it, at order 2, with an integrator that knows the velocity of its target (LSRT2, CR).

[wu2013] eqs (6), (7).
"""

from __future__ import annotations

from typing import Literal

from rths.compensator.base import Compensator, describe, register
from rths.loop.block import Block, Vector, kernel
from rths.loop.fields import fields
from rths.quantity import Delay
from rths.site import Site

P = fields(
    target="weight of x_1",
    velocity="weight of v_1, s",
    last_target="weight of x_0",
    last_velocity="weight of v_0, s",
)
X = fields(target="x_0, m", velocity="v_0, m/s")


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # u = x_1, v_1
    s = p[P.target] * u[0] + p[P.velocity] * u[1]
    s += p[P.last_target] * x[X.target]
    y[0] = s + p[P.last_velocity] * x[X.velocity]  # (1), (2)
    x[X.target] = u[0]
    x[X.velocity] = u[1]


def weights(order: int, eta: float, spacing: float) -> list[float]:
    """Weights of x_1, v_1, x_0, v_0 in (1) or (2)."""
    if order == 2:
        return [1 - eta**2, (eta + eta**2) * spacing, eta**2, 0.0]
    old = 3 * eta**2 + 2 * eta**3
    return [1 - old, (eta + 2 * eta**2 + eta**3) * spacing, old, (eta**2 + eta**3) * spacing]


@register
@describe
class Hermite(Compensator):
    """Predictor from displacement and velocity; looks back over one interval only."""

    cites = ("wu2013",)
    example = {"delay": 0.006}
    predicts_polynomial = True
    inputs = ("integrator.target", "integrator.next_velocity")

    delay: Delay
    """Delay tau to be made up for, s."""
    order: Literal[2, 3] = 2
    """Order of the polynomial."""

    def block(self, site: Site) -> Block:
        """Yield the block of (1) or (2), at rest before."""
        w = weights(self.order, self.delay / site.interval, site.interval)
        return Block(step, w, [site.displacement, 0.0])
