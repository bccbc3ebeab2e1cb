"""A fibre beam-column with assumed displacements.

    e = v_1/L,   κ(ξ) = ((6ξ - 4) v_2 + (6ξ - 2) v_3)/L                                          (1)
    q_1 = Σ w N,   q_2 = Σ w (6ξ - 4) M,   q_3 = Σ w (6ξ - 2) M                                  (2)

ξ and w are the points and weights of an integration over 0...1. The strain of the axis is constant
and the curvature linear: several elements to a member follow a plastic hinge, one does not.

Use it where nothing may iterate; its forces are exact for the displacements it is given.
"""

from __future__ import annotations

from rths.frame.element.record import E, X
from rths.frame.section.response import respond
from rths.loop.block import Vector
from rths.loop.fields import fields, many

B = fields(
    section="place of the section in p",
    size="numbers of the section",
    states="numbers of the histories of a section",
    points="how many points there are",
    rest=many("ξ and w of each point"),
)


def bend_displacement_beam(
    p: Vector, of: Vector, x: Vector, v_1: float, v_2: float, v_3: float
) -> None:
    """Find the basic forces (2)."""
    at = int(of[E.rest + B.section])
    section = p[at : at + int(of[E.rest + B.size])]
    states, L = int(of[E.rest + B.states]), of[E.length]
    place, own = E.rest + B.rest, X.rest
    q_1, q_2, q_3 = 0.0, 0.0, 0.0
    for _ in range(int(of[E.rest + B.points])):
        xi, w = of[place], of[place + 1]
        a, b = 6.0 * xi - 4.0, 6.0 * xi - 2.0
        history = x[own : own + states]
        found = respond(section, history, history, v_1 / L, (a * v_2 + b * v_3) / L)  # (1)
        q_1 += w * found[0]  # (2)
        q_2 += w * a * found[1]
        q_3 += w * b * found[1]
        place += 2
        own += states
    x[X.axial], x[X.first], x[X.second] = q_1, q_2, q_3
