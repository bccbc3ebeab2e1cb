"""A frame put together: matrices, the state under gravity loads, and the block.

    K_g = K + Σ_e A_e' K_N,e A_e                  with the axial forces of gravity               (1)

K is the first stiffness. K_g counts where frequencies do: for the periods and the damping; it holds
the axial forces of elements with P-Delta or corotational geometry.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rths.errors import InputError
from rths.frame.assembled_matrices import AssembledMatrices
from rths.frame.block import FARTHEST, restore
from rths.frame.element.record import X
from rths.frame.gravity import settle
from rths.frame.massless import Condensation, condense
from rths.frame.matrices import leaning_matrix
from rths.frame.model import DIRECTIONS
from rths.frame.model_file import find_model, name_file, read_model
from rths.frame.numbering import find_row
from rths.frame.plausibility import (
    check_bending,
    check_masses,
    check_moduli,
    check_period,
    check_sizes,
)
from rths.frame.table import Table, make_table
from rths.loop.block import Block, Vector
from rths.loop.halt import Halt
from rths.loop.stop import Stop


@dataclass(frozen=True, eq=False)
class AssembledFrame(AssembledMatrices):
    """A model put together, checked, and at rest under its gravity loads."""

    gravity_steps: int = 10

    def __post_init__(self) -> None:
        """Put everything together once: what is wrong is refused here."""
        check_sizes(self.model)
        check_moduli(self.model)
        check_bending(self.model)
        self._check_connected()
        M, K = (self.reduce(whole) for whole in (self.full_mass, self.full_stiffness))
        check_masses(M, K, self.name)
        _ = self.at_rest
        check_period(self.lowest_frequency)

    @property
    def size(self) -> int:
        """Number of degrees of freedom that move the test."""
        return int(self.condensation.kept.size)

    def _check_connected(self) -> None:
        used = {node for element in self.model.elements.values() for node in element.nodes}
        for node in self.model.nodes:
            if node not in used:
                remedy = "Connect it, or leave it out."
                raise InputError(f"nodes.{node}", None, "is at the end of no element", remedy)
        if not self.model.supports:
            raise InputError("supports", None, "is missing", 'Hold a node: {"1": "fixed"}.')

    @cached_property
    def condensation(self) -> Condensation:
        """What is left when degrees of freedom without mass are taken out."""
        if not self.numbering.size:
            raise InputError("supports", None, "hold every node", "Leave something free to move.")
        M, K = self.full_mass, self.full_stiffness
        return condense(self.model, self.numbering, K, M, self.element_matrix)

    def reduce(self, matrix: Vector) -> Vector:
        """Bring a matrix over all degrees of freedom to those that are kept."""
        T = self.condensation.T
        if T.shape[0] == T.shape[1]:
            return matrix
        reduced: Vector = T.T @ matrix @ T
        return (reduced + reduced.T) / 2

    @cached_property
    def places(self) -> dict[tuple[str, str], int]:
        """Places of the degrees of freedom in the block; massless ones are not among them."""
        new = {int(old): k for k, old in enumerate(self.condensation.kept)}
        new[self.full_size] = self.size
        return {dof: new[at] for dof, at in self.numbering.places.items() if at in new}

    def name(self, place: int) -> str:
        """Name the degree of freedom at a place of those that are kept, as in ``roof.x``."""
        return self.numbering.name(int(self.condensation.kept[place]))

    @cached_property
    def table(self) -> Table:
        """Parameters and first states of the block."""
        c = self.condensation
        return make_table(self.model, self.places, self.size, c.joined, c.left_out)

    @cached_property
    def at_rest(self) -> tuple[Vector, Vector]:
        """Displacements and states under the gravity loads."""
        f = np.zeros(self.full_size + 1)
        for node, load in self.model.loads.items():
            np.add.at(f, self.numbering.of_node(node), load)
        f = self.condensation.T.T @ f[: self.full_size]
        K = self.reduce(self.full_stiffness)
        return settle(self.table.params, self.table.states, f, K, self.gravity_steps, self.name)

    def basic_forces(self, name: str) -> Vector:
        """Give the basic forces of an element under the gravity loads."""
        at = self.table.places[name]
        return self.at_rest[1][at : at + X.rest]

    def leaning(self, names: Iterable[str]) -> Vector:
        """Give what the axial forces of gravity add to the stiffness of some elements (1)."""
        found = {}
        for name in names:
            element = self.model.elements[name]
            if element.geometry != "linear" and self.model.loads:
                N = float(self.basic_forces(name)[X.axial])
                found[name] = leaning_matrix(N, *self.model.axis(element))
        return self.sum_elements(found)

    @cached_property
    def loaded_stiffness(self) -> Vector:
        """K_g of (1), reduced to what is kept."""
        return self.reduce(self.full_stiffness + self.leaning(self.model.elements))

    @cached_property
    def frequencies(self) -> Vector:
        """Circular frequencies under the gravity loads, 1/s; 0 where it would fall over."""
        M, K = self.reduce(self.full_mass), self.loaded_stiffness
        factor = np.linalg.inv(np.linalg.cholesky(M))
        squares = np.linalg.eigvalsh(factor @ K @ factor.T)
        found: Vector = np.sqrt(np.maximum(squares, 0.0))
        return found

    @property
    def lowest_frequency(self) -> float:
        """First of the frequencies, 1/s."""
        return float(self.frequencies[0])

    def row(self, text: str) -> Vector:
        """Give the row that picks ``"roof.x"`` or ``"3.x - 2.x"`` out of the displacements."""
        row, terms = np.zeros(self.full_size), find_row(text)
        for sign, word in terms:
            node, _, direction = word.rpartition(".")
            if node not in self.model.nodes or direction not in tuple(DIRECTIONS):
                known = ", ".join(list(self.model.nodes)[:12])
                remedy = f'Write node and direction, as in "roof.x"; nodes: {known}.'
                raise InputError("structure.interface", text, f"{word!r} is not there", remedy)
            place = self.numbering.places[node, direction]
            if place < self.full_size:
                row[place] += sign
        if not row.any():
            problem = "cannot move: what it names is held by supports, or moves alike"
            raise InputError("structure.interface", text, problem, "Name one that is free.")
        picked: Vector = row @ self.condensation.T
        return picked

    def ground_motion(self) -> Vector:
        """Give the displacements of a unit motion of the ground along x."""
        along = np.zeros(self.full_size + 1)
        for node in self.model.nodes:
            along[self.numbering.places[node, "x"]] = 1.0
        return along[:-1][self.condensation.kept]

    def node_motion(self, u: Vector) -> Vector:
        """Give x, y and rotation of each node, in the order of the file, for each row of u."""
        full = np.asarray(u) @ self.condensation.T.T
        held = np.zeros((*full.shape[:-1], 1))
        places = [self.numbering.of_node(node) for node in self.model.nodes]
        found: Vector = np.concatenate([full, held], axis=-1)[..., np.array(places)]
        return found

    def block(self) -> Block:
        """Yield the block of the frame, at rest under its gravity loads."""
        _, states = self.at_rest
        return Block(restore, self.table.params, states, self.size, explains=explain_stop)


def assemble_file(name: str, gravity_steps: int = 10) -> AssembledFrame:
    """Put the frame of a file, or of a built-in model, together: its errors name the file."""
    model = read_model(name)
    try:
        return AssembledFrame(model, gravity_steps)
    except InputError as error:
        raise name_file(find_model(name), error) from None


def explain_stop(halt: Halt) -> Stop:
    """Say what the stop code of a frame means."""
    return halt.stop("limit", f"a node of the frame moved beyond {FARTHEST:g} m {halt.when}")
