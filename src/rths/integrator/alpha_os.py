"""α operator splitting: implicit in the initial stiffness, explicit in what departs from it.

    x̃_k+1 = x_k + dt v_k + (1/2 - β) dt² a_k,   ṽ_k+1 = v_k + (1 - γ) dt a_k                     (1)
    r_k+1 = r(x̃_k+1) + K (x_k+1 - x̃_k+1)                                                      (2)
    M a_k+1 = -(1 + α) q_k+1 + α q_k,   q = C v + r - F,   M a_0 = -q_0                         (3)
    x_k+1 = x̃_k+1 + β dt² a_k+1,   v_k+1 = ṽ_k+1 + γ dt a_k+1                                  (4)
    β = (1 - α)²/4,   γ = 1/2 - α                                                             (5)

The target is the predictor x̃; the force measured there is corrected with K, the initial stiffness
of the whole, when the step is finished. Stable for every step if K is not below the tangent
stiffness; a specimen stiffer than K breaks it. Without damping and with the true K the spectral
radius falls to (1 + α)/(1 - α) at high frequency.

Use it for stiff or softening structures; choose K rather too high than too low.

[combescure1997] Soil Dyn. Earthq. Eng. 16, 427-443; [nakashima1990] (α = 0).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from rths.equation import EquationOfMotion
from rths.integrator._splitting import split
from rths.integrator.base import ModelBased, describe, register
from rths.loop.block import Block
from rths.quantity import Range

Alpha = Annotated[float, Range(low=Fraction(-1, 3), high=0)]


@register
@describe
class AlphaOs(ModelBased):
    """The standard of slow hybrid tests; no iteration, with numerical damping by α < 0."""

    cites = ("combescure1997", "nakashima1990")
    example = {"interface_stiffness": 2250.0}

    alpha: Alpha = -0.1
    """Parameter α: 0 for no numerical damping, -1/3 for the most."""

    def block(self, equation: EquationOfMotion, step: float, outputs: int) -> Block:
        """Yield the block of (1) to (5)."""
        stiffness = self.total_stiffness(equation)
        return split(equation, stiffness, step, outputs, self.alpha)
