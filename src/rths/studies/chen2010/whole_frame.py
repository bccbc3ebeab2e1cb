"""The frame of the paper as a whole: 71 elements and 122 degrees of freedom.

The paper prints sections (W14x120 columns, W24x55 and W18x40 beams), four bays, two storeys, both
counts, T_1 = 1.42 s and storey stiffnesses k. It prints no lengths, masses, supports or strengths:
those of this file are chosen. Bays are 9.144 m (30 ft), steel has 345 MPa; members are elastic, two
to a length, with hinges that yield at the plastic moment and harden by 3 %; bases are fixed through
such hinges; a leaning column, pinned, carries the weight of the floors. Masses are equal, those of
a shear building with the printed k and T_1. The heights are what is left to choose, such that

    k_i = ω_1² Σ_(j≥i) m φ_j / (φ_i - φ_(i-1))                                                   (1)

of the first mode (ω_1, φ), without gravity, are the printed ones. Then T_1 is the printed one too,
since a shear building with the k of (1) has this very mode.

[chen2010] Table 1.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rths.frame.section.description import WideFlange
from rths.loop.block import Vector

BAYS, BAY = 4, 9.144
"""Number of bays and the length of each, m."""
HEIGHTS = (4.558643, 3.759231)
"""Heights of the storeys by (1), m."""
MASS = 611_897.0
"""Mass of a floor, kg."""
STIFFNESSES = (36007e3, 23894e3)
"""Printed stiffnesses of the storeys, N/m."""
PERIOD = 1.42
MODULUS, YIELD, HARDENING = 2e11, 345e6, 0.03
STIFF = 50.0
"""Stiffness of a hinge over 6 EI/L of its member."""
SMALL, GYRATION = 50.0, 0.3
"""Mass of a node, kg, and the radius of gyration of such a mass, m."""
COLUMN, BEAMS = "W14X120", ("W24X55", "W18X40")
LEANING = {"kind": "elastic", "modulus": MODULUS, "area": 0.1, "inertia": 1e-3}
PIN = 1e3
"""Stiffness of what stands for a pin, N m."""
G = 9.81
SHARE = 0.25
"""Share of the weight of the mass that loads the leaning column of one of four frames."""
Table = dict[str, Any]


def section_of(shape: str) -> tuple[float, float, float]:
    """Give area, moment of inertia and plastic section modulus of a shape."""
    fibres = WideFlange(material="steel", shape=shape, web_fibres=60, flange_fibres=20).fibres()
    return (
        sum(A for _, A, _ in fibres),
        sum(A * y**2 for y, A, _ in fibres),
        sum(A * abs(y) for y, A, _ in fibres),
    )


class _Builder:
    """A model while it is put together."""

    def __init__(self) -> None:
        self.nodes: Table = {}
        self.masses: Table = {}
        self.elements: Table = {}
        self.materials: Table = {"pin": {"kind": "elastic", "modulus": PIN}}
        self.ties: list[Table] = []

    def node(self, name: str, x: float, y: float, mass: float = SMALL) -> str:
        """Add a node with a small mass."""
        self.nodes[name] = [x, y]
        self.masses[name] = [mass, mass, mass * GYRATION**2]
        return name

    def member(self, name: str, ends: tuple[str, str], shape: str) -> None:
        """Add a member of two elastic elements with a node in the middle."""
        (x_1, y_1), (x_2, y_2) = (self.nodes[end] for end in ends)
        middle = self.node(f"{name}m", (x_1 + x_2) / 2, (y_1 + y_2) / 2)
        for k, pair in enumerate(((ends[0], middle), (middle, ends[1])), start=1):
            self.elements[f"{name}_{k}"] = {
                "kind": "elastic_beam",
                "nodes": list(pair),
                "section": shape,
            }

    def hinge(self, at: str, name: str, shape: str, length: float) -> str:
        """Add a hinge at a node; give the node behind it, which moves along."""
        x, y = self.nodes[at]
        behind = f"{name}h"
        self.nodes[behind], self.masses[behind] = [x, y], [0.0, 0.0, SMALL * GYRATION**2]
        material = "pin"
        if shape != "leaning":
            _, inertia, plastic = section_of(shape)
            material = f"{shape} over {length:g}"
            self.materials[material] = {
                "kind": "bilinear",
                "modulus": STIFF * 6 * MODULUS * inertia / length,
                "yield_stress": YIELD * plastic,
                "hardening": HARDENING / STIFF,
            }
        self.elements[name] = {
            "kind": "zero_length",
            "nodes": [at, behind],
            "springs": {"r": material},
        }
        self.ties.append({"nodes": [at, behind], "directions": ["x", "y"]})
        return behind


def frame_model(heights: tuple[float, float] = HEIGHTS, gravity: bool = True) -> Table:
    """Give the model of the frame."""
    to = _Builder()
    levels = (0.0, heights[0], sum(heights))
    supports: Table = {}
    for i in range(BAYS + 1):
        for k, y in enumerate(levels):
            to.node(f"{i}{k}", BAY * i, y)
        supports[f"{i}0"] = "fixed"
        del to.masses[f"{i}0"]
        base = to.hinge(f"{i}0", f"g{i}", COLUMN, heights[0])
        to.ties.pop()  # the ground holds it along x and y
        supports[base] = "pinned"
        to.member(f"c{i}1", (base, f"{i}1"), COLUMN)
        low = to.hinge(f"{i}1", f"u{i}", COLUMN, heights[1])
        high = to.hinge(f"{i}2", f"v{i}", COLUMN, heights[1])
        to.member(f"c{i}2", (low, high), COLUMN)
    for k, shape in enumerate(BEAMS, start=1):
        for i in range(BAYS):
            left = to.hinge(f"{i}{k}", f"l{i}{k}", shape, BAY)
            right = to.hinge(f"{i + 1}{k}", f"r{i}{k}", shape, BAY)
            to.member(f"b{i}{k}", (left, right), shape)
    supports["p0"] = "pinned"
    _add_leaning_column(to, levels)
    sections: Table = {"leaning": LEANING}
    for shape in (COLUMN, *BEAMS):
        area, inertia, _ = section_of(shape)
        sections[shape] = {"kind": "elastic", "modulus": MODULUS, "area": area, "inertia": inertia}
    loads = {f"p{k}": [0.0, -SHARE * MASS * G, 0.0] for k in (1, 2)} if gravity else {}
    return {
        "title": "Two-storey frame of Chen and Ricles (2010); what is not printed is chosen",
        "nodes": to.nodes,
        "supports": supports,
        "ties": to.ties,
        "masses": to.masses,
        **({"loads": loads} if loads else {}),
        "materials": to.materials,
        "sections": sections,
        "elements": to.elements,
    }


def _add_leaning_column(to: _Builder, levels: tuple[float, ...]) -> None:
    """Add the column that carries the floors: it moves with them and has pins at the first."""
    x = BAY * (BAYS + 0.5)
    for k, y in enumerate(levels):
        to.node(f"p{k}", x, y)
        if k:
            to.masses[f"p{k}"][0] = MASS
            to.ties.append({"nodes": [f"p{k}", f"{BAYS}{k}"], "directions": ["x"]})
    low, high = (to.hinge("p1", f"p1{k}", "leaning", 1.0) for k in "lu")
    for name, ends in {"lean1": ("p0", low), "lean2": (high, "p2")}.items():
        to.elements[name] = {
            "kind": "elastic_beam",
            "nodes": list(ends),
            "section": "leaning",
            "geometry": "p_delta",
        }
    _merge_ties(to)


def _merge_ties(to: _Builder) -> None:
    """Make one tie of all that move alike along a direction."""
    groups: list[tuple[set[str], str]] = []
    for tie in to.ties:
        for way in tie["directions"]:
            joined = set(tie["nodes"])
            apart = []
            for nodes, theirs in groups:
                if theirs == way and nodes & joined:
                    joined |= nodes
                else:
                    apart.append((nodes, theirs))
            groups = [*apart, (joined, way)]
    to.ties = [
        {"nodes": sorted(nodes, key=list(to.nodes).index), "directions": [way]}
        for nodes, way in groups
    ]


def storey_stiffnesses(mass: Vector, stiffness: Vector, rows: Vector) -> tuple[float, Vector]:
    """Give T_1 and the k of (1); ``rows`` pick the displacements of the floors."""
    factor = np.linalg.inv(np.linalg.cholesky(mass))
    squares, shapes = np.linalg.eigh(factor @ stiffness @ factor.T)
    floors = rows @ factor.T @ shapes[:, 0]
    shear = squares[0] * MASS * np.cumsum(floors[::-1])[::-1]
    found: Vector = shear / np.diff(floors, prepend=0.0)  # (1)
    return float(2 * np.pi / squares[0] ** 0.5), found
