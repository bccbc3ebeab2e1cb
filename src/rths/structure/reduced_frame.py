"""A frame whose linear part stands on the lowest of its modes.

    x = T (x_k, q),   M_c = T' M T,   C_c = T' C T,   K_c = T' K_g T,   L_c = L T                (1)

T is that of ``craig_bampton``: k are the degrees of freedom of the interface, those of ``keep`` and
those at elements that may yield, crack or close, which stay what they are; q are the lowest
``modes`` of the rest with all of k held. K_g is the first stiffness with the axial forces of the
gravity loads, so that the linear part leans as it does at rest. Damping is that of the full frame.
A motion of the support is right for low frequencies only, a ground acceleration keeps its load.
``rths run`` and ``rths certify`` tell what the reduction leaves out.

Use it for frames that stay elastic in whole or in large parts, where the tick has no room for all
of their nodes.

[craig1968] AIAA J. 6(7), 1313-1319.
"""

from __future__ import annotations

from functools import cached_property
from typing import Annotated

import numpy as np

from rths.errors import InputError
from rths.frame.frame import AssembledFrame, assemble_file
from rths.frame.gravity import GravitySteps
from rths.frame.model import DIRECTIONS
from rths.frame.numbering import find_row
from rths.frame.reduced_block import find_bent, reduced_block
from rths.loop.block import Block, Vector
from rths.quantity import Hertz, Index, PlanFile, Words
from rths.structure._reduction import (
    Reduction,
    component_basis,
    held_modes,
    judge_reduction,
    project_matrix,
)
from rths.structure.base import DampedStructure, describe, register


@register
@describe
class ReducedFrame(DampedStructure):
    """The model of a frame in a file of its own, and what is kept of what is linear in it."""

    cites = ("craig1968", "guyan1965")
    example = {
        "model": "elastic_portal",
        "interface": ["roof_left.x"],
        "modes": 2,
        "rayleigh": [0.02, 0.02],
    }

    model: Annotated[str, PlanFile(), Words("a file beside the plan, or a built-in model")]
    """File of the model, JSON or TOML; or ``elastic_portal``, ``portal`` or ``chen2010`` of the
    package."""
    interface: tuple[str, ...]
    """Where the specimens are attached, one for each actuator: ``"roof.x"``, or a difference as
    ``"3.x - 2.x"``."""
    keep: tuple[str, ...] = ()
    """Degrees of freedom to keep beside those of the interface, as ``"roof.x"``."""
    modes: Index = 0
    """Modes of the linear part, with all else held, that are kept, from the lowest up."""
    up_to: Hertz | None = None
    """Frequency up to which the error of the reduction is told; half of the first that is left out
    if not given."""
    gravity_steps: GravitySteps = 10
    """Steps in which the gravity loads are applied before the test."""

    def __post_init__(self) -> None:
        """Read the model, reduce it, and refuse what does not fit."""
        if not self.interface:
            remedy = 'Name a degree of freedom, as in ["roof.x"].'
            raise InputError("structure.interface", self.interface, "is empty", remedy)
        self.check(*self.matrices())

    @cached_property
    def assembled(self) -> AssembledFrame:
        """The frame put together, at rest under its gravity loads."""
        return assemble_file(self.model, self.gravity_steps)

    @cached_property
    def kept(self) -> tuple[int, ...]:
        """Places of the degrees of freedom that are kept."""
        frame, found = self.assembled, list[int]()
        for field, texts in (("interface", self.interface), ("keep", self.keep)):
            for text in texts:
                frame.row(text)  # refuses what is not there
                for _, word in find_row(text):
                    node, _, direction = word.rpartition(".")
                    place = frame.places.get((node, direction))
                    if place is None:
                        problem = f"has no mass along {direction}, and is condensed out"
                        remedy = f"Give {word} a mass in the model."
                        raise InputError(f"structure.{field}", text, problem, remedy)
                    found.append(place)
        model = frame.model
        for node in (n for name in find_bent(model) for n in model.elements[name].nodes):
            found += [frame.places[node, direction] for direction in DIRECTIONS]
        return tuple(place for place in dict.fromkeys(found) if place < frame.size)

    @cached_property
    def basis(self) -> Vector:
        """T of (1)."""
        M, _, K = self._full
        return component_basis(M, K, self.kept, self.modes, "structure.interface")

    @cached_property
    def _full(self) -> tuple[Vector, Vector, Vector]:
        frame = self.assembled
        M, K = frame.reduce(frame.full_mass), frame.loaded_stiffness
        return M, self.damping_matrix(M, K), K

    @cached_property
    def _matrices(self) -> tuple[Vector, Vector, Vector]:
        M, C, K = (project_matrix(self.basis, matrix) for matrix in self._full)  # (1)
        return M, C, K

    def matrices(self) -> tuple[Vector, Vector, Vector]:
        """Give the reduced M, C, K."""
        return self._matrices

    def interface_rows(self) -> Vector:
        """Give L of the reduced frame."""
        return np.array([self.assembled.row(text) for text in self.interface]) @ self.basis

    def restoring(self) -> Block | None:
        """Yield the block of what may bend; None if nothing may."""
        return self._block

    @cached_property
    def _block(self) -> Block | None:
        return reduced_block(self.assembled, self.kept, self.basis)

    def influence_vector(self) -> Vector:
        """Give the motion whose load is that of a unit motion of the ground along x."""
        T, M = self.basis, self._full[0]
        i = np.linalg.solve(T.T @ M @ T, T.T @ M @ self.assembled.ground_motion())
        return np.asarray(i, np.float64)

    def reduction(self) -> Reduction:
        """Say what the reduction has left out."""
        M, C, K = self._full
        gone = [i for i in range(len(M)) if i not in self.kept]
        left = held_modes(M, K, gone)[0][self.modes :]
        first = float(left[0] / (2 * np.pi)) if left.size else np.inf
        L = np.array([self.assembled.row(text) for text in self.interface])
        return judge_reduction(
            (M, C, K, L), (*self.matrices(), self.interface_rows()), self.up_to, first
        )
