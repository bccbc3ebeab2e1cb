"""A fibre beam-column with exact forces along it, and a bounded number of iterations in each step.

    s(ξ) = b(ξ) q = (q_1,  (ξ - 1) q_2 + ξ q_3)                                                  (1)
    once      q += k (v - v_last)                                                             (2)
    m times   at each point   d += f (b q - s_R),   (s_R, f^-1) from the section at d            (3)
              F = Σ w L b' f b,   v_R = Σ w L b' (d + f (b q - s_R)),   q += F^-1 (v - v_R)      (4)

d = (e, κ) and s_R = (N, M) are strains and forces of a section. What (3) leaves of b q - s_R after
the last iteration is kept, and taken up by the next step, so that the most work of a step is known
beforehand and the error does not grow: it falls with the size of the steps. Where (3) leaves no
more than round-off the element is done before. Histories are taken for good after the last
iteration only. A section that has lost nearly all stiffness takes part with a millionth of its
first one, which changes the way to the solution, not the solution.

Use it for columns and beams with one element to a member.

[spacone1996], and [neuenhofer1997] for (2) to (4).
"""

from __future__ import annotations

from rths.frame.element.record import E, X
from rths.frame.section.response import respond
from rths.loop.block import Vector
from rths.loop.fields import fields, many

F = fields(
    section="place of the section in p",
    size="numbers of the section",
    states="numbers of the histories of a section",
    points="how many points there are",
    iterations="m",
    k_11="first stiffness of the section, N",
    k_12="N m",
    k_22="N m²",
    rest=many("ξ and w of each point"),
)
Y = fields(
    v_1="v_last, m",
    v_2="rad",
    v_3="rad",
    k_11="k, as the upper triangle",
    k_12="",
    k_13="",
    k_22="",
    k_23="",
    k_33="",
    rest=many("for each point those of D, then histories, then the same for trials"),
)
D = fields(e="strain", kappa="κ, 1/m", N="N of s_R", M="M of s_R, N m", f_11="f", f_12="", f_22="")
POINT = len(D)
FLOOR = 1e-6
"""Share of the first stiffness that a section keeps in (4)."""

CLOSED = 1e-13
"""Share of its forces that a section may miss by round-off: some hundred fibres, each exact to
2.2e-16, add up to 2e-14. Forces have 1 N and 1 N m added, so that a section at rest is closed."""


def bend_force_beam(p: Vector, of: Vector, x: Vector, v_1: float, v_2: float, v_3: float) -> None:
    """Find the basic forces by (2) to (4)."""
    y = x[X.rest : x.size]
    take_up(x, y, v_1 - y[Y.v_1], v_2 - y[Y.v_2], v_3 - y[Y.v_3])  # (2)
    if v_1 != y[Y.v_1] or v_2 != y[Y.v_2] or v_3 != y[Y.v_3] or is_open(of, x, y):
        points, states = int(of[E.rest + F.points]), int(of[E.rest + F.states])
        for _ in range(int(of[E.rest + F.iterations])):
            iterate(p, of, x, y, v_1, v_2, v_3)
            if not is_open(of, x, y):  # as after the first, while all fibres are elastic
                break
        first = Y.rest + points * POINT
        for i in range(points * states):
            y[first + i] = y[first + points * states + i]
    y[Y.v_1], y[Y.v_2], y[Y.v_3] = v_1, v_2, v_3


def take_up(x: Vector, y: Vector, d_1: float, d_2: float, d_3: float) -> None:
    """Add k times deformations to the basic forces."""
    x[X.axial] += y[Y.k_11] * d_1 + y[Y.k_12] * d_2 + y[Y.k_13] * d_3
    x[X.first] += y[Y.k_12] * d_1 + y[Y.k_22] * d_2 + y[Y.k_23] * d_3
    x[X.second] += y[Y.k_13] * d_1 + y[Y.k_23] * d_2 + y[Y.k_33] * d_3


def is_open(of: Vector, x: Vector, y: Vector) -> bool:
    """Tell whether the sections still miss the forces by more than round-off."""
    at, place = Y.rest, E.rest + F.rest
    L, closed = of[E.length], CLOSED * (abs(x[X.axial]) + 1.0)
    bent = CLOSED * (abs(x[X.first]) + abs(x[X.second]) + abs(x[X.axial]) * L + 1.0)
    for _ in range(int(of[E.rest + F.points])):
        xi = of[place]
        M = (xi - 1.0) * x[X.first] + xi * x[X.second]
        if abs(x[X.axial] - y[at + D.N]) > closed or abs(M - y[at + D.M]) > bent:
            return True
        at += POINT
        place += 2
    return False


def iterate(
    p: Vector, of: Vector, x: Vector, y: Vector, v_1: float, v_2: float, v_3: float
) -> None:
    """Take one iteration (3), (4)."""
    points, states = int(of[E.rest + F.points]), int(of[E.rest + F.states])
    place, L = E.rest + F.rest, of[E.length]
    g11, g12, g13, g22, g23, g33 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    m_1, m_2, m_3 = v_1, v_2, v_3
    for i in range(points):
        xi, w = of[place], of[place + 1] * L
        a, b = xi - 1.0, xi
        own = y[Y.rest + i * POINT : Y.rest + (i + 1) * POINT]
        first = Y.rest + points * POINT + i * states
        old, trial = y[first : first + states], y[first + points * states :][:states]
        N, M = x[X.axial], a * x[X.first] + b * x[X.second]  # (1)
        bend_section(p, of, own, old, trial, N, M)
        f11, f12, f22 = own[D.f_11], own[D.f_12], own[D.f_22]
        dN, dM = N - own[D.N], M - own[D.M]
        e = own[D.e] + f11 * dN + f12 * dM
        kappa = own[D.kappa] + f12 * dN + f22 * dM
        m_1 -= w * e  # (4)
        m_2 -= w * a * kappa
        m_3 -= w * b * kappa
        g11 += w * f11
        g12 += w * a * f12
        g13 += w * b * f12
        g22 += w * a * a * f22
        g23 += w * a * b * f22
        g33 += w * b * b * f22
        place += 2
    invert(y, g11, g12, g13, g22, g23, g33)
    take_up(x, y, m_1, m_2, m_3)


def bend_section(
    p: Vector, of: Vector, own: Vector, old: Vector, trial: Vector, N: float, M: float
) -> None:
    """Bring one section nearer to the forces N and M: (3)."""
    at = int(of[E.rest + F.section])
    section = p[at : at + int(of[E.rest + F.size])]
    dN, dM = N - own[D.N], M - own[D.M]
    own[D.e] += own[D.f_11] * dN + own[D.f_12] * dM
    own[D.kappa] += own[D.f_12] * dN + own[D.f_22] * dM
    own[D.N], own[D.M], k11, k12, k22 = respond(section, old, trial, own[D.e], own[D.kappa])
    i11, i12, i22 = of[E.rest + F.k_11], of[E.rest + F.k_12], of[E.rest + F.k_22]
    det = k11 * k22 - k12 * k12
    if not det > FLOOR * FLOOR * (i11 * i22 - i12 * i12) or k11 < 0.0:
        k11, k12, k22 = max(k11, 0.0) + FLOOR * i11, FLOOR * i12, max(k22, 0.0) + FLOOR * i22
        det = k11 * k22 - k12 * k12
    own[D.f_11], own[D.f_12], own[D.f_22] = k22 / det, -k12 / det, k11 / det


def invert(y: Vector, a: float, b: float, c: float, d: float, e: float, f: float) -> None:
    """Put the inverse of the symmetric flexibility [a b c; . d e; . . f] into k."""
    k11, k12, k13 = d * f - e * e, c * e - b * f, b * e - c * d
    det = a * k11 + b * k12 + c * k13
    y[Y.k_11], y[Y.k_12], y[Y.k_13] = k11 / det, k12 / det, k13 / det
    y[Y.k_22], y[Y.k_23] = (a * f - c * c) / det, (b * c - a * e) / det
    y[Y.k_33] = (a * d - b * b) / det
