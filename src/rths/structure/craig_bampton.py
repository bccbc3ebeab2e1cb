"""A large linear model on its interface and the lowest modes of the rest: component modes.

    x = T (x_k, q),   T = [ I  0 ; -K_rr^-1 K_rk  Φ ],   K_rr φ = ω² M_rr φ                      (1)
    M_c = T' M T,   C_c = T' C T,   K_c = T' K T,   L_c = L T,   M_c i_c = T' M i                (2)

k are the degrees of freedom that are kept, r the others, Φ the lowest modes of the structure with
those of k held. With no modes it is ``condensed``; each mode adds one degree of freedom, and the
structure is right up to about two thirds of the frequency of the first mode that is left out.
Degrees of freedom of the plan are those of k in their order, then the modes, in metres of their
largest displacement. Modal and Rayleigh damping are those of the reduced structure. A motion of the
support is right for low frequencies only; a ground acceleration keeps its load. ``rths run`` and
``rths certify`` tell what the reduction leaves out.

Use it for models too large to run, whose motion has more than static condensation follows.

[craig1968] AIAA J. 6(7), 1313-1319.
"""

from __future__ import annotations

from rths.loop.block import Vector
from rths.quantity import Count
from rths.structure._reduction import component_basis
from rths.structure.base import describe, register
from rths.structure.condensed import Condensed


@register
@describe
class CraigBampton(Condensed):
    """Matrices, interface and influence of the full model; what is kept, and how many modes."""

    cites = ("craig1968", "guyan1965")
    example = {
        "mass": [[2.2, 0.0, 0.0], [0.0, 1.5, 0.0], [0.0, 0.0, 1.0]],
        "stiffness": [[3750.0, -1500.0, 0.0], [-1500.0, 2500.0, -1000.0], [0.0, -1000.0, 1000.0]],
        "damping_ratios": 0.05,
        "keep": [0],
        "modes": 1,
    }

    modes: Count
    """Modes of the structure with held interface that are kept, from the lowest up."""

    def transformation(self) -> Vector:
        """Give T of (1)."""
        M, K = self.matrix("mass"), self.matrix("stiffness")
        return component_basis(M, K, self.keep, self.modes)
