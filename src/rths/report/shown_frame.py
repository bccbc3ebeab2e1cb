"""A frame as pictures show it: its parts, where the specimens are, and how it moved if it did."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rths.frame.frame import AssembledFrame
from rths.frame.numbering import find_row
from rths.loop.block import Vector
from rths.report.shown_run import ShownRun
from rths.structure.base import modes
from rths.structure.frame import Frame
from rths.structure.reduced_frame import ReducedFrame

DISPLACEMENT = "structure.displacement"
"""Signal with the displacements of the structure."""
ONE_LEVEL = 1e-3
"""Difference of heights, over that of the frame, of nodes on one floor."""
LEVEL_SLOPE = 0.5
"""Largest slope of what counts as a beam."""


@dataclass(frozen=True, eq=False)
class ShownFrame:
    """One frame of a report."""

    label: str
    frame: AssembledFrame
    interface: tuple[str, ...] = ()
    """Where the specimens are, as the plan says it."""
    rows: Vector | None = None
    """Displacements of the structure, a row for each step; None if they were not recorded."""
    time: Vector | None = None

    @property
    def is_moved(self) -> bool:
        """Whether it is known how it moved."""
        return self.rows is not None and len(self.rows) > 2

    @property
    def specimens(self) -> list[tuple[list[str], str]]:
        """Nodes between which each specimen is, one or two, and its direction at the first.

        The ground is not named.
        """
        words = [[word.rpartition(".") for _, word in find_row(text)] for text in self.interface]
        return [([node for node, _, _ in some[:2]], some[0][2]) for some in words]

    @cached_property
    def places(self) -> Vector:
        """Places of the nodes."""
        return np.array(list(self.frame.model.nodes.values()))

    @cached_property
    def modes(self) -> tuple[Vector, Vector]:
        """Circular frequencies under the gravity loads, 1/s, rising, and the modes as columns."""
        return modes(self.frame.reduce(self.frame.full_mass), self.frame.loaded_stiffness)

    @cached_property
    def motion(self) -> Vector:
        """Motion of the nodes: x, y and rotation, for each step."""
        assert self.rows is not None
        return self.frame.node_motion(self.rows)

    @cached_property
    def peak(self) -> int:
        """The step in which a node is furthest from rest."""
        return int(np.hypot(self.motion[..., 0], self.motion[..., 1]).max(axis=1).argmax())

    @cached_property
    def floors(self) -> list[tuple[float, list[int]]]:
        """Heights of the ground and of all floors, and the nodes of each that move with it."""
        model, order = self.frame.model, {n: k for k, n in enumerate(self.frame.model.nodes)}
        joints = {n for n, ways in model.supports.items() if "x" in ways}
        for element in model.elements.values():
            (x_1, y_1), (x_2, y_2) = (model.nodes[n] for n in element.nodes)
            if abs(y_2 - y_1) < LEVEL_SLOPE * abs(x_2 - x_1):
                joints |= set(element.nodes)
        joints |= {n for nodes, ways in model.ties if "x" in ways for n in nodes}
        height = float(np.ptp(self.places[:, 1])) or 1.0
        found: list[tuple[float, list[int]]] = []
        for node in sorted(joints, key=lambda n: (model.nodes[n][1], order[n])):
            y = model.nodes[node][1]
            if not found or y - found[-1][0] > ONE_LEVEL * height:
                found.append((y, []))
            found[-1][1].append(order[node])
        return found

    @property
    def drifts(self) -> Vector:
        """Drift of each storey over its height, a row for each step."""
        level = np.column_stack([self.motion[:, at, 0].mean(axis=1) for _, at in self.floors])
        heights = np.diff([y for y, _ in self.floors])
        found: Vector = np.diff(level, axis=1) / heights
        return found


def frames_of(runs: Sequence[ShownRun]) -> list[ShownFrame]:
    """Give the frames of those runs that have one, moved where the record says how."""
    found = []
    for run in runs:
        structure = None if run.test is None else run.test.structure
        if not isinstance(structure, Frame | ReducedFrame):
            continue
        rows = time = None
        if DISPLACEMENT in run.record:
            rows, time = run.record[DISPLACEMENT], run.record.time(DISPLACEMENT)
            whole = np.isfinite(rows).all(axis=1)
            rows, time = rows[whole], time[whole]
            if isinstance(structure, ReducedFrame):
                rows = rows @ structure.basis.T
        found.append(ShownFrame(run.label, structure.assembled, structure.interface, rows, time))
    return found


def distinct(frames: Sequence[ShownFrame]) -> list[ShownFrame]:
    """Leave out frames that another one shows already."""
    found: list[ShownFrame] = []
    for one in frames:
        same = (one.frame.model == f.frame.model and one.interface == f.interface for f in found)
        if not any(same):
            found.append(one)
    return found
