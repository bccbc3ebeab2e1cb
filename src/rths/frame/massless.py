"""Degrees of freedom without mass: they follow the others at once, if what holds them is linear.

    x = T x_k,   T = [ I ; -K_ii^-1 K_ik ]                                                     (1)

The linear elements that touch them become linear parts, one for each connected group, with the
stiffness T' K T of that group. One at a nonlinear element would have to be solved for in each step;
it is refused, since a little mass there costs nothing.

[guyan1965].
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rths.errors import InputError
from rths.frame.model import Model
from rths.frame.numbering import Numbering
from rths.loop.block import Vector


@dataclass(frozen=True, eq=False)
class Condensation:
    """T of (1), where the kept ones stand, and the linear parts."""

    T: Vector
    kept: NDArray[np.intp]
    joined: list[tuple[list[int], Vector]] = field(default_factory=list)
    left_out: set[str] = field(default_factory=set)


def condense(
    model: Model, numbering: Numbering, K: Vector, M: Vector, stiffness: Callable[[str], Vector]
) -> Condensation:
    """Take the massless degrees of freedom out; ``stiffness`` is that of an element's nodes."""
    n = numbering.size
    bare = np.flatnonzero(np.diag(M)[:n] <= 0.0)
    kept = np.setdiff1d(np.arange(n), bare)
    if kept.size == 0:
        raise InputError("masses", None, "are all 0", "Give masses to nodes or elements, in kg.")
    if bare.size == 0:
        return Condensation(np.eye(n), kept)
    touched = _linear_neighbours(model, numbering, set(map(int, bare)))
    T = np.zeros((n, kept.size))
    T[kept] = np.eye(kept.size)
    T[bare] = -np.linalg.solve(K[np.ix_(bare, bare)], K[np.ix_(bare, kept)])  # (1)
    new = {int(old): place for place, old in enumerate(kept)}
    joined = []
    for names in _groups(model, numbering, touched, set(map(int, bare))):
        each = {name: _dofs(model, numbering, name) for name in names}
        own = sorted({d for dofs in each.values() for d in dofs if d < n})
        whole = np.zeros((len(own) + 1, len(own) + 1))  # what is held comes last
        for name, dofs in each.items():
            at = [own.index(d) if d < n else len(own) for d in dofs]
            np.add.at(whole, (np.repeat(at, 6), np.tile(at, 6)), stiffness(name).ravel())
        places = [new[d] for d in own if d in new]
        small = T[np.ix_(own, places)]
        joined.append((places, small.T @ whole[:-1, :-1] @ small))
    return Condensation(T, kept, joined, set(touched))


def _dofs(model: Model, numbering: Numbering, name: str) -> list[int]:
    return [p for node in model.elements[name].nodes for p in numbering.of_node(node)]


def _linear_neighbours(model: Model, numbering: Numbering, bare: set[int]) -> list[str]:
    """Name the elements at massless degrees of freedom; refuse one that is not linear."""
    found = []
    for name, element in model.elements.items():
        at = bare.intersection(_dofs(model, numbering, name))
        if not at:
            continue
        if not element.is_linear(model.parts):
            dof = numbering.name(min(at))
            node, _, direction = dof.rpartition(".")
            unit = "kg m²" if direction == "r" else "kg"
            raise InputError(
                f"masses.{node}",
                None,
                f"has none along {direction}, where element {name} ({element.kind}, "
                f"{element.geometry}) is not linear",
                f"Give {dof} a small mass ({unit}), or the elements there a consistent one.",
            )
        found.append(name)
    return found


def _groups(
    model: Model, numbering: Numbering, names: list[str], bare: set[int]
) -> list[list[str]]:
    """Part elements into groups that share a massless degree of freedom."""
    groups: list[tuple[set[int], list[str]]] = []
    for name in names:
        dofs, members = bare.intersection(_dofs(model, numbering, name)), [name]
        apart = []
        for others, theirs in groups:
            if others & dofs:
                dofs, members = dofs | others, theirs + members
            else:
                apart.append((others, theirs))
        groups = [*apart, (dofs, members)]
    return [members for _, members in groups]
