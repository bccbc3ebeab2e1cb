"""The response of a cross section, from an elastic part and fibres.

    e_i = e - y_i κ                                                                           (1)
    N = EA e + Σ s_i A_i,   M = EI κ - Σ y_i s_i A_i                                            (2)
    k = [ EA + Σ k_i A_i    -Σ y_i k_i A_i ;   .    EI + Σ y_i² k_i A_i ]                       (3)

e is the strain of the axis y = 0, κ the curvature; s_i and k_i are stress and tangent of fibre i.
Fibres of one material stand together, so that its parameters are read once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from rths.frame.material.base import Material
from rths.frame.material.law import follow
from rths.loop.block import Vector
from rths.loop.fields import fields, many

S = fields(
    axial="EA of the elastic part, N",
    bending="EI of the elastic part, N m²",
    groups="how many materials follow",
    rest=many("groups, each with the places of G"),
)
G = fields(
    code="number of the law",
    states="numbers of a fibre's history",
    parameters="how many parameters the law has",
    fibres="how many fibres there are",
    law=many("parameters of the law"),
    section=many("FIBRE of each"),
)
FIBRE = fields(height="y, m", area="A, m²")
Response = tuple[float, float, float, float, float]
"""N, M, then k_11, k_12 and k_22 of (3)."""


def respond(p: Vector, x: Vector, z: Vector, e: float, kappa: float) -> Response:
    """Take strain and curvature; histories are read from x and written to z."""
    N, M = p[S.axial] * e, p[S.bending] * kappa
    k11, k12, k22 = p[S.axial], 0.0, p[S.bending]
    at, state = S.rest, 0
    for _ in range(int(p[S.groups])):
        code, states = int(p[at + G.code]), int(p[at + G.states])
        own, fibres = int(p[at + G.parameters]), int(p[at + G.fibres])
        law = p[at + G.law : at + G.law + own]
        at += G.law + own
        for _ in range(fibres):
            y, area = p[at + FIBRE.height], p[at + FIBRE.area]
            old, new = x[state : state + states], z[state : state + states]
            s, k = follow(code, law, old, new, e - y * kappa)  # (1)
            s, k = s * area, k * area
            N += s  # (2)
            M -= y * s
            k11 += k  # (3)
            k12 -= y * k
            k22 += y * y * k
            at += len(FIBRE)
            state += states
    return N, M, k11, k12, k22


def pack_section(
    elastic: tuple[float, float],
    fibres: Sequence[tuple[float, float, str]],
    laws: Mapping[str, Material],
) -> tuple[Vector, Vector]:
    """Lay out p and the first x of a section: EA and EI, and fibres (y, A, name of material)."""
    names = list(dict.fromkeys(name for _, _, name in fibres))
    header = S.pack(axial=elastic[0], bending=elastic[1], groups=len(names), rest=())
    parts, states = [header], [np.zeros(0)]
    for name in names:
        law, own = laws[name], [(y, A) for y, A, of in fibres if of == name]
        given = law.parameters()
        parts.append(
            G.pack(
                code=law.code,
                states=law.states,
                parameters=given.size,
                fibres=len(own),
                law=given,
                section=own,
            )
        )
        states.append(np.tile(law.start(), len(own)))
    return np.concatenate(parts), np.concatenate(states)


def initial_stiffness(
    elastic: tuple[float, float],
    fibres: Sequence[tuple[float, float, str]],
    laws: Mapping[str, Material],
) -> Vector:
    """Give k of (3) for fibres that were never strained."""
    k: Vector = np.diag(np.array(elastic, float))
    for y, A, name in fibres:
        row = np.array([1.0, -y])
        k = k + laws[name].initial_tangent * A * np.outer(row, row)
    return k
