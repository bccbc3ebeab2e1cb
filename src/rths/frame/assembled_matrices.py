"""Mass and first stiffness of a frame over all its degrees of freedom.

    K = Σ_e A_e' K_e A_e,   M = Σ_e A_e' M_e A_e + masses of the nodes                           (1)

A_e picks the displacements of the nodes of element e. Both are of the frame at its start, before
any load, and know nothing of what is condensed out later.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rths.errors import InputError
from rths.frame.element.description import ZeroLength
from rths.frame.matrices import mass_matrix, spring_matrix, stiffness_matrix
from rths.frame.model import Model
from rths.frame.numbering import Numbering
from rths.loop.block import Vector

LOOSE = 1e-12
"""Smallest eigenvalue of a stiffness scaled to a diagonal of ones: below it is a mechanism."""


@dataclass(frozen=True, eq=False)
class AssembledMatrices:
    """A model with its degrees of freedom numbered and its matrices summed."""

    model: Model

    @cached_property
    def numbering(self) -> Numbering:
        """Places of all degrees of freedom, massless ones too."""
        return Numbering.of(self.model)

    @property
    def full_size(self) -> int:
        """Number of degrees of freedom before the massless ones are taken out."""
        return self.numbering.size

    def element_matrix(self, name: str) -> Vector:
        """Give the first stiffness of an element over the displacements of its nodes."""
        element, parts = self.model.elements[name], self.model.parts
        L, c, s = self.model.axis(element)
        k = element.basic_stiffness(parts, L)
        return spring_matrix(k) if isinstance(element, ZeroLength) else stiffness_matrix(k, L, c, s)

    def stiffness(self, without: tuple[str, ...] = ()) -> Vector:
        """Give K of (1), some elements left out, over all degrees of freedom."""
        return self.sum_elements(
            {n: self.element_matrix(n) for n in self.model.elements if n not in without}
        )

    def sum_elements(self, matrices: dict[str, Vector]) -> Vector:
        """Sum matrices of elements over all degrees of freedom."""
        n = self.full_size
        whole = np.zeros((n + 1, n + 1))
        for name, small in matrices.items():
            nodes = self.model.elements[name].nodes
            dofs = [p for node in nodes for p in self.numbering.of_node(node)]
            np.add.at(whole, (np.repeat(dofs, 6), np.tile(dofs, 6)), small.ravel())
        found = whole[:n, :n]
        return (found + found.T) / 2  # symmetric to the last bit

    @cached_property
    def full_mass(self) -> Vector:
        """M of (1) over all degrees of freedom."""
        elements = self.model.elements.items()
        M = self.sum_elements(
            {
                n: mass_matrix(e.mass, *self.model.axis(e), e.consistent)
                for n, e in elements
                if e.mass
            }
        )
        for node, masses in self.model.masses.items():
            for place, mass in zip(self.numbering.of_node(node), masses, strict=True):
                if place < self.full_size:
                    M[place, place] += mass
        return M

    @cached_property
    def full_stiffness(self) -> Vector:
        """K of (1) over all degrees of freedom; a mechanism is refused."""
        K = self.stiffness()
        bare = np.flatnonzero(np.diag(K) <= 0.0)
        if bare.size:
            dof = self.numbering.name(int(bare[0]))
            problem = "can move without any force: nothing there has a stiffness"
            remedy = "Hold it by a support, or connect it by an element that bends."
            raise InputError(f"nodes.{dof}", None, problem, remedy)
        scale = 1 / np.sqrt(np.diag(K))
        scaled = K * np.outer(scale, scale)
        try:
            np.linalg.cholesky(scaled - LOOSE * np.eye(len(K)))
        except np.linalg.LinAlgError:
            worst = int(np.argmax(np.abs(np.linalg.eigh(scaled)[1][:, 0])))
            dof = self.numbering.name(worst)
            problem = "is part of a mechanism: the frame can move there without any force"
            remedy = "Add a support, a brace, or a stiff joint."
            raise InputError(f"nodes.{dof}", None, problem, remedy) from None
        return K
