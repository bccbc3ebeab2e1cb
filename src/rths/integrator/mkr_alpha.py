"""Kolay and Ricles, modified: KR-α with room for a structure that stiffens.

    w_k+1 = w_k + dt α_1 a_k,   x_k+1 = x_k + dt w_k + dt² (1/2 + γ) α_1 a_k                   (1)
    M (I - α_3) a_k+1 + M α_3 a_k + (1 - α_f) q_k+1 + α_f q_k = 0,   q = C w + r(x) - F         (2)
    D = M + γ dt C + β dt² K,   α_1 = D^-1 M,   α_3 = D^-1 (α_m M + α_f (γ dt C + β dt² K))     (3)
    α_m = (2ρ³ + ρ² - 1)/(ρ³ + ρ² + ρ + 1),   α_f = ρ/(ρ + 1)                                 (4)
    γ = 1/2 - α_m + α_f = 1/2 + (1 - ρ²)/(1 + ρ²),   β = (1/2 + γ)/2                           (5)

F = B e - L' f; K is the initial stiffness of the whole; start and velocity are those of KR-α, which
differs in (4) and (5) alone. The poles are those of the generalised-α method with the same four
numbers, at infinite frequency ±iρ and -ρ. Without damping, stiffness may grow to κ K whatever the
step; slow modes get a longer period and some damping:

    κ = 2β/γ = 4/(3 - ρ²)                                                                     (6)
    T'/T - 1 = (11ρ² - 12ρ + 11)/(1 + ρ²) Ω²/24,   Ω = ω dt                                    (7)
    ζ' = (1 - ρ)(1 + ρ⁴)/(2(1 + ρ)(1 + ρ²)²) Ω³

With KR-α these are 4/((1 + ρ)(3 - ρ)), (11ρ² - 14ρ + 11)/(1 + ρ)² and (1 - ρ)³/2(1 + ρ)³: for ρ = 1
a stiffness that doubles in place of one that must not grow, at 2.5 times the error of the period.
γ is that of KR-α with ρ², which some programs ask for in place of ρ.

Use it in place of KR-α where the structure or the specimen stiffens beyond what K says.

[kolay2019] J. Earthq. Eng. 23(5), 771-792.
"""

from __future__ import annotations

from rths.equation import EquationOfMotion
from rths.integrator._explicit_alpha import Weights, explicit_alpha
from rths.integrator.base import ModelBased, describe, register
from rths.loop.block import Block
from rths.quantity import Ratio


@register
@describe
class MkrAlpha(ModelBased):
    """As KR-α, and stable for some growth of the stiffness."""

    cites = ("kolay2019", "kolay2014")
    example = {"interface_stiffness": 2250.0}

    rho_infinity: Ratio = 0.866
    """Spectral radius ρ at infinite frequency: 1 for no numerical damping, 0 for the most."""

    @property
    def weights(self) -> Weights:
        """Give the numbers of (4) and (5)."""
        rho = self.rho_infinity
        alpha_m = (2 * rho**3 + rho**2 - 1) / (rho**3 + rho**2 + rho + 1)
        alpha_f = rho / (rho + 1)
        gamma = 0.5 - alpha_m + alpha_f
        return Weights(alpha_m, alpha_f, gamma, (0.5 + gamma) / 2)

    def block(self, equation: EquationOfMotion, step: float, outputs: int) -> Block:
        """Yield the block of (1) to (5)."""
        stiffness = self.total_stiffness(equation)
        return explicit_alpha(equation, stiffness, step, outputs, self.weights)
