"""Inverse of an identified actuator model, with derivatives that the integrator knows.

    X/U = 1/(a_0 + a_1 s + ... + a_n s^n),   u = sum_i a_i d^(i)(t + ℓ),   n = 2...4             (1)
    d(t + s) = d_k + polynomial in s with d'(t_k-j) = v_(k-j),   j = 0...n-1                    (2)

(2) is the one polynomial of order n through the target and the integrator's last n velocities; its
derivatives at the lead ℓ go into (1), so that a target of that order is tracked exactly. No
difference of displacements is taken: what would be the third is the second. Without coefficients
they follow from the delay τ alone, as those of n equal lags, half way between one lag and a delay:

    a_0 + ... + a_n s^n = (1 + τ s/n)^n                                                       (3)

The inverse of order n amplifies like ω^n: beyond the actuator's range that is what its own poles
take off again. An order below the actuator's leaves its light modes too much gain; ``low_pass``
on the command, two equal lags, takes it off, and its lag is added to the coefficients.

Use it with an actuator that is identified well and does not change.

[carrion2006]; [phillips2014] Smart Struct. Syst. 14(6), 1081-1103.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from rths.compensator._derivatives import coefficients, derivatives, lead_of, smoothing
from rths.compensator.base import Compensator, describe, register
from rths.loop.block import Block, Vector, kernel
from rths.loop.fields import fields, many
from rths.quantity import Delay, Hertz, RealVector, Seconds
from rths.site import Site

P = fields(
    smoothing="share E of the low-pass",
    target="weight of d_k",
    velocity="weight of v_k",
    velocities=many("weights of v_(k-1)...v_(k-n+1)"),
)
X = fields(
    smooth="first lag of the command, m",
    smoother="second lag, m",
    velocities=many("v_(k-1)...v_(k-n+1), m/s"),
)


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # u = target, velocity at its time
    v, w, E = x[X.velocities :], p[P.velocities :], p[P.smoothing]
    s = p[P.target] * u[0] + p[P.velocity] * u[1]
    for j in range(v.size):
        s += w[j] * v[j]  # (1)
    for j in range(v.size - 1, 0, -1):
        v[j] = v[j - 1]
    v[0] = u[1]
    x[X.smooth] = s + E * (x[X.smooth] - s)
    x[X.smoother] = x[X.smooth] + E * (x[X.smoother] - x[X.smooth])
    y[0] = x[X.smoother]


@register
@describe
class InverseModel(Compensator):
    """Fixed inverse of second to fourth order."""

    inputs = ("integrator.target", "integrator.next_velocity")
    cites = ("carrion2006", "phillips2014")
    example = {"delay": 0.006}
    model_order = 3

    delay: Delay | None = None
    """Identified delay τ at low frequency, s, in place of ``coefficients``."""
    coefficients: RealVector | None = None
    """a_0...a_n of the identified model, in s^i."""
    order: Literal[2, 3, 4] = 3
    """Order n of the inverse."""
    lead: Seconds | None = None
    """ℓ, s, for what is lost elsewhere in the loop; if not given, 1.2 ticks where the actuator
    holds its command over a tick, none otherwise."""
    low_pass: Hertz | None = None
    """Edge of each of two lags on the command, Hz; none if not given."""

    def __post_init__(self) -> None:
        """Refuse a model that is not complete."""
        coefficients(self.coefficients, self.delay, self.order)

    def block(self, site: Site) -> Block:
        """Yield the block of (1), at rest."""
        h = site.interval
        a = coefficients(self.coefficients, self.delay, self.order)
        forget, a = smoothing(a, self.low_pass, h)
        w = a @ derivatives(self.order, lead_of(self.lead, site), h)
        params = P.pack(smoothing=forget, target=w[0], velocity=w[1], velocities=w[2:])
        rest = a[0] * site.displacement
        states = X.pack(smooth=rest, smoother=rest, velocities=np.zeros(self.order - 1))
        return Block(step, params, states)
