"""Elements of OpenSees and what they are here.

    elasticBeamColumn -> elastic_beam       dispBeamColumn -> displacement_beam
    forceBeamColumn -> force_beam           Truss, corotTruss -> truss
    zeroLength -> zero_length
    geometry: Linear -> linear, PDelta -> p_delta, Corotational -> corotational

Which elements there are, between which nodes and with which sections, the domain tells; areas,
masses and options are those that the script gave.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rths.errors import InputError
from rths.frame.element.integration import points_of
from rths.frame.opensees.call import Facts, last_calls, split_options
from rths.frame.opensees.refusal import refuse, refuse_kind
from rths.frame.opensees.sections import materials_of, take_elastic_section, take_section

GEOMETRIES = {"Linear": "linear", "PDelta": "p_delta", "Corotational": "corotational"}
DIRECTIONS = {1: "x", 2: "y", 3: "r", 6: "r"}
"""Directions of springs; OpenSees takes 3 for the rotation in a plane too."""
UPRIGHT = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0]
"""Axes of springs that stand along x and y."""
SAME = 1e-9
"""Share by which points along an element may differ from those of a rule: round-off."""
Table = dict[str, Any]


@dataclass
class TakenElements:
    """Elements with the sections and materials that they need."""

    facts: Facts
    elements: dict[str, Table] = field(default_factory=dict)
    sections: dict[str, Table] = field(default_factory=dict)
    materials: set[int] = field(default_factory=set)
    undamped: list[str] = field(default_factory=list)
    """Elements that OpenSees gives no Rayleigh damping."""

    def take_all(self) -> None:
        """Take every element of the domain."""
        calls = last_calls(self.facts, "element")
        for tag, living in self.facts["elements"].items():
            name = living["type"]
            if name not in TAKEN:
                known = {row[0]: 0 for row in TAKEN.values()}
                raise refuse_kind(f"element {tag}", name, known, "element")
            if int(tag) not in calls:
                problem = "is there, but was not seen when it was made"
                raise InputError(f"element {tag}", name, problem, "Make it by element.")
            values, options = split_options(calls[int(tag)][4:])
            TAKEN[name][1](self, tag, living, values, options)

    def geometry(self, tag: str, transformation: Any) -> str:
        """Name the geometry of a transformation."""
        call = last_calls(self.facts, "geomTransf").get(int(transformation))
        where = f"element {tag}"
        if call is None or call[0] not in GEOMETRIES:
            shown = str(call[0] if call else transformation)
            raise refuse(where, shown, "is no known geomTransf", "Linear, PDelta or Corotational")
        if "-jntOffset" in call:
            problem = "has stiff ends by -jntOffset"
            nearest = "nodes at their inner ends, and stiff elasticBeamColumns up to them"
            raise refuse(where, str(call[0]), problem, nearest)
        return GEOMETRIES[call[0]]

    def add(self, tag: str, living: Table, **rest: Any) -> None:
        """Add an element between its nodes."""
        self.elements[tag] = {"nodes": [str(n) for n in living["nodes"]], **rest}


Options = dict[str, list[Any]]


def _masses(options: Options, flag: str = "-mass") -> Table:
    mass = float(options.get(flag, [0.0])[0])
    if not mass:
        return {}
    return {"mass": mass, "consistent": True} if "-cMass" in options else {"mass": mass}


def _take_elastic_beam(
    to: TakenElements, tag: str, living: Table, values: list[Any], options: Options
) -> None:
    where = f"element {tag}"
    if any(options.get("-release", [])) or any(options.get("-releasez", [])):
        nearest = "a zeroLength spring, or a node of its own tied by equalDOF in x and y"
        raise refuse(where, "elasticBeamColumn", "has a released end", nearest)
    if "-alpha" in options:
        raise refuse(where, "elasticBeamColumn", "expands with temperature", "none of -alpha")
    if len(values) == 2:
        call = last_calls(to.facts, "section").get(int(values[0]), ["?"])
        if call[0] != "Elastic":
            nearest = "A, E and Iz of the section, or dispBeamColumn"
            raise refuse(where, str(call[0]), "is no elastic section", nearest)
        section = take_elastic_section(f"section {values[0]}", call[2:])
        name = str(int(values[0]))
    else:
        A, E, inertia = (float(v) for v in values[:3])
        section = {"kind": "elastic", "modulus": E, "area": A, "inertia": inertia}
        name = next((n for n, s in to.sections.items() if s == section), f"of {tag}")
    to.sections[name] = section
    geometry = to.geometry(tag, values[-1])
    to.add(tag, living, kind="elastic_beam", section=name, geometry=geometry, **_masses(options))


def _take_fibre_beam(
    to: TakenElements, tag: str, living: Table, values: list[Any], options: Options
) -> None:
    where, tags = f"element {tag}", living["sections"]
    if len(set(tags)) != 1:
        nearest = "one section for all points, or several elements to the member"
        raise refuse(where, living["type"], "has different sections along it", nearest)
    rule = _find_rule(living)
    if rule is None:
        nearest = "beamIntegration Lobatto or Legendre, with 2 to 10 points"
        raise refuse(where, living["type"], "integrates by another rule", nearest)
    name = str(tags[0])
    fibres = living["fibres"][name]
    to.sections[name] = take_section(to.facts, tags[0], fibres)
    to.materials |= materials_of(to.sections[name])
    forced = living["type"] == "ForceBeamColumn2d"
    to.add(
        tag,
        living,
        kind="force_beam" if forced else "displacement_beam",
        section=name,
        geometry=to.geometry(tag, values[0] if len(values) == 2 else values[2]),
        points=len(tags),
        integration=rule,
        **_masses(options),
    )


def _find_rule(living: Table) -> str | None:
    """Name the rule whose points and weights an element has."""
    places, weights = np.array(living["places"]), np.array(living["weights"])
    total = weights.sum()
    if not 2 <= places.size <= 10:
        return None
    for rule in ("lobatto", "legendre"):
        xi, w = points_of(rule, places.size)
        if np.allclose(places / total, xi, atol=SAME) and np.allclose(
            weights / total, w, atol=SAME
        ):
            return rule
    return None


def _take_truss(
    to: TakenElements, tag: str, living: Table, values: list[Any], options: Options
) -> None:
    mass = _masses({"-mass": options["-rho"]} if "-rho" in options else {})
    if mass and any(options.get("-cMass", [])):
        nearest = "a lumped one, without -cMass"
        raise refuse(f"element {tag}", living["type"], "has a consistent mass", nearest)
    to.materials.add(int(values[1]))
    if not any(options.get("-doRayleigh", [])):
        to.undamped.append(tag)
    geometry = "corotational" if living["type"] == "CorotTruss" else "linear"
    to.add(
        tag,
        living,
        kind="truss",
        area=float(values[0]),
        material=str(int(values[1])),
        geometry=geometry,
        **mass,
    )


def _take_zero_length(
    to: TakenElements, tag: str, living: Table, values: list[Any], options: Options
) -> None:
    where = f"element {tag}"
    if [float(v) for v in options.get("-orient", UPRIGHT)] not in (UPRIGHT, UPRIGHT[:3]):
        nearest = "springs along x and y, or a truss along their direction"
        raise refuse(where, "zeroLength", "is turned by -orient", nearest)
    if "-dampMats" in options:
        nearest = "a specimen spring_dashpot, or damping of the plan"
        raise refuse(where, "zeroLength", "has dampers by -dampMats", nearest)
    springs = list(zip(options.get("-dir", []), options.get("-mat", []), strict=False))
    to.materials |= {int(m) for _, m in springs}
    damped = any(options.get("-doRayleigh", [0])) or options.get("-doRayleigh") == []
    number = 0
    while springs:  # one direction in each of them
        number += 1
        layer: dict[str, str] = {}
        left = []
        for direction, material in springs:
            if int(direction) not in DIRECTIONS:
                problem = f"has a spring in direction {direction}, out of the plane"
                raise refuse(where, "zeroLength", problem, "directions 1, 2 and 6")
            way = DIRECTIONS[int(direction)]
            if way in layer:
                left.append((direction, material))
            else:
                layer[way] = str(int(material))
        springs = left
        name = tag if number == 1 else f"{tag}_{number}"
        to.add(name, living, kind="zero_length", springs=layer)
        if not damped:
            to.undamped.append(name)


Taking = Callable[[TakenElements, str, Table, list[Any], Options], None]
TAKEN: dict[str, tuple[str, Taking]] = {
    "ElasticBeam2d": ("elasticBeamColumn", _take_elastic_beam),
    "DispBeamColumn2d": ("dispBeamColumn", _take_fibre_beam),
    "ForceBeamColumn2d": ("forceBeamColumn", _take_fibre_beam),
    "Truss": ("truss", _take_truss),
    "CorotTruss": ("corotTruss", _take_truss),
    "ZeroLength": ("zeroLength", _take_zero_length),
}
"""Elements that can be taken over, by their classes: their names in scripts, and how."""
