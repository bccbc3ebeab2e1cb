"""A bar that carries axial force only.

    N = A s(e),   e = v_1/L                                                                   (1)

Use it for braces, ties and cables; a gap in compression makes a cable.
"""

from __future__ import annotations

from rths.frame.element.record import E, X
from rths.frame.material.law import follow
from rths.loop.block import Vector
from rths.loop.fields import fields, many

T = fields(area="A, m²", code="number of the law", rest=many("its parameters"))


def stretch_truss(of: Vector, x: Vector, v_1: float) -> None:
    """Find the axial force (1)."""
    code, law = int(of[E.rest + T.code]), of[E.rest + T.rest : of.size]
    history = x[X.rest : x.size]
    found = follow(code, law, history, history, v_1 / of[E.length])
    x[X.axial] = of[E.rest + T.area] * found[0]
    x[X.first] = x[X.second] = 0.0
