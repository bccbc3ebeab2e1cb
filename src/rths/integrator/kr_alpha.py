"""Kolay and Ricles: as CR, with numerical damping of the high modes set by one number.

    w_k+1 = w_k + dt α_1 a_k                                                                  (1)
    x_k+1 = x_k + dt w_k + dt² α_2 a_k                                                        (2)
    M (I - α_3) a_k+1 + M α_3 a_k + (1 - α_f) q_k+1 + α_f q_k = 0,   q = C w + r(x) - F         (3)
    M a_0 = -q_0                                                                              (4)
    D = M + γ dt C + β dt² K,   α_1 = D^-1 M,   α_2 = (1/2 + γ) α_1                            (5)
    α_3 = D^-1 (α_m M + α_f γ dt C + α_f β dt² K)
    α_m = (2ρ - 1)/(ρ + 1),   α_f = ρ/(ρ + 1),   γ = 1/2 - α_m + α_f,   β = (1/2 + γ)²/4         (6)
    v_k = w_k + γ dt α_1 a_k                                                                  (7)

F = B e - L' f; K is the initial stiffness of the whole. ρ is the spectral radius at infinite
frequency: 1 gives CR, 0 removes the highest modes in one step. The poles are those of the
generalised-α method with the same ρ. The w that the paper calls the velocity is that of γ dt
earlier, as (2) shows: the velocity of t_k is (7), and the start is w_0 with v_0 in (7); with
w_0 = v_0 displacements would be of first order only unless the test begins at rest.

Use it where noise or spurious high modes of a stiff structure disturb a test.

[kolay2014] Earthq. Eng. Struct. Dyn. 43(9), 1361-1380.
"""

from __future__ import annotations

from rths.equation import EquationOfMotion
from rths.integrator._explicit_alpha import Weights, explicit_alpha
from rths.integrator.base import ModelBased, describe, register
from rths.loop.block import Block
from rths.quantity import Ratio


@register
@describe
class KrAlpha(ModelBased):
    """Unconditionally stable, explicit, with numerical damping where it is wanted."""

    cites = ("kolay2014",)
    example = {"interface_stiffness": 2250.0}

    rho_infinity: Ratio = 0.75
    """Spectral radius ρ at infinite frequency: 1 for no numerical damping, 0 for the most."""

    @property
    def weights(self) -> Weights:
        """Give the numbers of (6)."""
        rho = self.rho_infinity
        alpha_m, alpha_f = (2 * rho - 1) / (rho + 1), rho / (rho + 1)
        gamma = 0.5 - alpha_m + alpha_f
        return Weights(alpha_m, alpha_f, gamma, (0.5 + gamma) ** 2 / 4)

    def block(self, equation: EquationOfMotion, step: float, outputs: int) -> Block:
        """Yield the block of (1) to (7)."""
        stiffness = self.total_stiffness(equation)
        return explicit_alpha(equation, stiffness, step, outputs, self.weights)
