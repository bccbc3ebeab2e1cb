"""The roots of a large loop that lie furthest out, with the proof that none of them is missing.

    z_i <- z_i - 1/( p'/p(z_i) - Σ_j 1/(z_i - z_j) ),   z_j all others, found or sought          (1)
    roots outside of a circle = those of the plain part + turns of det S around it              (2)

The steps (1) of Ehrlich and Aberth are Newton's with the other roots divided out, so that no two
come to the same one. They start beside the largest modes of the plain part and from the points of a
circle where a step is shorter than anywhere around. The circle (2) is then drawn where the moduli
of neighbouring roots leave a gap. As long as it counts more roots than are known, (1) goes on from
beyond the points where the argument of what is left turns back fastest. If the two numbers do not
meet nothing is returned: whoever asks then takes all eigenvalues.

[aberth1973] Math. Comput. 27(122), 339-344; [guettel2017] Acta Numerica 26, 1-94, section 3.
"""

from __future__ import annotations

import numpy as np

from rths.loop.block import Vector
from rths.stability.pencil import Pencil
from rths.stability.winding import CircleSamples, angles_for, turns
from rths.theory.delay.equation import Complexes

WANTED, MOST = 16, 80
"""Fewest and most roots that are looked for: some more than anybody reads."""
STEPS = 40
"""Newton's steps, quadratic once they are near."""
CLOSE, EXACT = 1e-8, 1e-10
"""Distance of two results that are one root; length of a last step."""
POLES, POLE_OFFSET = 240, 1e-3
"""Poles beside which a root is looked for, and how far beside, as a share."""
PEAKS = 160
"""Points of a circle from which roots are looked for."""
STARTS = 64
"""Points beyond a circle from which missing roots are looked for."""
ROUNDS, FEW_ROUNDS, SOON = 24, 3, 800
"""Searches for missing roots before it is given up; of a loop with so many states that all of its
eigenvalues take less than a second, few."""
INNERMOST, OUTERMOST = 0.3, 1e6
"""Moduli between which (1) goes on. Further in a motion is gone within a few periods, and the zeros
of delay lines lie close together; further out a loop would be lost within one. A root that is given
up here is missing in (2), and then nothing is returned."""
STRIDE = 0.2
"""Longest step (1), as a share of the modulus: near a pole of p'/p it points anywhere. Steps that
long still lead a factor of 1.2^40 = 1500 outwards."""
BELOW_ALL = 0.98
"""Radius of a circle over the least modulus that is known, where there are too few for a gap: all
of them count, and none lies on the circle, where (2) cannot be counted."""
RAISE, RAISES = 1.3, 24
"""Factor on a circle with too many roots outside of it, and how often it is raised."""


def outer_roots(pencil: Pencil) -> tuple[Complexes, float] | None:
    """Roots outside of a circle and its radius; None if their number could not be proved."""
    circle, count = _count(pencil, 1.0)
    for _ in range(RAISES):
        if count is None or count <= MOST:
            break
        circle, count = _count(pencil, RAISE * circle.radius)
    found = _find(pencil, _starts(pencil, circle.z), np.zeros(0, complex))
    if count is None or count < WANTED:
        circle, count = _count(pencil, min(_gap(found), circle.radius))
    if count is None:
        return None
    complete = _complete(pencil, found, circle, count)
    return None if complete is None else (_mirror(complete), circle.radius)


def _count(pencil: Pencil, radius: float) -> tuple[CircleSamples, int | None]:
    """Roots outside of a circle, None if one lies on it, and the points that were needed."""
    angles = angles_for(pencil.poles, radius, pencil.longest)
    circle = CircleSamples(pencil.logarithm, radius, angles)
    around = turns(circle, lambda s: s.values)
    return circle, pencil.count_outside(radius, around) if np.isfinite(around) else None


def _starts(pencil: Pencil, z: Complexes) -> Complexes:
    """Points beside the largest poles, and those whose step is shorter than their neighbours'."""
    with np.errstate(all="ignore"):
        size = np.abs(pencil.rate(z))
    poles = pencil.poles[pencil.poles.imag >= 0]
    largest = poles[np.argsort(-np.abs(poles))][:POLES]
    beside = largest * (1 + POLE_OFFSET * np.exp(1j * np.arange(largest.size)))
    size = np.where(np.isfinite(size), size, np.inf)
    peaks = np.flatnonzero(_peaks(size))
    return np.concatenate([beside, z[peaks[np.argsort(-size[peaks])][:PEAKS]]])


def _peaks(height: Vector) -> Vector:
    """Tell which values are not below their neighbours."""
    padded = np.concatenate([[-np.inf], height, [-np.inf]])
    return np.asarray((height >= padded[:-2]) & (height >= padded[2:]))


def _find(pencil: Pencil, z: Complexes, known: Complexes) -> Complexes:
    """Take steps (1) from every start; give the known roots and the new ones, mirrored upwards."""
    z, last = z.copy(), np.full(z.size, np.inf)
    every = _mirror(known)
    for _ in range(STEPS):
        go_on = (last > EXACT * np.abs(z)) & (np.abs(z) > INNERMOST) & (np.abs(z) < OUTERMOST)
        if not go_on.any():
            break
        at = z[go_on]
        with np.errstate(all="ignore"):
            others = 1 / (at[:, None] - z)
            others[~np.isfinite(others)] = 0.0  # itself
            mirrored = 1 / (at[:, None] - z[z.imag > CLOSE].conj())
            away = others.sum(axis=1) + mirrored.sum(axis=1)
            step = 1 / (pencil.rate(at) - away - (1 / (at[:, None] - every)).sum(axis=1))
        step = np.where(np.isfinite(step), step, 0.0)
        long = np.abs(step) > STRIDE * np.abs(at)
        step[long] *= STRIDE * np.abs(at[long]) / np.abs(step[long])
        z[go_on], last[go_on] = at - step, np.abs(step)
    z = z[(last <= EXACT * np.abs(z)) & np.isfinite(z)]
    z = np.where(z.imag < 0, z.conj(), z)
    return np.concatenate([known, _keep_distinct(np.where(np.abs(z.imag) < CLOSE, z.real, z))])


def _keep_distinct(z: Complexes) -> Complexes:
    """Keep one of those that are the same."""
    kept = np.zeros(0, complex)
    for value in z:
        if np.abs(kept - value).min(initial=np.inf) > CLOSE * abs(value):
            kept = np.append(kept, value)
    return kept


def _gap(found: Complexes) -> float:
    """A radius between the moduli of neighbours, with neither too few nor too many outside."""
    moduli: Vector = np.sort(np.abs(found))[::-1]
    some = moduli[WANTED // 2 : MOST // 4]
    if some.size < 2:
        return float(BELOW_ALL * moduli.min(initial=1.0))
    k = int(np.argmin(some[1:] / some[:-1]))
    return float(np.sqrt(some[k] * some[k + 1]))


def _complete(
    pencil: Pencil, found: Complexes, circle: CircleSamples, count: int
) -> Complexes | None:
    """Add what is missing outside of a circle by (2)."""
    states = pencil.small.size + pencil.poles.size + pencil.longest
    for _ in range(ROUNDS if states > SOON else FEW_ROUNDS):
        outside = found[np.abs(found) > circle.radius]
        missing = count - _mirror(outside).size
        if missing <= 0:
            return outside if missing == 0 else None
        found = _find(pencil, _outer_starts(pencil, circle.z, _mirror(found)), found)
    return None


def _outer_starts(pencil: Pencil, z: Complexes, known: Complexes) -> Complexes:
    """Points beyond a circle where a root is to be expected.

    A root z_0 adds Re z/(z - z_0) to the rate at which the argument turns: below 0 if it lies
    outside, and -|z|/distance next to it.
    """
    with np.errstate(all="ignore"):
        turning = (z * (pencil.rate(z) - (1 / (z[:, None] - known)).sum(axis=1))).real
    turning = np.where(np.isfinite(turning), turning, np.inf)
    best = np.flatnonzero(_peaks(-turning))
    best = best[np.argsort(turning[best])][:STARTS]
    away = 1 / np.maximum(np.median(turning) - turning[best], 1.0)
    return np.asarray(z[best] * (1 + away))


def _mirror(upper: Complexes) -> Complexes:
    """Add the other one of each pair."""
    return np.concatenate([upper, upper[upper.imag > 0].conj()])
