"""The roots of a large loop that lie furthest out, with the proof that none of them is missing.

    z <- z - 1/( p'/p(z) - Σ_j 1/(z - z_j) ),   z_j the roots found so far                      (1)
    roots outside of a circle = those of the plain part + turns of det S around it              (2)

Newton's steps (1) start from the points of the unit circle where a step is shorter than anywhere
around. The circle (2) is then drawn where the moduli of neighbouring roots leave a gap. As long as
it counts more roots than are known, (1) goes on with the known ones divided out, from beyond the
points where the argument of what is left turns back fastest. If the two numbers do not meet nothing is returned: whoever asks
then takes all eigenvalues.

[guettel2017] Acta Numerica 26, 1-94, sections 3 and 5.
"""

from __future__ import annotations

import numpy as np

from rths.loop.block import Vector
from rths.stability.pencil import Pencil
from rths.stability.winding import CircleSamples, angles_for, turns
from rths.theory.delay.equation import Complexes

WANTED, MOST = 16, 64
"""Fewest and most roots that are looked for: some more than anybody reads."""
STEPS = 30
"""Newton's steps, quadratic once they are near."""
CLOSE, EXACT = 1e-7, 1e-10
"""Distance of two results that are one root; length of a last step."""
STARTS = 64
"""Points beyond a circle from which missing roots are looked for."""
ROUNDS = 24
"""Searches for missing roots before it is given up."""


def outer_roots(pencil: Pencil) -> tuple[Complexes, float] | None:
    """Roots outside of a circle and its radius; None if their number could not be proved."""
    samples = CircleSamples(pencil.rate, 1.0, angles_for(pencil.poles, 1.0, pencil.longest))
    found = _distinct(_newton(pencil, _starts(samples), np.zeros(0, complex)))
    for _ in range(4):
        radius = _gap(found)
        complete = _complete(pencil, found[np.abs(found) > radius], radius)
        if complete is None:
            return None
        inner = found[np.abs(found) <= radius]
        found = np.concatenate([complete, inner])
        if complete.size >= min(WANTED, found.size) or not inner.size:
            return _mirror(complete), radius
    return _mirror(complete), radius


def _starts(samples: CircleSamples) -> Complexes:
    """Points whose Newton step is shorter than that of their neighbours."""
    step = 1 / np.abs(samples.values)
    padded = np.concatenate([[np.inf], step, [np.inf]])
    least = (step <= padded[:-2]) & (step <= padded[2:])
    return samples.z[least]


def _newton(pencil: Pencil, z: Complexes, known: Complexes) -> Complexes:
    """Take steps (1) from every start; keep those that came to rest in the upper half-plane."""
    z, last = z.copy(), np.full(z.size, np.inf)
    for _ in range(STEPS):
        go_on = (last > EXACT * np.abs(z)) & (np.abs(z) > 0.3) & (np.abs(z) < 1e3)
        if not go_on.any():
            break
        at = z[go_on]
        with np.errstate(all="ignore"):
            rate = pencil.rate(at) - (1 / (at[:, None] - known)).sum(axis=1)
            step = 1 / rate
        step = np.where(np.isfinite(step), step, 0.0)
        long = np.abs(step) > 0.2 * np.abs(at)
        step[long] *= 0.2 * np.abs(at[long]) / np.abs(step[long])
        z[go_on], last[go_on] = at - step, np.abs(step)
    rested = (last <= EXACT * np.abs(z)) & np.isfinite(z)
    z = z[rested]
    z = np.where(z.imag < 0, z.conj(), z)
    z[np.abs(z.imag) < 1e-9] = z[np.abs(z.imag) < 1e-9].real
    return z


def _distinct(z: Complexes) -> Complexes:
    """Keep one of those that are the same, largest first."""
    kept: list[complex] = []
    for value in z[np.lexsort((z.imag, -np.abs(z).round(9)))].tolist():
        if all(abs(value - other) > CLOSE for other in kept[-8:]):
            kept.append(value)
    return np.array(kept, complex)


def _gap(found: Complexes) -> float:
    """A radius between the moduli of neighbours, with neither too few nor too many outside."""
    moduli: Vector = np.sort(np.abs(found))[::-1]
    if moduli.size <= WANTED // 2:
        return float(0.98 * moduli.min(initial=1.0))
    some = moduli[WANTED // 2 : MOST // 2]
    ratio = some[1:] / some[:-1]
    if not ratio.size:
        return float(moduli[-1] * (1 - 1e-4))
    k = int(np.argmin(ratio))
    return float(np.sqrt(some[k] * some[k + 1])) if ratio[k] < 1 - 1e-9 else float(0.98 * some[-1])


def _complete(pencil: Pencil, found: Complexes, radius: float) -> Complexes | None:
    """Add what is missing outside of a circle by (2)."""
    angles = angles_for(pencil.poles, radius, pencil.longest)
    samples = CircleSamples(pencil.phase, radius, angles)
    around = turns(samples, lambda s: s.values)
    if not np.isfinite(around):
        return None
    count = pencil.count_outside(radius, around)
    for _ in range(ROUNDS):
        missing = count - _mirror(found).size
        if missing <= 0:
            return found if missing == 0 else None
        starts = _outer_starts(pencil, samples.z, _mirror(found))
        more = _distinct(_newton(pencil, starts, _mirror(found)))
        for value in more[np.abs(more) > radius]:
            if _mirror(np.append(found, value)).size <= count:
                found = np.append(found, value)
    return None


def _outer_starts(pencil: Pencil, z: Complexes, known: Complexes) -> Complexes:
    """Points beyond a circle where a root is to be expected.

    A root z_0 adds Re z/(z - z_0) to the rate at which the argument turns: below 0 if it lies
    outside, and -|z|/distance next to it.
    """
    turning = (z * (pencil.rate(z) - (1 / (z[:, None] - known)).sum(axis=1))).real
    padded = np.concatenate([[np.inf], turning, [np.inf]])
    least = (turning <= padded[:-2]) & (turning <= padded[2:])
    best = np.flatnonzero(least)
    best = best[np.argsort(turning[best])][:STARTS]
    away = 1 / np.maximum(-turning[best], 1.0)
    return np.concatenate([z[best] * (1 + share * away) for share in (0.0, 0.5, 1.0, 2.0)])


def _mirror(upper: Complexes) -> Complexes:
    """Add the other one of each pair."""
    return np.concatenate([upper, upper[upper.imag > 0].conj()])
