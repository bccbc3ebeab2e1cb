"""From what is in the domain of OpenSees to the model of a frame.

Everything is taken as it is, in the units of the script, which must be SI. What has no counterpart
is refused by its name; materials and sections that no element uses are left behind.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rths.frame.opensees.call import Facts, calls_of
from rths.frame.opensees.constraints import take_supports, take_ties
from rths.frame.opensees.elements import TakenElements
from rths.frame.opensees.loads import choose_patterns, take_loads
from rths.frame.opensees.materials import take_materials
from rths.frame.opensees.refusal import refuse

PARAMETERS = ("parameter", "addToParameter", "setParameter", "updateParameter")


@dataclass(frozen=True)
class Taken:
    """A model, and what the plan should know of it."""

    table: dict[str, Any]
    patterns: dict[str, float]
    """Patterns whose loads are gravity here, with their factors."""
    left: list[str]
    """Patterns that were not taken."""
    undamped: list[str]
    """Elements that OpenSees gives no Rayleigh damping."""


def take_over(facts: Facts, loads: Sequence[int] = ()) -> Taken:
    """Give the model of what is in the domain."""
    _check_plane(facts)
    found = TakenElements(facts)
    found.take_all()
    supports = take_supports(facts)
    ties = take_ties(facts, supports)
    patterns = choose_patterns(facts, loads)
    nodes = facts["nodes"]
    masses = {n: [*told["mass"], 0.0][:3] for n, told in nodes.items() if any(told["mass"])}
    table = {
        "title": f"taken over from OpenSees {facts['version']}",
        "nodes": {n: told["place"] for n, told in nodes.items()},
        "supports": supports,
        "ties": ties,
        "masses": masses,
        "loads": take_loads(facts, found.elements, patterns),
        "materials": take_materials(facts, found.materials),
        "sections": found.sections,
        "elements": found.elements,
    }
    return Taken(
        {name: part for name, part in table.items() if part},
        patterns,
        [p for p in facts["patterns"] if p not in patterns],
        found.undamped,
    )


def _check_plane(facts: Facts) -> None:
    """Refuse models in space, and parameters that change what the script has made."""
    if facts["dimensions"] != 2:
        problem = f"has {facts['dimensions']} dimensions"
        raise refuse("model", "-ndm", problem, "a frame in a plane: -ndm 2 -ndf 3")
    for node, told in facts["nodes"].items():
        if told["size"] not in (2, 3):
            problem = f"has {told['size']} degrees of freedom"
            raise refuse(f"node {node}", "-ndf", problem, "-ndf 3, or 2 for trusses")
    for given in calls_of(facts, *PARAMETERS):
        nearest = "numbers that are right when materials and elements are made"
        problem = "changes what was made before"
        raise refuse(f"parameter {given[0]}", "parameter", problem, nearest)
