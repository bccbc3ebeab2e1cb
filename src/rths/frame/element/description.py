"""Elements as a model file describes them: their fields, their rows, their first stiffness.

K = a' k a,   a: deformations of an element over the displacements of its two nodes           (1)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import BeforeValidator

from rths.description import describe
from rths.errors import InputError
from rths.frame.element.displacement_beam import B
from rths.frame.element.force_beam import D, F, Y
from rths.frame.element.integration import points_of
from rths.frame.element.record import (
    DISPLACEMENT_BEAM,
    ELASTIC_BEAM,
    FORCE_BEAM,
    TRUSS,
    ZERO_LENGTH,
)
from rths.frame.element.truss import T
from rths.frame.element.zero_length import Z
from rths.frame.material.base import Material
from rths.frame.section.description import Section
from rths.frame.section.response import initial_stiffness, pack_section
from rths.loop.block import Vector
from rths.quantity import NonNegative, Range, SquareMetres, Words

GEOMETRIES = ("linear", "p_delta", "corotational")
Geometry = Literal["linear", "p_delta", "corotational"]
Tag = Annotated[str, BeforeValidator(lambda v: str(v) if type(v) is int else v)]
"""Name of a node: a text or a whole number."""
Points = Annotated[int, Range("1", "a whole number", low=2, high=10, whole=True)]
UPPER = np.triu_indices(3)


@dataclass(frozen=True)
class Parts:
    """What the elements of a model are made of, and where the sections stand in p."""

    materials: Mapping[str, Material]
    sections: Mapping[str, Section]
    places: dict[str, tuple[int, int]] = field(default_factory=dict)

    def stiffness(self, name: str) -> Vector:
        """Give the first stiffness of a section."""
        section = self.sections[name]
        return initial_stiffness(section.elastic_stiffness(), section.fibres(), self.materials)

    def histories(self, name: str) -> Vector:
        """Give the first histories of a section."""
        section = self.sections[name]
        return pack_section(section.elastic_stiffness(), section.fibres(), self.materials)[1]


@describe
class Element:
    """Base of all elements."""

    role: ClassVar[str] = "element"
    kind: ClassVar[str]
    number: ClassVar[int]
    """Number of the kind in the table."""
    takes_moduli: ClassVar[bool] = False
    """Whether the materials that it names itself have moduli in Pa; those of springs have
    stiffnesses in N/m or N m."""

    nodes: Annotated[tuple[Tag, Tag], Words('two names of nodes, as in ["1", "2"]')]
    """First and second node."""
    geometry: Geometry = "linear"
    """How large its rotations may be: linear, p_delta or corotational."""
    mass: NonNegative = 0.0
    """Mass of a metre, kg/m."""
    consistent: bool = False
    """Whether the mass is spread by the shape of bending, or half of it put to each node."""

    def lay_out(self, parts: Parts, length: float) -> tuple[Vector, Vector]:
        """Give what the row needs beside its places, and the states behind the basic forces."""
        raise NotImplementedError

    def basic_stiffness(self, parts: Parts, length: float) -> Vector:
        """Give the first k, 3x3."""
        raise NotImplementedError

    def materials(self) -> list[str]:
        """Name the materials that it uses itself, not through a section."""
        return []

    def is_linear(self, parts: Parts) -> bool:
        """Whether its forces are a matrix times the displacements, always."""
        return False


@describe
class Beam(Element):
    """Base of beam-columns with a section."""

    section: str
    """Name of the section."""

    def basic_stiffness(self, parts: Parts, length: float) -> Vector:
        """Give k from the flexibility of the section, exact for one that is the same all along."""
        f = np.linalg.inv(parts.stiffness(self.section))
        xi, w = points_of("legendre", 2)
        F = np.zeros((3, 3))
        for at, weight in zip(xi, w, strict=True):
            b = np.array([[1.0, 0.0, 0.0], [0.0, at - 1.0, at]])
            F += weight * length * b.T @ f @ b
        return np.asarray(np.linalg.inv(F), float)


@describe
class ElasticBeam(Beam):
    """A beam-column that stays elastic, with the first stiffness of its section."""

    kind = "elastic_beam"
    number = ELASTIC_BEAM

    def lay_out(self, parts: Parts, length: float) -> tuple[Vector, Vector]:
        """Give k."""
        return self.basic_stiffness(parts, length)[UPPER], np.zeros(0)

    def is_linear(self, parts: Parts) -> bool:
        """Whether its geometry is linear too."""
        return self.geometry == "linear"


@describe
class FibreBeam(Beam):
    """Base of beam-columns whose sections are followed at points along them."""

    points: Points = 5
    """Number of sections that are followed."""
    integration: Literal["legendre", "lobatto"] = "lobatto"
    """Where they are: lobatto has both ends among them."""

    def along(self) -> Vector:
        """Give ξ and w of each point, one after the other."""
        return np.column_stack(points_of(self.integration, self.points)).ravel()


@describe
class DisplacementBeam(FibreBeam):
    """A fibre beam-column with assumed displacements; several to a member."""

    kind = "displacement_beam"
    number = DISPLACEMENT_BEAM

    points: Points = 2
    """Number of sections that are followed."""
    integration: Literal["legendre", "lobatto"] = "legendre"
    """Where they are: legendre is the more exact, lobatto has both ends among them."""

    def lay_out(self, parts: Parts, length: float) -> tuple[Vector, Vector]:
        """Give the places of B and the histories of all points."""
        place, size = parts.places[self.section]
        x = parts.histories(self.section)
        row = B.pack(section=place, size=size, states=x.size, points=self.points, rest=self.along())
        return row, np.tile(x, self.points)

    def basic_stiffness(self, parts: Parts, length: float) -> Vector:
        """Give k of its assumed displacements."""
        ks, k = parts.stiffness(self.section), np.zeros((3, 3))
        for xi, w in zip(*points_of(self.integration, self.points), strict=True):
            b = np.array([[1.0, 0.0, 0.0], [0.0, 6 * xi - 4, 6 * xi - 2]]) / length
            k += w * length * b.T @ ks @ b
        return k


@describe
class ForceBeam(FibreBeam):
    """A fibre beam-column with exact forces; one to a member."""

    kind = "force_beam"
    number = FORCE_BEAM

    iterations: Annotated[int, Range("1", "a whole number", low=1, high=50, whole=True)] = 2
    """Iterations of each step; what they leave is taken up by the next step."""

    def lay_out(self, parts: Parts, length: float) -> tuple[Vector, Vector]:
        """Give the places of F, and the states of Y with elastic flexibilities."""
        place, size = parts.places[self.section]
        x, ks = parts.histories(self.section), parts.stiffness(self.section)
        row = F.pack(
            section=place,
            size=size,
            states=x.size,
            points=self.points,
            iterations=self.iterations,
            k_11=ks[0, 0],
            k_12=ks[0, 1],
            k_22=ks[1, 1],
            rest=self.along(),
        )
        f = np.linalg.inv(ks)
        section = D.pack(e=0, kappa=0, N=0, M=0, f_11=f[0, 0], f_12=f[0, 1], f_22=f[1, 1])
        k = self.basic_stiffness(parts, length)[UPPER]
        histories = np.tile(x, 2 * self.points)
        own = np.concatenate([np.zeros(Y.k_11), k, np.tile(section, self.points), histories])
        return row, own

    def basic_stiffness(self, parts: Parts, length: float) -> Vector:
        """Give k by the points that the element itself uses."""
        f, F_0 = np.linalg.inv(parts.stiffness(self.section)), np.zeros((3, 3))
        for xi, w in zip(*points_of(self.integration, self.points), strict=True):
            b = np.array([[1.0, 0.0, 0.0], [0.0, xi - 1, xi]])
            F_0 += w * length * b.T @ f @ b
        return np.asarray(np.linalg.inv(F_0), float)


@describe
class Truss(Element):
    """A bar that carries axial force only."""

    kind = "truss"
    number = TRUSS
    takes_moduli = True

    area: SquareMetres
    """Area A, m²."""
    material: str
    """Name of the material."""

    def __post_init__(self) -> None:
        """Refuse a geometry that a bar has not."""
        if self.geometry == "p_delta":
            problem = "is made for elements that bend"
            raise InputError("element.geometry", self.geometry, problem, "Use corotational.")

    def lay_out(self, parts: Parts, length: float) -> tuple[Vector, Vector]:
        """Give area and law."""
        law = parts.materials[self.material]
        return T.pack(area=self.area, code=law.code, rest=law.parameters()), law.start()

    def basic_stiffness(self, parts: Parts, length: float) -> Vector:
        """Give EA/L alone."""
        k = parts.materials[self.material].initial_tangent * self.area / length
        return np.diag([k, 0.0, 0.0])

    def materials(self) -> list[str]:
        """Name its material."""
        return [self.material]

    def is_linear(self, parts: Parts) -> bool:
        """Whether geometry and material are linear."""
        return self.geometry == "linear" and parts.materials[self.material].linear


@describe
class ZeroLength(Element):
    """Springs between two nodes at one place."""

    kind = "zero_length"
    number = ZERO_LENGTH

    springs: Annotated[
        dict[Literal["x", "y", "r"], str], Words('materials by direction, as in {"r": "hinge"}')
    ]
    """Material of the spring in each direction: x, y (force over m) and r (moment over rad)."""

    def __post_init__(self) -> None:
        """Refuse what springs have not."""
        if not self.springs:
            problem, remedy = "is empty", 'Give a material for one direction, as in {"r": "hinge"}.'
            raise InputError("element.springs", None, problem, remedy)
        if self.geometry != "linear" or self.mass:
            field, value = ("mass", self.mass) if self.mass else ("geometry", self.geometry)
            problem = "does not apply to springs of no length"
            raise InputError(f"element.{field}", value, problem, "Leave it out.")

    def lay_out(self, parts: Parts, length: float) -> tuple[Vector, Vector]:
        """Give the laws of the springs."""
        rows, states = [np.array([float(len(self.springs))])], [np.zeros(0)]
        for way, name in self.springs.items():
            law = parts.materials[name]
            given = law.parameters()
            rows.append(
                Z.pack(
                    direction="xyr".index(way),
                    code=law.code,
                    states=law.states,
                    parameters=given.size,
                    rest=given,
                )
            )
            states.append(law.start())
        return np.concatenate(rows), np.concatenate(states)

    def basic_stiffness(self, parts: Parts, length: float) -> Vector:
        """Give the stiffness along x, y and against rotation."""
        k = np.zeros(3)
        for way, name in self.springs.items():
            k["xyr".index(way)] = parts.materials[name].initial_tangent
        return np.diag(k)

    def materials(self) -> list[str]:
        """Name the materials of the springs."""
        return list(self.springs.values())

    def is_linear(self, parts: Parts) -> bool:
        """Whether all springs are."""
        return all(parts.materials[name].linear for name in self.springs.values())


ELEMENTS: dict[str, type[Any]] = {
    e.kind: e for e in (ElasticBeam, DisplacementBeam, ForceBeam, ZeroLength, Truss)
}
"""All elements by the name that a model file uses."""
