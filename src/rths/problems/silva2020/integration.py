"""The benchmark's time stepping: classical Runge-Kutta with force and excitation held in a step.

    s = (x, v),   s' = A s + B p,   s_k+1 = R s_k + G p_k                                      (1)
    R = sum_(i <= 4) (h A)^i/i!,   G = h sum_(i <= 3) (h A)^i/(i + 1)! B                       (2)

The force of (1) is what the sensors hand over. The benchmark's ground acceleration runs straight
between its samples; held at its value in the middle of the step it gives the same response up to
(ω h)²/24, one part in a million at the first mode.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from rths.description import describe
from rths.equation import EquationOfMotion
from rths.excitation.base import Excitation, play_samples
from rths.excitation.ground_motion import GroundMotion
from rths.integrator.base import Integrator, Scheme
from rths.loop.block import Block, Vector
from rths.site import Site

FINER = 2
"""Samples of the motion for each step: the odd ones lie in the middle of a step."""


@describe
class HeldRungeKutta(Integrator):
    """One step of (1) a tick."""

    kind: ClassVar[str] = "rths.problems.silva2020.integration:HeldRungeKutta"

    def block(self, equation: EquationOfMotion, step: float, outputs: int) -> Block:
        """Yield the block of (1)."""
        e, n, h = equation, equation.size, step
        A = np.vstack([np.eye(n, 2 * n, n), np.linalg.solve(e.M, np.hstack([-e.K, -e.C]))])
        B = np.vstack([np.zeros((n, n)), np.linalg.inv(e.M)])
        R = G = np.zeros((2 * n, 2 * n))
        term = np.eye(2 * n)
        for i in range(1, 6):  # (2)
            R = R + term
            if i < 5:
                G = G + h / i * term
            term = h / i * A @ term
        scheme = Scheme(e, e.displacement, e.velocity)
        x, v = scheme.memory
        load = scheme.force(x)
        p = load + e.K @ x
        after = R @ np.vstack([x, v]) + G @ B @ p  # (1)
        a = np.linalg.solve(e.M, load - e.C @ v)
        ahead = (after[:n], after[n:])
        return scheme.block([(ahead, (after[:n], x, v, a, after[n:]))], outputs)


@describe
class Shaking(Excitation):
    """A ground motion sampled in the middle of each step."""

    kind: ClassVar[str] = "rths.problems.silva2020.integration:Shaking"

    motion: str
    """Name of a built-in motion, or a file."""
    scale: float = 0.4
    """Factor on the record."""
    start: float = 0.0
    """Quiet time before the record, s."""

    def sample(self, interval: float) -> Vector:
        """Sample the motion at whole multiples of ``interval``."""
        return GroundMotion(motion=self.motion, scale=self.scale, start=self.start).samples(
            interval
        )

    def block(self, site: Site) -> Block:
        """Yield the block that plays the samples of the middle of the steps."""
        return play_samples(self.sample(site.interval / FINER)[1::FINER])
