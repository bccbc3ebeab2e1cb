"""A frame integrated by CR, its dampers driven at a finer clock by inverse compensation and a lag.

Each step of n ticks, from the measured forces r_i of its start:

    a = α M⁻¹(-C v - K x - Tᵀ r),   α = 4(4M + 2dt C + dt² K)⁻¹ M
    v⁺ = v + dt a,   x⁺ = x + dt v + dt² a                                                    (1)
    d = T x ramps to T x⁺;   each tick: c = α_c d_k - (α_c - 1) d_(k-1),   m ← m + (c - m)/α_a  (2)
    r⁺ = k_d m + c_d (m_k - m_(k-1))/δ   at the end of the step                                (3)

T takes floor displacements to storey deformations; α_c and α_a count in ticks δ. α_c = α_a makes
(2) transparent, α_c = 1 leaves the lag uncompensated. SI units.

[chen2010], eq. (1); [chen2008] J. Eng. Mech. 134(8), 676-683.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rths.theory.delay.equation import Reals
from rths.theory.step.amplification import matrix_of


@dataclass(frozen=True, eq=False)
class LagActuatorLoop:
    """Matrices of the frame, T, and per actuator: specimen stiffness and damping, α_c and α_a."""

    mass: Reals
    damping: Reals
    stiffness: Reals
    deformation: Reals
    specimen_stiffness: Reals
    specimen_damping: Reals
    compensation: Reals
    lag: Reals
    tick: float
    ticks: int

    def matrix(self) -> Reals:
        """Amplification over one step; state x, v, measured m, previous m, previous ramp value."""
        n, k = self.mass.shape[0], self.deformation.shape[0]
        dt = self.tick * self.ticks
        inverse = np.linalg.inv(self.mass)
        cr = 4 * self.mass + 2 * dt * self.damping + dt**2 * self.stiffness
        alpha = 4 * np.linalg.solve(cr, self.mass)
        t = self.deformation

        def step(state: Reals) -> Reals:
            x, v, m, last_m, last_d = np.split(state, [n, 2 * n, 2 * n + k, 2 * n + 2 * k])
            r = self.specimen_stiffness * m + self.specimen_damping * (m - last_m) / self.tick
            a = alpha @ inverse @ (-self.damping @ v - self.stiffness @ x - t.T @ r)  # (1)
            target = x + dt * v + dt**2 * a
            for tick in range(1, self.ticks + 1):  # (2)
                d = t @ (x + (target - x) * tick / self.ticks)
                c = self.compensation * d - (self.compensation - 1) * last_d
                m, last_m, last_d = m + (c - m) / self.lag, m, d
            return np.concatenate([target, v + dt * a, m, last_m, last_d])

        return matrix_of(step, 2 * n + 3 * k)
