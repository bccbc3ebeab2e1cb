"""Virtual coupling: a spring and a dashpot between the structure and the actuator's command.

    u = d - e,   k e + b e' = f                                                              (1)
    e_k = E e_(k-1) + (1 - E) f_(k-1)/k,   E = exp(-k h/b)                                      (2)

e is the deformation of the coupling under the measured force f, (2) is (1) for a force that is
held over a tick. The structure then feels specimen and coupling in series: with an actuator of
response A the dynamic stiffness A S becomes A S/(1 + A S/(k + b s)), never more than about
k + b s however stiff the specimen. That bounds the negative damping of a delay and costs the same
share of accuracy; it is no prediction. The tick between force and command must not close a loop of
its own: a specimen of stiffness k_s needs k_s/k < (1 + E)/(1 - E). Use it for stiff specimens or
contact, where stability comes before accuracy.

[christenson2008] J. Struct. Eng. 134(4), 522-534;
[adams1999] IEEE Trans. Robot. Autom. 15(3), 465-474.
"""

from __future__ import annotations

from math import exp

from rths.compensator.base import Compensator, describe, register
from rths.loop.block import Block, Vector, kernel
from rths.quantity import NewtonSecondsPerMetre, PositiveNewtonsPerMetre
from rths.site import Site


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # p = E, (1 - E)/k;   x = e;   u = target, force of the last tick
    x[0] = p[0] * x[0] + p[1] * u[1]  # (2)
    y[0] = u[0] - x[0]  # (1)


@register
@describe
class VirtualCoupling(Compensator):
    """Compliance between structure and actuator that bounds what the structure feels."""

    clock = "tick"
    inputs = ("integrator.target", "feedback.force")
    cites = ("christenson2008", "adams1999")
    example = {"stiffness": 10000.0, "damping": 100.0}

    stiffness: PositiveNewtonsPerMetre
    """Stiffness k of the coupling, N/m: well above that of the specimen."""
    damping: NewtonSecondsPerMetre
    """Damping b of the coupling, N s/m."""

    def block(self, site: Site) -> Block:
        """Yield the block of (2), with the coupling at rest."""
        E = exp(-self.stiffness * site.interval / self.damping) if self.damping > 0 else 0.0
        return Block(step, [E, (1 - E) / self.stiffness], [0.0])
