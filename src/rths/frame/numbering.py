"""Which degree of freedom has which place: held ones none, tied ones one for all.

x, y and rotation of each node in the order of the file, less what is held or tied            (1)
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from rths.errors import InputError
from rths.frame.model import DIRECTIONS, Dof, Model

MOST = 5000
"""Degrees of freedom up to which a frame is put together: a step of so many takes milliseconds, and
matrices of more do not fit into the memory of a desktop."""
NEXT_TERM = re.compile(rf"(?<=\.[{DIRECTIONS}])\s*(?=[+-])")
"""Where a sum of degrees of freedom goes on: a sign behind a direction. Names may have signs."""


@dataclass(frozen=True)
class Numbering:
    """Places of the degrees of freedom; those that are held have the place ``size``."""

    places: dict[Dof, int]
    size: int

    @classmethod
    def of(cls, model: Model) -> Numbering:
        """Number the degrees of freedom by (1)."""
        leader = _leaders(model)
        places: dict[Dof, int] = {}
        held = {(n, d) for n, directions in model.supports.items() for d in directions}
        count = 0
        for node in model.nodes:
            for direction in DIRECTIONS:
                dof = (node, direction)
                if dof not in held and dof not in leader:
                    places[dof] = count
                    count += 1
        if count > MOST:
            problem = f"have {count} degrees of freedom, more than {MOST}"
            remedy = "Leave out what does not matter to the test, or join elements to longer ones."
            raise InputError("nodes", None, problem, remedy)
        for dof, first in leader.items():
            places[dof] = places[first]
        for dof in held:
            places[dof] = count
        return cls(places, count)

    def of_node(self, node: str) -> list[int]:
        """Give the places of a node's three degrees of freedom."""
        return [self.places[node, d] for d in DIRECTIONS]

    def name(self, place: int) -> str:
        """Name the first degree of freedom at a place, as in ``roof.x``."""
        node, direction = next(dof for dof, at in self.places.items() if at == place)
        return f"{node}.{direction}"


def _leaders(model: Model) -> dict[Dof, Dof]:
    """Find for each tied degree of freedom the one whose place it shares."""
    leader: dict[Dof, Dof] = {}
    seen: dict[Dof, int] = {}
    for k, (nodes, directions) in enumerate(model.ties):
        for direction in directions:
            for node in nodes:
                dof = (node, direction)
                if dof in seen:
                    raise InputError(
                        f"ties[{k}].nodes",
                        node,
                        f"is tied along {direction} by ties[{seen[dof]}] already",
                        "Name all nodes that move alike in one tie.",
                    )
                if direction in model.supports.get(node, ""):
                    raise InputError(
                        f"ties[{k}].nodes",
                        node,
                        f"is held along {direction} by its support",
                        "Hold the other nodes too, or take this one out of the tie.",
                    )
                seen[dof] = k
            for node in nodes[1:]:
                leader[node, direction] = (nodes[0], direction)
    return leader


def find_row(text: str) -> list[tuple[float, str]]:
    """Take ``"3.x - 2.x"`` apart into signs and degrees of freedom."""
    found = []
    for term in NEXT_TERM.split(text.strip()):
        signed = term.startswith(("+", "-"))
        found.append((-1.0 if term.startswith("-") else 1.0, term[signed:].strip()))
    return found
