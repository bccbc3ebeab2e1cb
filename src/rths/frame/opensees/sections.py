"""Sections of OpenSees: fibres as the elements have them in the domain, or an elastic section.

    y = y_OpenSees - Σ A y / Σ A                                                               (1)

OpenSees measures the heights of fibres from the centroid of the section unless told not to; here
the axis of the element is y = 0. Fibres of one material at one height are one: a frame in a plane
does not know how wide they lie apart.
"""

from __future__ import annotations

from typing import Any

from rths.errors import InputError
from rths.frame.opensees.call import Facts, last_calls, numbers_of
from rths.frame.opensees.refusal import refuse

WIDTH = 6
"""Numbers of a fibre in what the domain tells: y, z, area, material, stress, strain."""
FIBRES = ("Fiber", "fiberSec", "FiberSection")
Table = dict[str, Any]


def take_section(facts: Facts, tag: int, fibres: list[float]) -> Table:
    """Give a section of a fibre element."""
    call = last_calls(facts, "section").get(tag)
    field = f"section {tag}"
    if call is None:
        problem = "is used, but was not seen when it was made"
        raise InputError(field, None, problem, "Make it by section of openseespy.")
    name = str(call[0])
    if name == "Elastic":
        return take_elastic_section(field, call[2:])
    if name == "WFSection2d":  # its fibres are not told
        return take_wide_flange(call[2:])
    if name not in FIBRES or not fibres:
        nearest = "Fiber, WFSection2d, or Elastic without shear"
        raise refuse(field, name, "is no section that can be taken over", nearest)
    rows = [fibres[k : k + WIDTH] for k in range(0, len(fibres), WIDTH)]
    area = sum(A for _, _, A, *_ in rows)
    centroid = sum(y * A for y, _, A, *_ in rows) / area if "-noCentroid" not in call else 0.0
    found: dict[tuple[float, str], float] = {}
    for y, _, A, material, *_ in rows:
        key = (y - centroid, str(int(material)))  # (1)
        found[key] = found.get(key, 0.0) + A
    return {"kind": "fibres", "single": [[y, A, name] for (y, name), A in found.items()]}


def take_elastic_section(field: str, given: list[Any]) -> Table:
    """Give a section that stays elastic."""
    E, A, inertia, shear, _ = numbers_of(given, (None, None, None, 0.0, 0.0))
    if shear:
        raise refuse(field, "Elastic", "deforms by shear", "Elastic with E, A and Iz alone")
    return {"kind": "elastic", "modulus": E, "area": A, "inertia": inertia}


def take_wide_flange(given: list[Any]) -> Table:
    """Give a wide flange of four sizes."""
    material, d, tw, bf, tf, web, flange = given[:7]
    return {
        "kind": "wide_flange",
        "material": str(int(material)),
        "depth": float(d),
        "web": float(tw),
        "flange_width": float(bf),
        "flange": float(tf),
        "web_fibres": int(web),
        "flange_fibres": int(flange),
    }


def materials_of(section: Table) -> set[int]:
    """Give the tags of the materials of a section."""
    if section["kind"] == "wide_flange":
        return {int(section["material"])}
    return {int(name) for _, _, name in section.get("single", [])}
