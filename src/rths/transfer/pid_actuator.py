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
from rths.quantity import Duration, NonNegative, Positive
from rths.site import Site
from rths.transfer.base import Transfer, describe, register


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # p = F (3x3), G_0 (3), G_1 (3);   x = x, v, i, command of the last tick
    a = p[0] * x[0] + p[1] * x[1] + p[2] * x[2] + p[9] * x[3] + p[12] * u[0]
    b = p[3] * x[0] + p[4] * x[1] + p[5] * x[2] + p[10] * x[3] + p[13] * u[0]
    x[2] = p[6] * x[0] + p[7] * x[1] + p[8] * x[2] + p[11] * x[3] + p[14] * u[0]
    x[0] = a
    x[1] = b
    x[3] = u[0]
    y[0] = a


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
        P, I, D, T = self.proportional, self.integral, self.derivative, self.lag  # noqa: E741
        A = np.array([[0, 1, 0], [-P / T, -(1 + D) / T, I / T], [-1, 0, 0]])
        F, G_0, G_1 = first_order_hold(A, np.array([[0], [P / T], [1.0]]), site.tick)
        params = np.concatenate([F.ravel(), G_0.ravel(), G_1.ravel()])
        return Block(step, params, [site.displacement, 0.0, 0.0, site.displacement])
