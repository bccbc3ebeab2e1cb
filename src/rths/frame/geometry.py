"""From the displacements of two nodes to the deformations of the element between them, and back.

    u = c Δx + s Δy,   w = -s Δx + c Δy                    second node less first  (1)
    linear, P-Delta    v_1 = u,   ψ = w/L,   l = L                                            (2)
    corotational       l = |(L + u, w)|,   v_1 = l - L,   ψ = angle of (L + u, w)               (3)
    v_2 = θ_1 - ψ,   v_3 = θ_2 - ψ                                                            (4)
    forces on the second node along the axis N, across it -(q_2 + q_3)/l + N ψ_Δ                (5)

N = q_1. In (5) the axis is the one at the start, and ψ_Δ = w/L with P-Delta, 0 without; or it is
the axis of now for corotational geometry, and ψ_Δ = 0. The first node has the opposite forces; q_2
and q_3 are the moments at the ends.

Linear geometry knows no effect of the axial force; P-Delta that of the chord's rotation, for small
rotations; corotational geometry is exact for any rotation of elements that bend little.

[crisfield1991] for (3).
"""

from __future__ import annotations

from math import atan2, sqrt

from rths.frame.element.record import E
from rths.loop.block import Vector

LINEAR, P_DELTA, COROTATIONAL = range(3)
Chord = tuple[float, float, float, float, float, float, float]
"""v_1, v_2, v_3, cosine and sine of the axis in (5), l, ψ_Δ."""


def deform(of: Vector, d: Vector) -> Chord:
    """Find the deformations of an element and its axis."""
    x_1, y_1, x_2, y_2 = int(of[E.x_1]), int(of[E.y_1]), int(of[E.x_2]), int(of[E.y_2])
    theta_1, theta_2 = d[int(of[E.r_1])], d[int(of[E.r_2])]
    L, c, s = of[E.length], of[E.cosine], of[E.sine]
    dx, dy = d[x_2] - d[x_1], d[y_2] - d[y_1]
    u, w = c * dx + s * dy, c * dy - s * dx  # (1)
    geometry = int(of[E.geometry])
    if geometry != COROTATIONAL:
        psi = w / L
        lean = psi if geometry == P_DELTA else 0.0
        return u, theta_1 - psi, theta_2 - psi, c, s, L, lean  # (2), (4)
    along = L + u
    now = sqrt(along * along + w * w)
    stretch = (2.0 * L * u + u * u + w * w) / (now + L)  # (3), without the difference l - L
    psi = atan2(w, along)
    c_now, s_now = (c * along - s * w) / now, (s * along + c * w) / now
    return stretch, theta_1 - psi, theta_2 - psi, c_now, s_now, now, 0.0


def put_forces(of: Vector, r: Vector, chord: Chord, q_1: float, q_2: float, q_3: float) -> None:
    """Add the forces (5) of an element to those of its nodes."""
    c, s, now, lean = chord[3], chord[4], chord[5], chord[6]
    across = q_1 * lean - (q_2 + q_3) / now
    fx, fy = c * q_1 - s * across, s * q_1 + c * across  # (5)
    r[int(of[E.x_1])] -= fx
    r[int(of[E.y_1])] -= fy
    r[int(of[E.r_1])] += q_2
    r[int(of[E.x_2])] += fx
    r[int(of[E.y_2])] += fy
    r[int(of[E.r_2])] += q_3
