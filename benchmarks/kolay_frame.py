"""The two-storey steel frame of Kolay and Ricles, as a model: 33 nodes, 30 fibre elements.

Units of the source are kN, m, t; here all is SI.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

POUND_PER_FOOT = 0.45359237 / 0.3048
ALONG = (0.0, 0.5, 1.0, 3.0, 5.0, 5.5, 6.0)
UP = (1.0, 2.0, 2.5, 3.5, 4.0, 5.0, 5.5)
LEFT = (17, 20, 21, 22, 9, 23, 24, 25, 26, 1)
RIGHT = (18, 27, 28, 29, 15, 30, 31, 32, 33, 7)
UNDAMPED = tuple(f"beam{i}" for i in (1, 2, 5, 6, 9, 10, 13, 14))
"""Elements without the stiffness part of the damping."""


def kolay_nodes() -> dict[int, list[float]]:
    """Give the nodes."""
    nodes = {1 + k: [x, 6.0] for k, x in enumerate(ALONG)} | {8: [7.2, 6.0]}
    nodes |= {9 + k: [x, 3.0] for k, x in enumerate(ALONG)} | {16: [7.2, 3.0]}
    nodes |= {17: [0.0, 0.0], 18: [6.0, 0.0], 19: [7.2, 0.0]}
    nodes |= {20 + k: [0.0, y] for k, y in enumerate(UP)}
    nodes |= {27 + k: [6.0, y] for k, y in enumerate(UP)}
    return nodes


def kolay_elements() -> dict[str, Any]:
    """Give the elements."""

    def fibre(a: int, b: int, section: str, weight: float) -> dict[str, Any]:
        return {
            "kind": "displacement_beam",
            "nodes": [a, b],
            "section": section,
            "mass": weight * POUND_PER_FOOT,
            "consistent": True,
        }

    elements = {f"beam{i}": fibre(i, i + 1, "beam", 55) for i in (*range(1, 7), *range(9, 15))}
    for line in (LEFT, RIGHT):
        for a, b in pairwise(line):
            elements[f"column{a}"] = fibre(a, b, "column", 120)
    for name, ends in {"lean1": [19, 16], "lean2": [16, 8]}.items():
        elements[name] = {
            "kind": "elastic_beam",
            "nodes": ends,
            "section": "leaning",
            "geometry": "p_delta",
            "mass": 1e-3,
        }
    return elements


def kolay_model() -> dict[str, Any]:
    """Give the whole model."""
    nodes = kolay_nodes()
    small = {str(n): [1.0, 1.0, 0.01] for n in nodes}
    for n in ("8", "16"):
        small[n] = [50.97e3 + 1.0, 1.0 + 1.0, 1.0 + 0.01]
    wide = {"kind": "wide_flange", "material": "steel", "web_fibres": 10, "flange_fibres": 3}
    return {
        "nodes": {str(n): place for n, place in nodes.items()},
        "supports": {"17": "pinned", "18": "pinned", "19": "pinned"},
        "ties": [
            {"nodes": ["4", "8"], "directions": ["x"]},
            {"nodes": ["12", "16"], "directions": ["x"]},
        ],
        "masses": small,
        "loads": {"8": [0.0, -500e3, 0.0], "16": [0.0, -500e3, 0.0]},
        "materials": {
            "steel": {"kind": "bilinear", "modulus": 2e11, "yield_stress": 345e6, "hardening": 0.01}
        },
        "sections": {
            "beam": {**wide, "shape": "W24x55"},
            "column": {**wide, "shape": "W14x120"},
            "leaning": {"kind": "elastic", "modulus": 2e11, "area": 9.76e-2, "inertia": 7.125e-4},
        },
        "elements": kolay_elements(),
    }
