"""What no frame is: sizes, moduli and periods that speak of other units than SI."""

from __future__ import annotations

from math import pi

import numpy as np

from rths.errors import InputError
from rths.frame.model import Model
from rths.frame.section.description import ElasticSection

LARGEST = 5000.0
"""Size of a frame, m, that is rather one in millimetres."""
LARGEST_AREA, FARTHEST_FIBRE = 100.0, 50.0
"""Area of a section, m², and distance of a fibre from the axis, m, that no member has: a column of
10 m by 10 m, or a section as high as a house of thirty floors. In mm all sections are larger."""
LARGEST_STRAIN = 0.1
"""Strain at which no material of a structure begins to yield: steel does at 0.002, and one of the
two numbers in MPa makes 2000 of it."""
SOFTEST, STIFFEST = 1e6, 5e12
"""Moduli of materials, Pa: rubber has 1e6, diamond 1e12."""
SHORTEST_PERIOD, LONGEST_PERIOD = 1e-3, 100.0
"""First periods of structures, s."""


def check_sizes(model: Model) -> None:
    """Refuse nodes that lie kilometres apart, and sections larger than a house."""
    for name, place in model.nodes.items():
        if max(map(abs, place)) > LARGEST:
            remedy = "Coordinates are in metres: 3000 mm is 3.0."
            raise InputError(f"nodes.{name}", list(place), "lies beyond 5 km", remedy)
    for name, section in model.sections.items():
        fibres = section.fibres()
        area = section.area if isinstance(section, ElasticSection) else sum(f[1] for f in fibres)
        farthest = max((abs(f[0]) for f in fibres), default=0.0)
        if area > LARGEST_AREA or farthest > FARTHEST_FIBRE:
            remedy = "Sizes are in metres, areas in m²: 100 cm² is 0.01."
            raise InputError(f"sections.{name}", None, f"has {area:g} m²", remedy)


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
