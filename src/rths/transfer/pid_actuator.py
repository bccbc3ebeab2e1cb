"""An actuator under PID control, with the lag of its valve or motor.

    T v' + v = P (c - x) + I i - D v,    x' = v,    i' = c - x                                  (1)

    X/C = (P s + I) / (T s³ + (1 + D) s² + P s + I)                                             (2)

The right side of (1) is the velocity asked for; its derivative part acts on the measured motion
only, so that a corner in the command does not kick. With I = 0 the lag at low frequency is
(1 + D)/P; with I > 0 it is zero for slow motion, paid for by an overshoot. Stable for
(1 + D) P > T I. Discretised exactly for a command that runs straight between ticks. Use it for an
electric actuator, or a hydraulic one far from its limits, when the gains of its loop are known.

[astrom2006] K. J. Åström, T. Hägglund, Advanced PID Control, ISA 2006.
"""

from __future__ import annotations

import numpy as np

from rths.discretisation import first_order_hold
from rths.errors import InputError
from rths.loop.block import Block, Vector, kernel
from rths.loop.fields import fields
from rths.quantity import Duration, NonNegative, Positive
from rths.site import Site
from rths.transfer.base import Transfer, describe, register

P = fields(
    xx="F: x from x",
    xv="x from v",
    xi="x from i",
    vx="v from x",
    vv="v from v",
    vi="v from i",
    ix="i from x",
    iv="i from v",
    ii="i from i",
    x_0="G_0: x from the command of the last tick",
    v_0="v from it",
    i_0="i from it",
    x_1="G_1: x from the command of this tick",
    v_1="v from it",
    i_1="i from it",
)
X = fields(x="x, m", v="v, m/s", i="i, m s", command="command of the last tick, m")


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    d, v, i, last = x[X.x], x[X.v], x[X.i], x[X.command]
    x[X.x] = p[P.xx] * d + p[P.xv] * v + p[P.xi] * i + p[P.x_0] * last + p[P.x_1] * u[0]
    x[X.v] = p[P.vx] * d + p[P.vv] * v + p[P.vi] * i + p[P.v_0] * last + p[P.v_1] * u[0]
    x[X.i] = p[P.ix] * d + p[P.iv] * v + p[P.ii] * i + p[P.i_0] * last + p[P.i_1] * u[0]
    x[X.command] = u[0]
    y[0] = x[X.x]


@register
@describe
class PidActuator(Transfer):
    """Inner displacement loop with given gains."""

    cites = ("astrom2006",)
    example = {"proportional": 60.0, "lag": 0.002}

    proportional: Positive
    """Gain P: velocity asked for by an error of one metre, 1/s."""
    lag: Duration
    """Time constant T of valve or motor, s."""
    integral: NonNegative = 0.0
    """Gain I on the integral of the error, 1/s²."""
    derivative: NonNegative = 0.0
    """Gain D on the measured velocity, without unit."""

    def __post_init__(self) -> None:
        """Refuse gains with which the inner loop itself is unstable."""
        limit = (1 + self.derivative) * self.proportional / self.lag
        if self.integral >= limit:
            raise InputError(
                "transfer.integral",
                self.integral,
                "makes the actuator unstable by itself",
                f"Stay below (1 + derivative) proportional / lag = {limit:g}.",
            )

    def block(self, site: Site) -> Block:
        """Yield the block of (1), at rest."""
        gain, I, D, T = self.proportional, self.integral, self.derivative, self.lag  # noqa: E741
        A = np.array([[0, 1, 0], [-gain / T, -(1 + D) / T, I / T], [-1, 0, 0]])
        F, G_0, G_1 = first_order_hold(A, np.array([[0], [gain / T], [1.0]]), site.tick)
        rows = np.concatenate([F.ravel(), G_0.ravel(), G_1.ravel()])
        params = P.pack(**dict(zip(P.meaning, rows, strict=True)))
        states = X.pack(x=site.displacement, v=0, i=0, command=site.displacement)
        return Block(step, params, states)
