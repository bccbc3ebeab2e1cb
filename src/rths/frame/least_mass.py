"""A small mass for degrees of freedom that have none and cannot be condensed out.

    m for x and y,   m (0.1 m)² for the rotation                                                (1)

Explicit schemes need a mass wherever something yields. A kilogram at a joint of a building changes
its periods by less than anybody knows them; the high frequencies that it makes are damped by the
scheme, and followed by it if it is stable for any step.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import numpy as np

from rths.frame.assembled_matrices import AssembledMatrices

ARM = 0.1
"""Radius of gyration of the small masses, m."""


def find_massless(matrices: AssembledMatrices) -> list[tuple[str, str]]:
    """Find degrees of freedom without mass at elements that are not linear."""
    model, numbering = matrices.model, matrices.numbering
    bare = set(map(int, np.flatnonzero(np.diag(matrices.full_mass) <= 0.0)))
    touched = set[int]()
    for element in model.elements.values():
        if not element.is_linear(model.parts):
            places = (p for node in element.nodes for p in numbering.of_node(node))
            touched |= bare.intersection(places)
    names = (numbering.name(place) for place in sorted(touched))
    return [(node, way) for node, _, way in (name.rpartition(".") for name in names)]


def fill_masses(table: dict[str, Any], matrices: AssembledMatrices, least: float) -> dict[str, Any]:
    """Give the table of a model with the masses (1) where they are needed."""
    filled = deepcopy(table)
    masses = filled.setdefault("masses", {})
    for node, way in find_massless(matrices):
        mass = masses.setdefault(node, [0.0, 0.0, 0.0])
        mass["xyr".index(way)] = least * ARM**2 if way == "r" else least  # (1)
    return filled
