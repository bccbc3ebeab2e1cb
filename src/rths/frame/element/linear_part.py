"""Elastic elements whose inner nodes have no mass, as one: their stiffness condensed to the rest.

    r = K d,   K = K_kk - K_ki K_ii^-1 K_ik                                                    (1)

k are the degrees of freedom that are kept, i those without mass, which follow at once.

[guyan1965].
"""

from __future__ import annotations

from rths.frame.element.record import E
from rths.loop.block import Vector


def stretch_linear_part(of: Vector, d: Vector, r: Vector) -> None:
    """Add the forces (1) to those of the nodes."""
    count = int(of[E.rest])  # then the places, then K by columns
    at = E.rest + 1 + count
    for j in range(count):
        moved = d[int(of[E.rest + 1 + j])]
        for i in range(count):
            r[int(of[E.rest + 1 + i])] += of[at] * moved  # (1)
            at += 1
