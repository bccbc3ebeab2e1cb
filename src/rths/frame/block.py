"""The frame as one block: displacements in, restoring forces out, one pass over the elements.

    d = u + d_g,   r(u) = Σ_e A_e' f_e(A_e d) - r_g                                             (1)

u are the displacements from the state of rest under gravity loads, d_g those of that state, and r_g
its restoring forces, so that r(0) = 0. A_e picks the displacements of element e; degrees of freedom
that are tied share a place, those that are held have one behind all others. The histories of all
fibres and springs are states: a step takes time in proportion to their number, and no memory.
"""

from __future__ import annotations

from rths.frame.element.displacement_beam import bend_displacement_beam
from rths.frame.element.elastic_beam import bend_elastic_beam
from rths.frame.element.force_beam import bend_force_beam
from rths.frame.element.linear_part import stretch_linear_part
from rths.frame.element.record import (
    DISPLACEMENT_BEAM,
    FORCE_BEAM,
    LINEAR_PART,
    TRUSS,
    ZERO_LENGTH,
    E,
    X,
)
from rths.frame.element.truss import stretch_truss
from rths.frame.element.zero_length import stretch_zero_length
from rths.frame.geometry import deform, put_forces
from rths.loop.block import Vector, kernel
from rths.loop.fields import fields, many, vectors

P = fields(
    elements="how many elements there are",
    table="place of the first row of the table",
    rest=many("REST of the degrees of freedom"),
    sections=many("sections, then rows of the elements"),
)
REST = vectors(displacement="d_g", force="r_g")
FARTHEST = 1e5
"""Displacement, m or rad, that no test survives: beyond it the test stops with code 1."""


@kernel
def restore(x: Vector, p: Vector, u: Vector, y: Vector) -> int:
    # x = d and the place of what is held, r likewise, states of the elements
    n = y.size
    d, r = x[: n + 1], x[n + 1 : 2 * n + 2]
    for i in range(n):
        if not -FARTHEST <= u[i] <= FARTHEST:
            return 1
        d[i] = u[i] + p[P.rest + REST.displacement * n + i]  # (1)
        r[i] = 0.0
    d[n], r[n] = 0.0, 0.0
    at, own = int(p[P.table]), 2 * n + 2
    for _ in range(int(p[P.elements])):
        size, states = int(p[at + E.size]), int(p[at + E.states])
        resist(p, p[at : at + size], x[own : own + states], d, r)
        at += size
        own += states
    for i in range(n):
        y[i] = r[i] - p[P.rest + REST.force * n + i]
    return 0


def resist(p: Vector, of: Vector, x: Vector, d: Vector, r: Vector) -> None:
    """Find the forces of one element and add them to those of its nodes."""
    kind = int(of[E.kind])
    if kind == ZERO_LENGTH:
        stretch_zero_length(of, x, d, r)
        return
    if kind == LINEAR_PART:
        stretch_linear_part(of, d, r)
        return
    chord = deform(of, d)
    if kind == DISPLACEMENT_BEAM:
        bend_displacement_beam(p, of, x, chord[0], chord[1], chord[2])
    elif kind == FORCE_BEAM:
        bend_force_beam(p, of, x, chord[0], chord[1], chord[2])
    elif kind == TRUSS:
        stretch_truss(of, x, chord[0])
    else:
        bend_elastic_beam(of, x, chord[0], chord[1], chord[2])
    put_forces(of, r, chord, x[X.axial], x[X.first], x[X.second])
