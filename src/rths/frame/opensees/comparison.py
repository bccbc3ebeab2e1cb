"""Is it the same frame? Mass and stiffness here beside those that OpenSees has assembled.

    max |M - M_O| / √(M_ii M_jj),   max |K - K_O| / √(K_ii K_jj)                                (1)

Both are of the frame at its start, before any load. They say that geometry, sections, masses, ties
and supports were understood; how materials yield is in their numbers alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rths.errors import InputError
from rths.frame.assembled_matrices import AssembledMatrices
from rths.frame.opensees.call import Facts
from rths.loop.block import Vector

SAME = 1e-8
"""Largest share by which matrices of one frame may differ: both programs sum in another order."""


@dataclass(frozen=True)
class Comparison:
    """The largest differences (1)."""

    mass: float
    stiffness: float


def compare(frame: AssembledMatrices, facts: Facts) -> Comparison | None:
    """Compare with the matrices of OpenSees; None if it has given none."""
    if "stiffness" not in facts:
        return None
    size = round(len(facts["stiffness"]) ** 0.5)
    order = np.full(size, -1)
    for node, equations in facts["equations"].items():
        for direction, equation in zip("xyr", equations, strict=False):
            place = frame.numbering.places[node, direction]
            if (equation >= 0) != (place < frame.full_size):
                raise _different(f"node {node}", "is held along " + direction + " in one of them")
            if equation >= 0:
                order[equation] = place
    if size != frame.full_size or sorted(order) != list(range(size)):
        raise _different("ties", f"leave {frame.full_size} degrees of freedom, {size} there")
    found = {}
    for name, own in (("mass", frame.full_mass), ("stiffness", frame.full_stiffness)):
        theirs = np.array(facts[name]).reshape(size, size)
        found[name] = _find_difference(frame, name, own[np.ix_(order, order)], theirs, order)
    return Comparison(**found)


def _find_difference(
    frame: AssembledMatrices, name: str, own: Vector, theirs: Vector, order: Vector
) -> float:
    """Give the difference (1); refuse one that is more than round-off."""
    scale = np.sqrt(np.maximum(np.abs(np.diag(own)), np.abs(np.diag(theirs))))
    scale[scale == 0.0] = max(float(scale.max()), 1.0)
    apart = np.abs(own - theirs) / np.outer(scale, scale)
    worst = int(apart.max(axis=1).argmax())
    if apart.max() > SAME:
        dof = frame.numbering.name(int(order[worst]))
        raise _different(dof, f"has another {name}, by {100 * apart.max():.3g} %")
    return float(apart.max())


def _different(field: str, problem: str) -> InputError:
    remedy = "The script does something that is not understood here; leave it out, or report it."
    return InputError(field, None, f"{problem}: this is not the frame of OpenSees", remedy)
