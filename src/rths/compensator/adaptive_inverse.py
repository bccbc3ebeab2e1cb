"""Adaptive inverse: the first-order inverse, its alpha driven by the area of the tracking loop.

    c_k = alpha d_k - (alpha - 1) d_(k-1)                                                      (1)
    alpha = alpha_es + k_p TI + k_i int TI dt,   alpha >= 0                                     (2)
    TI_i+1 = TI_i + (d_i m_(i+1) - d_(i+1) m_i)/2                                              (3)

TI is half the area that target d and measured displacement m enclose: it grows while the actuator
lags and falls while it leads. The alpha of a tick comes from what was measured at the tick before.
TI has the unit m², so that the gains fit one size of motion: 0.4 in mm, as in the paper, is 4e5
here. Use it with smooth targets and an actuator whose delay varies in the test. What a motion has
left in TI is integrated on when nothing moves: stop it with the test, or take k_i = 0.

[chen2010] eqs (1) to (3); printed (3b) has A_(i+1) and (3c) dTA_i on the right, where A_i and
dTA_(i+1) belong: then TI = (A - TA)/2 is (3). The paper takes k_i = k_p/10.
"""

from __future__ import annotations

from rths.compensator.base import Compensator, describe, register
from rths.loop.block import Block, Vector, kernel
from rths.loop.fields import fields
from rths.loop.port import Port
from rths.quantity import NonNegative
from rths.site import Site

P = fields(estimate="alpha_es", proportional="k_p, 1/m²", integral="k_i h, 1/m²")
X = fields(
    last="d_(k-1), m",
    before="d_(k-2), m",
    measured="m_(k-2), m",
    indicator="TI, m²",
    sum="sum of TI, m²",
)


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # u = d_k, m_(k-1);   y = command, alpha, TI
    last = x[X.last]
    x[X.indicator] += 0.5 * (x[X.before] * u[1] - last * x[X.measured])  # (3)
    TI = x[X.indicator]
    x[X.sum] += TI
    alpha = max(p[P.estimate] + p[P.proportional] * TI + p[P.integral] * x[X.sum], 0.0)  # (2)
    y[0] = alpha * u[0] - (alpha - 1.0) * last  # (1)
    y[1] = alpha
    y[2] = TI
    x[X.before] = last
    x[X.last] = u[0]
    x[X.measured] = u[1]


@register
@describe
class AdaptiveInverse(Compensator):
    """First-order inverse that learns alpha from the tracking indicator."""

    clock = "tick"
    inputs = ("integrator.target", "feedback.displacement")
    ports = (Port("alpha"), Port("tracking_indicator", "m²"))
    cites = ("chen2010",)
    example = {"alpha": 5.0, "proportional": 1000.0}
    adapts = True

    alpha: NonNegative
    """Estimate alpha_es made before the test, in ticks."""
    proportional: NonNegative
    """Gain k_p on the tracking indicator, 1/m²."""
    integral: NonNegative | None = None
    """Gain k_i on its integral, 1/(m² s); a tenth of the proportional one if not given."""

    def block(self, site: Site) -> Block:
        """Yield the block of (1) to (3), at rest."""
        k_i = self.proportional / 10 if self.integral is None else self.integral
        params = P.pack(
            estimate=self.alpha, proportional=self.proportional, integral=k_i * site.interval
        )
        d = site.displacement
        states = X.pack(last=d, before=d, measured=d, indicator=0, sum=0)
        return Block(step, params, states, outputs=3)
