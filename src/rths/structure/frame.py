"""A planar frame of nonlinear finite elements, from a model file.

    M a + C v + r(x) = B e - L' f,   r(x) = Σ_e A_e' f_e(A_e (x + d_g)) - r_g                    (1)

x are displacements from the state of rest under the gravity loads of the model, which are applied
before the test and stay. C is Rayleigh's with the first stiffness, of which elements may be left
out, or modal; frequencies are those under the gravity loads. r is one block: a pass over the
elements a step. Ground motion is along x. Degrees of freedom without mass at linear elements are
condensed out; ties and supports take no degree of freedom.

Use it for frames whose members yield, crack, lean or have hinges.
"""

from __future__ import annotations

from functools import cached_property
from typing import Annotated

import numpy as np

from rths.errors import InputError, suggest
from rths.frame.frame import AssembledFrame, assemble_file
from rths.frame.gravity import GravitySteps
from rths.loop.block import Block, Vector
from rths.quantity import PlanFile, Words
from rths.structure.base import (
    DampedStructure,
    describe,
    modes,
    rayleigh_factors,
    register,
)


@register
@describe
class Frame(DampedStructure):
    """Nodes, elements, sections and materials, in a file of their own."""

    example = {"model": "portal", "interface": ["roof_left.x"], "rayleigh": [0.02, 0.02]}

    model: Annotated[str, PlanFile(), Words("a file beside the plan, or a built-in model")]
    """File of the model, JSON or TOML; or ``portal`` or ``chen2010`` of the package."""
    interface: tuple[str, ...]
    """Where the specimens are attached, one for each actuator: ``"roof.x"``, or a difference as
    ``"3.x - 2.x"``."""
    undamped: tuple[str, ...] = ()
    """Elements left out of the stiffness part of Rayleigh damping, such as stiff springs."""
    gravity_steps: GravitySteps = 10
    """Steps in which the gravity loads are applied before the test."""

    def __post_init__(self) -> None:
        """Read the model and put it together: what does not fit is refused here."""
        elements = self.assembled.model.elements
        for name in self.undamped:
            if name not in elements:
                remedy = f"{suggest(name, elements)}Elements: {', '.join(list(elements)[:12])}."
                raise InputError("structure.undamped", name, "is no element", remedy)
        if self.undamped and self.rayleigh is None:
            problem = "leaves elements out of Rayleigh damping, of which there is none"
            raise InputError("structure.undamped", self.undamped, problem, "Give rayleigh too.")
        if not self.interface:
            remedy = 'Name a degree of freedom, as in ["roof.x"].'
            raise InputError("structure.interface", self.interface, "is empty", remedy)
        _ = self.interface_rows()
        self.check(*self.matrices())

    @cached_property
    def assembled(self) -> AssembledFrame:
        """The frame put together, at rest under its gravity loads."""
        return assemble_file(self.model, self.gravity_steps)

    @cached_property
    def _matrices(self) -> tuple[Vector, Vector, Vector]:
        frame = self.assembled
        M, K = frame.reduce(frame.full_mass), frame.reduce(frame.full_stiffness)
        if self.rayleigh is None:
            return M, self.damping_matrix(M, frame.loaded_stiffness), K
        self.check_one_damping()
        omega, _ = modes(M, frame.loaded_stiffness)
        a, b = rayleigh_factors(omega, self.rayleigh, self.rayleigh_modes)
        return M, a * M + b * frame.reduce(frame.stiffness(without=self.undamped)), K

    def matrices(self) -> tuple[Vector, Vector, Vector]:
        """Give M, C and the first K."""
        return self._matrices

    def interface_rows(self) -> Vector:
        """Give L."""
        return np.array([self.assembled.row(text) for text in self.interface])

    def influence_vector(self) -> Vector:
        """Give the displacements of a unit motion of the ground along x."""
        return self.assembled.ground_motion()

    def restoring(self) -> Block:
        """Yield the block of r in (1)."""
        return self.assembled.block()
