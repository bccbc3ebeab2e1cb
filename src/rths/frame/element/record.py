"""The row of an element in the table that the kernel walks through.

A row says where the element takes its displacements from and puts its forces to, which law it has,
and what that law needs; the states of the elements stand in the same order behind one another, and
those of each begin with its basic forces, so that whoever draws or records them finds them.
"""

from __future__ import annotations

from rths.loop.fields import fields, many

E = fields(
    kind="number of the kind",
    size="numbers of this row",
    states="numbers of its states",
    x_1="place of the displacement along x of the first node",
    y_1="along y",
    r_1="of the rotation",
    x_2="along x of the second node",
    y_2="along y",
    r_2="of the rotation",
    geometry="0 linear, 1 P-Delta, 2 corotational",
    length="L, m",
    cosine="of the angle from x to the axis",
    sine="of that angle",
    rest=many("what the kind needs"),
)
X = fields(
    axial="q_1, N",
    first="q_2, N m, of a spring the force along y",
    second="q_3, N m",
    rest=many("what the kind needs"),
)
ELASTIC_BEAM, DISPLACEMENT_BEAM, FORCE_BEAM, ZERO_LENGTH, TRUSS, LINEAR_PART = range(6)
"""Numbers of the kinds."""
