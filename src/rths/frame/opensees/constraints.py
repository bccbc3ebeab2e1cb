"""What holds and ties nodes in OpenSees: supports, equalDOF, rigid floors and rigid links.

Held directions are supports. Directions that are tied one to the same one are ties, all that move
alike in one; a tie to a support holds. rigidDiaphragm of a plane frame ties x or y; rigidLink "bar"
ties x and y. A link that turns with its node (rigidLink "beam" with a length) is no tie here.
"""

from __future__ import annotations

from typing import Any

from rths.frame.opensees.call import Facts, calls_of
from rths.frame.opensees.refusal import refuse

LETTERS = {1: "x", 2: "y", 3: "r"}
Dof = tuple[str, str]


def take_supports(facts: Facts) -> dict[str, list[str]]:
    """Give the held directions of each node; one without rotation has it held."""
    found = {}
    for node, told in facts["nodes"].items():
        held = {LETTERS[int(d)] for d in told["held"]}
        if told["size"] == 2:
            held.add("r")
        if held:
            found[node] = sorted(held, key="xyr".index)
    return found


def take_ties(facts: Facts, supports: dict[str, list[str]]) -> list[dict[str, Any]]:
    """Give the ties; what is tied to a support is held instead, in ``supports``."""
    groups: list[list[Dof]] = []
    for told in facts["constraints"]:
        _check(facts, told)
        node, retained = str(told["node"]), str(told["retained"])
        for dof in told["dofs"]:
            way = LETTERS[int(dof)]
            _join(groups, (retained, way), (node, way))
    free = []
    for group in groups:
        if any(way in supports.get(node, []) for node, way in group):
            for node, way in group:
                held = {*supports.get(node, []), way}
                supports[node] = sorted(held, key="xyr".index)
        else:
            free.append(group)
    return _merge(free)


def _join(groups: list[list[Dof]], a: Dof, b: Dof) -> None:
    """Bring two degrees of freedom, and all that move with them, into one group."""
    both = [g for g in groups if a in g or b in g]
    joined = list(dict.fromkeys([*(dof for g in both for dof in g), a, b]))
    groups[:] = [g for g in groups if g not in both] + [joined]


def _merge(groups: list[list[Dof]]) -> list[dict[str, Any]]:
    """Make one tie of those with the same nodes."""
    found: dict[tuple[str, ...], list[str]] = {}
    for group in groups:
        nodes = tuple(sorted((node for node, _ in group), key=int))
        found.setdefault(nodes, []).append(group[0][1])
    return [{"nodes": list(n), "directions": sorted(d, key="xyr".index)} for n, d in found.items()]


def _check(facts: Facts, told: dict[str, Any]) -> None:
    """Refuse constraints that are more than equal displacements."""
    c, r = int(told["node"]), int(told["retained"])
    where = f"constraint of node {c}"
    if told["dofs"] != told["retained_dofs"]:
        problem = "ties different directions"
        raise refuse(where, "equalDOF_Mixed", problem, "equalDOF, of the same directions")
    places = [facts["nodes"][str(n)]["place"] for n in (c, r)]
    if places[0] == places[1]:
        return
    nearest = "equalDOF where only x or y matters, or a stiff elasticBeamColumn"
    for kind, first, second, *_ in calls_of(facts, "rigidLink"):
        if kind == "beam" and {int(first), int(second)} == {c, r}:
            problem = f"turns with node {r} at a distance"
            raise refuse(where, "rigidLink beam", problem, nearest)
    for direction, first, *others in calls_of(facts, "rigidDiaphragm"):
        if int(direction) == 3 and int(first) == r and c in map(int, others):
            problem = f"turns with node {r} at a distance"
            raise refuse(where, "rigidDiaphragm 3", problem, nearest)
