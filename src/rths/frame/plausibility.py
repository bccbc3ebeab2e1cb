"""What no frame is: sizes, moduli and periods that speak of other units than SI."""

from __future__ import annotations

from collections.abc import Callable
from math import pi

import numpy as np

from rths.errors import InputError
from rths.frame.element.description import Beam
from rths.frame.model import Model
from rths.frame.section.description import ElasticSection
from rths.loop.block import Vector

LARGEST_AREA, FARTHEST_FIBRE = 100.0, 50.0
"""Area of a section, m², and distance of a fibre from the axis, m, that no member has: a column of
10 m by 10 m, or a section as high as a house of thirty floors. In mm all sections are larger."""
SLENDEREST = 1e-6
"""Radius of gyration, m, below which a section does not bend but by round-off."""
FLAT = 1e-12
"""Share of EA EI - ES² below which the fibres of a section lie at one height."""
FASTEST = 1e24
"""Stiffness over mass, 1/s², of a degree of freedom, beyond which numbers do not hold both: a
milligram between elements of the stiffest bridge has 1e20."""
LARGEST_STRAIN = 0.1
"""Strain at which no material of a structure begins to yield: steel does at 0.002, and one of the
two numbers in MPa makes 2000 of it."""
SOFTEST, STIFFEST = 1e6, 5e12
"""Moduli of materials, Pa: rubber has 1e6, diamond 1e12."""
SHORTEST_PERIOD, LONGEST_PERIOD = 1e-3, 100.0
"""First periods of structures, s."""


def check_sizes(model: Model) -> None:
    """Refuse sections larger than a house."""
    for name, section in model.sections.items():
        fibres = section.fibres()
        area = section.area if isinstance(section, ElasticSection) else sum(f[1] for f in fibres)
        farthest = max((abs(f[0]) for f in fibres), default=0.0)
        if area > LARGEST_AREA or farthest > FARTHEST_FIBRE:
            remedy = "Sizes are in metres, areas in m²: 100 cm² is 0.01."
            raise InputError(f"sections.{name}", None, f"has {area:g} m²", remedy)
        if isinstance(section, ElasticSection):
            radius = (section.inertia / section.area) ** 0.5
            if not SLENDEREST <= radius <= FARTHEST_FIBRE:
                problem = f"makes a radius of gyration of {radius:g} m"
                remedy = "Give m⁴ for the inertia and m² for the area: 8360 cm⁴ is 8.36e-5."
                raise InputError(f"sections.{name}.inertia", section.inertia, problem, remedy)


def check_bending(model: Model) -> None:
    """Refuse beams whose fibres lie at one height, or have no stiffness at first."""
    for name, element in model.elements.items():
        if not isinstance(element, Beam):
            continue
        k = model.parts.stiffness(element.section)
        if not k[0, 0] * k[1, 1] - k[0, 1] ** 2 > FLAT * k[0, 0] * k[1, 1]:
            problem = f"is the section of element {name}, and does not bend: its fibres lie at one "
            problem += "height, or have no stiffness at first"
            remedy = "Give fibres at two heights or more; a bar is a truss."
            raise InputError(f"sections.{element.section}", None, problem, remedy)


def check_masses(M: Vector, K: Vector, name: Callable[[int], str]) -> None:
    """Refuse a mass that is next to nothing beside what holds it."""
    with np.errstate(over="ignore"):
        rates = np.diag(K) / np.diag(M)
    worst = int(np.argmax(rates))
    if not rates[worst] <= FASTEST:
        node, _, way = name(worst).rpartition(".")
        problem = f"has {M[worst, worst]:g} along {way}, where the stiffness is {K[worst, worst]:g}"
        remedy = "Give kg, N, m and Pa throughout; a small mass may be a kilogram."
        raise InputError(f"masses.{node}", None, problem, remedy)


def check_moduli(model: Model) -> None:
    """Refuse materials of fibres and bars that no material is."""
    used = {m for section in model.sections.values() for _, _, m in section.fibres()}
    used |= {m for e in model.elements.values() if e.takes_moduli for m in e.materials()}
    moduli = {f"materials.{n}": model.materials[n].initial_tangent for n in sorted(used)}
    moduli |= {
        f"sections.{n}": s.modulus
        for n, s in model.sections.items()
        if isinstance(s, ElasticSection)
    }
    for field, modulus in moduli.items():
        if modulus and not SOFTEST <= modulus <= STIFFEST:
            problem = f"has a first modulus of {modulus:g} Pa"
            raise InputError(field, None, problem, "Give Pa: 200 GPa is 200e9, 345 MPa is 345e6.")
    for name in sorted(used):
        material = model.materials[name]
        strength = getattr(material, "yield_stress", None)
        if strength is not None and abs(strength) > LARGEST_STRAIN * material.initial_tangent > 0.0:
            problem = f"yields at a strain of {abs(strength) / material.initial_tangent:g}"
            remedy = "Give modulus and yield stress both in Pa."
            raise InputError(f"materials.{name}.yield_stress", strength, problem, remedy)


def check_period(omega: float) -> None:
    """Refuse a first period that no structure has."""
    period = 2 * pi / omega if omega > 0 else np.inf
    if not SHORTEST_PERIOD <= period <= LONGEST_PERIOD:
        raise InputError(
            "masses",
            None,
            f"and stiffnesses give a first period of {period:.3g} s",
            "Give kg, N, m and Pa throughout; or is a mass, or a stiffness, missing?",
        )
