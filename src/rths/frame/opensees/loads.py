"""Loads of OpenSees that are there before the test: those of one or several plain patterns.

    uniform w over L         w L/2 at both nodes,  moments  w L²/12, -w L²/12                  (1)
    point P at a, b = L - a  P b²(3a + b)/L³, P a²(a + 3b)/L³,  moments  P a b²/L², -P a² b/L² (2)
    along the axis           shares of the nearest ends                                      (3)

Loads along elements become those of its nodes. The displacements of nodes are then the same, for
elastic beams and for assumed displacements; where the axial force or the moment along the element
has a say in more than that, they are refused. A pattern counts with the load factor that it has at
the end of the script, and with 1 if the script has calculated nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rths.errors import InputError
from rths.frame.opensees.call import Facts, calls_of
from rths.frame.opensees.refusal import refuse
from rths.loop.block import Vector

UNIFORM, POINT = 3, 4
"""Class tags of loads along elements in a plane."""
SIZES = {UNIFORM: 2, POINT: 3}
"""Numbers of each: across, along, and where as a share of the length."""
PRESCRIBED = ("sp", "imposedMotion", "imposedSupportMotion", "groundMotion")
Table = dict[str, Any]


def choose_patterns(facts: Facts, asked: Sequence[int]) -> dict[str, float]:
    """Choose the patterns whose loads are taken, with their factors."""
    loaded = {p: t for p, t in facts["patterns"].items() if t["nodes"] or t["elements"]}
    for tag in asked:
        if str(tag) not in loaded:
            known = ", ".join(loaded) or "none"
            remedy = f"Patterns with loads: {known}."
            raise InputError("--loads", tag, "is no pattern with loads", remedy)
    applied = {p: t for p, t in loaded.items() if t["factor"]}
    unused = not applied and not facts["time"]
    chosen = [str(tag) for tag in asked] or list(loaded if unused else applied)
    if not asked and unused and len(loaded) > 1:
        problem = f"must be said: {', '.join(loaded)} have loads, and the script has applied none"
        raise InputError("--loads", None, problem, "Name those of gravity, as --loads 1.")
    return {p: float(loaded[p]["factor"] or 1.0) for p in chosen}


def take_loads(
    facts: Facts, elements: dict[str, Table], patterns: dict[str, float]
) -> dict[str, list[float]]:
    """Give the loads of the nodes."""
    for given in calls_of(facts, *PRESCRIBED):
        nearest = "fix for what is held, and the excitation of the plan for what moves"
        raise refuse(f"node {given[0]}", "sp", "has a prescribed displacement", nearest)
    total = {node: np.zeros(3) for node in facts["nodes"]}
    for tag, factor in patterns.items():
        told = facts["patterns"][tag]
        at = 0
        for node in map(str, told["nodes"]):
            size = facts["nodes"][node]["size"]
            total[node][:size] += factor * np.array(told["loads"][at : at + size])
            at += size
        at = 0
        for element, load in zip(map(str, told["elements"]), told["classes"], strict=True):
            if load not in SIZES:
                nearest = "beamUniform, beamPoint, or loads at nodes"
                raise refuse(f"element {element}", f"eleLoad {load}", "is not known", nearest)
            given = told["element_loads"][at : at + SIZES[load]]
            at += SIZES[load]
            _check(element, elements[element], axial=bool(given[1]))
            ends = _to_nodes(facts, elements[element]["nodes"], load, given)
            for node, share in zip(elements[element]["nodes"], ends, strict=True):
                total[node] += factor * share
    return {node: [float(v) for v in load] for node, load in total.items() if load.any()}


def _check(tag: str, element: Table, axial: bool) -> None:
    """Refuse loads along an element whose nodes do not tell all."""
    where, kind, geometry = f"element {tag}", element["kind"], element["geometry"]
    nearest = "loads at the nodes, with several elements to the member"
    if kind == "force_beam":
        raise refuse(where, "eleLoad", "bends a forceBeamColumn between its nodes", nearest)
    if geometry == "corotational" or (axial and geometry != "linear"):
        raise refuse(where, "eleLoad", f"acts along an element with {geometry} geometry", nearest)


def _to_nodes(
    facts: Facts, nodes: Sequence[str], load: int, given: Sequence[float]
) -> tuple[Vector, Vector]:
    """Bring a load along an element to its nodes, by (1) to (3)."""
    first, second = (np.array(facts["nodes"][n]["place"]) for n in nodes)
    L = float(np.hypot(*(second - first)))
    c, s = (second - first) / L
    if load == UNIFORM:
        w, along = given
        across = (w * L / 2, w * L / 2)
        moments = (w * L**2 / 12, -w * L**2 / 12)
        axial = (along * L / 2, along * L / 2)
    else:
        P, along, share = given
        a, b = share * L, (1 - share) * L
        across = (P * b**2 * (3 * a + b) / L**3, P * a**2 * (a + 3 * b) / L**3)
        moments = (P * a * b**2 / L**2, -P * a**2 * b / L**2)
        axial = (along * (1 - share), along * share)
    one, two = (
        np.array([c * n - s * v, s * n + c * v, m])
        for n, v, m in zip(axial, across, moments, strict=True)
    )
    return one, two
