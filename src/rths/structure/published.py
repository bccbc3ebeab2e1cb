"""The structures of the papers, ready to use by name.

    name               numerical part                                       specimen of the paper
    wallace2005        2.2 kg, 15 N s/m, 2250 N/m, moved by its support     spring 2250 N/m
    londono2011_sdof   1000 kg, 500 kN/m, 3 %                               damper 50 kN (s/m)^.15
    londono2011_frame  three storeys as printed, C_23 mended, 2 % a mode    two dampers at mass 0
    wu2013_simulated   1 kg, 200 N/m                                        spring 200 N/m
    wu2013_sdof        1520 kg, 20 kN/m                                     spring 40 kN/m
    wu2013_five_dof    898 + 4 x 900 kg, 160 + 4 x 200 kN/m                 spring 40 kN/m, mass 0
    carrion2006        6650 kN/m, mass and 2 % by the frequency wanted      spring 3610 kN/m
    chen2010           two storeys, T_1 = 1.42 s, 2 % Rayleigh              dampers in each storey

Frequency and damping ratio of carrion2006 are those of the whole, specimen included; the 898 kg of
wu2013_five_dof hold the 298 kg that the laboratory had at the specimen. chen2010 has equal floor
masses, which the printed period fixes (611.897 t each).

Use it to repeat a paper, or as a start for a test of one's own.

[wallace2005]; [londono2011] eq. (38); [wu2013] sections 4 and 5; [carrion2006]; [chen2010] Table 1.
"""

from __future__ import annotations

from collections.abc import Callable
from math import pi, sqrt
from typing import Literal

import numpy as np

from rths.errors import InputError
from rths.loop.block import Vector
from rths.quantity import Hertz
from rths.structure.base import Structure, describe, register
from rths.structure.linear import Linear
from rths.structure.shear_building import ShearBuilding

Name = Literal[
    "wallace2005",
    "londono2011_sdof",
    "londono2011_frame",
    "wu2013_simulated",
    "wu2013_sdof",
    "wu2013_five_dof",
    "carrion2006",
    "chen2010",
]


def _one_mass(m: float, c: float, k: float) -> Structure:
    return Linear(mass=((m,),), damping=((c,),), stiffness=((k,),))


def _londono2011_frame() -> Structure:
    C = [[9.817, -2.878, -0.625], [-2.878, 9.192, -3.504], [-0.625, -3.504, 6.313]]
    K = [[12.091, -6.046, 0.0], [-6.046, 12.091, -6.046], [0.0, -6.046, 6.046]]

    def rows(factor: float, matrix: list[list[float]]) -> tuple[tuple[float, ...], ...]:
        return tuple(tuple(factor * v for v in row) for row in matrix)

    return Linear(
        mass=rows(5430.2, np.eye(3).tolist()), damping=rows(1e3, C), stiffness=rows(1e6, K)
    )


def _chen2010() -> Structure:
    period, k = 1.42, (36007e3, 23894e3)
    unit = ShearBuilding(masses=(1.0, 1.0), stiffnesses=k).matrices()[2]
    mass = float(np.linalg.eigvalsh(unit)[0]) * (period / (2 * pi)) ** 2
    return ShearBuilding(
        masses=(mass, mass),
        stiffnesses=k,
        rayleigh=(0.02, 0.02),
        interface=(0, 1),
        attached="storey",
    )


def carrion2006(frequency: float) -> Structure:
    """Give the numerical part for a natural frequency (Hz) of the whole."""
    numerical, physical, zeta = 6.65e6, 3.61e6, 0.02
    whole = numerical + physical
    mass = whole / (2 * pi * frequency) ** 2
    return _one_mass(mass, 2 * zeta * sqrt(whole * mass), numerical)


_FIXED: dict[str, Callable[[], Structure]] = {
    "wallace2005": lambda: _one_mass(2.2, 15.0, 2250.0),
    "londono2011_sdof": lambda: _one_mass(1000.0, 0.06 * sqrt(5e8), 5e5),
    "londono2011_frame": _londono2011_frame,
    "wu2013_simulated": lambda: _one_mass(1.0, 0.0, 200.0),
    "wu2013_sdof": lambda: _one_mass(1520.0, 0.0, 20e3),
    "wu2013_five_dof": lambda: ShearBuilding(
        masses=(600.0 + 298.0, *[900.0] * 4), stiffnesses=(160e3, *[200e3] * 4)
    ),
    "chen2010": _chen2010,
}


@register
@describe
class Published(Structure):
    """A structure of the literature, numerical part only."""

    cites = ("wallace2005", "londono2011", "wu2013", "carrion2006", "chen2010")
    example = {"name": "wallace2005"}

    name: Name
    """Which structure, as in the table."""
    frequency: Hertz | None = None
    """Natural frequency of the whole with its specimen, Hz; for carrion2006, and for it alone."""

    def __post_init__(self) -> None:
        """Check that a frequency is there when it is needed, and only then."""
        if self.name == "carrion2006" and self.frequency is None:
            problem, remedy = "is required", "Give the frequency of the whole, such as 5.0."
        elif self.name != "carrion2006" and self.frequency is not None:
            problem, remedy = "is fixed by the paper", "Leave it out."
        else:
            return
        raise InputError("structure.frequency", self.frequency, problem, remedy)

    def structure(self) -> Structure:
        """Give the structure that stands behind the name."""
        return carrion2006(self.frequency) if self.frequency else _FIXED[self.name]()

    def matrices(self) -> tuple[Vector, Vector, Vector]:
        """Give M, C, K."""
        return self.structure().matrices()

    def interface_rows(self) -> Vector:
        """Give L."""
        return self.structure().interface_rows()
