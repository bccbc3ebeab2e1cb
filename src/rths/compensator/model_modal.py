"""Model-based prediction with a few modes: the low ones run ahead, the rest stays where it is.

    K φ_j = ω_j² M φ_j,   φ_j' M φ_j = 1,   q_j = φ_j' M x                                       (1)
    (1/dt² + c_j/2dt) q_k+1 = φ_j' (B e_k - R_k) + 2/dt² q_k - (1/dt² - c_j/2dt) q_k-1           (2)
    φ_j' R_k+1 = φ_j' R_k + ω_j² (q_k+1 - q_k),   c_j = φ_j' C φ_j                               (3)
    x(t_i+1 + τ) = x_i+1 + Σ_j φ_j (q_j(t_i+1 + τ) - q_j(t_i+1))                                 (4)

φ and ω are those of the whole with the initial stiffness. With all modes and modal damping (4) is
the full prediction. High modes, which central differences may not follow (ω dt > 2) and which the
measured force excites by its noise, are left out of it.

Use it for large structures, of which a few modes make the motion of the actuators.

[carrion2006], after eq. (4).
"""

from __future__ import annotations

import numpy as np

from rths.compensator._prediction import ModelPrediction, horizon, known_rows, parabola
from rths.compensator.base import describe, register
from rths.equation import EquationOfMotion
from rths.errors import InputError
from rths.loop.block import Vector
from rths.quantity import Count


@register
@describe
class ModelModal(ModelPrediction):
    """Predictor with the lowest modes of the whole test."""

    example = {"delay": 0.006, "interface_stiffness": 2250.0, "modes": 1}

    modes: Count
    """Number of modes that run ahead, from the lowest."""

    def prediction(self, equation: EquationOfMotion, dt: float) -> Vector:
        """Give W of (4): n rows over what is known."""
        from scipy.linalg import eigh

        if self.modes > equation.size:
            raise InputError(
                "compensator.modes",
                self.modes,
                f"is more than the structure has ({equation.size})",
                "Use model_based for all of them.",
            )
        w2, phi = eigh(self.total_stiffness(equation), equation.M)
        w2, phi = w2[: self.modes, None], phi[:, : self.modes]  # (1)
        c = np.diag(phi.T @ equation.C @ phi)[:, None] / (2 * dt)
        steps, place = horizon(self.delay, dt)
        x, before, R, load = known_rows(equation, steps)
        q, old, r = phi.T @ equation.M @ x, phi.T @ equation.M @ before, phi.T @ R
        points = [old, old, q]
        for k in range(steps):
            r = r + w2 * (q - old)  # (3)
            right = phi.T @ load[k] - r + 2 / dt**2 * q - (1 / dt**2 - c) * old
            q, old = right / (1 / dt**2 + c), q  # (2)
            points.append(q)
        ahead = np.tensordot(parabola(place), np.array(points[-3:]), 1) if place else q
        W: Vector = x + phi @ (ahead - points[2])  # (4)
        return W
