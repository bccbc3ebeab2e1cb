"""Springs between two nodes at one place: along x, along y, and against rotation.

    F_i = f_i(d_i),   d = displacement of the second node less that of the first                (1)

Use it for hinges, panel zones, supports that give, isolators and stops.
"""

from __future__ import annotations

from rths.frame.element.record import E, X
from rths.frame.material.law import follow
from rths.loop.block import Vector
from rths.loop.fields import fields, many

Z = fields(
    direction="0 along x, 1 along y, 2 rotation",
    code="number of the law",
    states="numbers of its history",
    parameters="how many parameters the law has",
    rest=many("the parameters"),
)


def stretch_zero_length(of: Vector, x: Vector, d: Vector, r: Vector) -> None:
    """Find the forces (1) and add them to those of the nodes."""
    at, own = E.rest + 1, X.rest
    for _ in range(int(of[E.rest])):  # how many springs there are
        way, code = int(of[at + Z.direction]), int(of[at + Z.code])
        states, parameters = int(of[at + Z.states]), int(of[at + Z.parameters])
        law, history = of[at + Z.rest :][:parameters], x[own : own + states]
        first, second = int(of[E.x_1 + way]), int(of[E.x_2 + way])
        force = follow(code, law, history, history, d[second] - d[first])[0]  # (1)
        x[X.axial + way] = force
        r[first] -= force
        r[second] += force
        at += Z.rest + parameters
        own += states
