"""What the elements did in a test: its displacements once more through the block of the frame.

    d_k = u_k + d_g,   (q, v)_e of each element e at step k                                    (1)

A record has the displacements u of the structure. Forces and histories follow from them alone, so
nothing of the elements need be recorded. q are the basic forces, and v the deformations that they
work on: stretch and the rotations of both ends against the chord, of springs the differences of
the displacements along x, y and of the rotations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rths.frame.element.description import ZeroLength
from rths.frame.element.record import X
from rths.frame.frame import AssembledFrame
from rths.frame.gravity import bind_pass
from rths.loop.block import Vector

KEPT = 6000
"""Steps of each element that are kept: more than a picture shows."""


@dataclass(frozen=True, eq=False)
class Loops:
    """Forces q and deformations v (1) of one element, a row for each step that is kept."""

    forces: Vector
    deformations: Vector

    @property
    def work(self) -> Vector:
        """Work that each of the three forces has done from the first step to the last, J."""
        mean = (self.forces[1:] + self.forces[:-1]) / 2
        done: Vector = np.sum(mean * np.diff(self.deformations, axis=0), axis=0)
        return done


def nonlinear_elements(frame: AssembledFrame) -> list[str]:
    """Name the elements whose forces are no straight line over their deformations."""
    elements, parts = frame.model.elements, frame.model.parts
    return [n for n in frame.table.places if not elements[n].is_linear(parts)]


def replay(frame: AssembledFrame, rows: Vector, names: Sequence[str]) -> dict[str, Loops]:
    """Take the frame through displacements, a row for each step; give what elements did."""
    params, x = frame.table.params, frame.at_rest[1].copy()
    look = bind_pass(params, x, frame.size)
    places = np.array([frame.table.places[name] for name in names], np.int64)
    asked = (places[:, None] + [X.axial, X.first, X.second]).ravel()
    stride = max(1, len(rows) // KEPT)
    kept = [np.zeros(0)] * len(rows[::stride])
    for k, row in enumerate(rows):
        look(x, np.ascontiguousarray(row))
        if k % stride == 0:
            kept[k // stride] = x[asked]
    forces = np.array(kept).reshape(len(kept), len(names), 3)
    d = frame.node_motion(rows[::stride] + frame.at_rest[0])
    order = {node: k for k, node in enumerate(frame.model.nodes)}
    return {
        name: Loops(forces[:, k], _deformations(frame, name, d, order))
        for k, name in enumerate(names)
    }


def _deformations(frame: AssembledFrame, name: str, d: Vector, order: dict[str, int]) -> Vector:
    """Give v of (1), by (1) to (4) of geometry.py, for all steps at once."""
    element = frame.model.elements[name]
    first, second = (d[:, order[node]] for node in element.nodes)
    if isinstance(element, ZeroLength):
        return np.asarray(second - first)
    L, c, s = frame.model.axis(element)
    dx, dy = (second - first)[:, 0], (second - first)[:, 1]
    u, w = c * dx + s * dy, c * dy - s * dx
    stretch, turn = u, w / L
    if element.geometry == "corotational":
        now = np.hypot(L + u, w)
        stretch, turn = (2 * L * u + u**2 + w**2) / (now + L), np.arctan2(w, L + u)
    return np.column_stack([stretch, first[:, 2] - turn, second[:, 2] - turn])
