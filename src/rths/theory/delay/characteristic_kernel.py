"""Compiled evaluation of a characteristic matrix: its phase, its logarithmic slope, its bounds.

    f(λ) = det Δ(λ),   f'/f = tr(Δ⁻¹ Δ')                                                       (1)
    λ ← λ - 1 / (f'/f - Σ_k 1/(λ - λ_k))     Newton, known roots λ_k removed                   (2)

All functions take the monic coefficients Q[d, j, :, :] and delays of `delay.equation`.

[maehly1954] Z. Angew. Math. Phys. 5, 260-263; the step (2).
"""

import numpy as np

from rths.theory.compilation import compile_lazily
from rths.theory.delay.equation import Complexes, Reals


@compile_lazily
def fill(q: Reals, delays: Reals, s: complex, delta: Complexes, slope: Complexes) -> None:
    """Write Δ(s) and Δ'(s) into the two matrices."""
    degrees, terms, n = q.shape[0], q.shape[1], q.shape[2]
    delta[:, :] = 0.0
    slope[:, :] = 0.0
    for j in range(terms):
        late = np.exp(-s * delays[j]) if delays[j] > 0.0 else 1.0 + 0.0j
        power, lowered = late, 0.0j
        for d in range(degrees):
            rate = d * lowered - delays[j] * power
            for a in range(n):
                for b in range(n):
                    delta[a, b] += power * q[d, j, a, b]
                    slope[a, b] += rate * q[d, j, a, b]
            lowered, power = power, power * s


@compile_lazily
def phase_and_slope(
    q: Reals, delays: Reals, s: complex, delta: Complexes, slope: Complexes
) -> tuple[complex, complex]:
    """f/|f| and f'/f at s by Gauss-Jordan elimination with column pivots; (0, 0) if singular."""
    fill(q, delays, s, delta, slope)
    n, unit, trace = delta.shape[0], 1.0 + 0.0j, 0.0j
    for c in range(n):
        top = c
        for r in range(c + 1, n):
            if abs(delta[r, c]) > abs(delta[top, c]):
                top = r
        pivot = delta[top, c]
        if abs(pivot) == 0.0:
            return 0.0j, 0.0j
        if top != c:
            unit = -unit
            for k in range(n):
                delta[c, k], delta[top, k] = delta[top, k], delta[c, k]
                slope[c, k], slope[top, k] = slope[top, k], slope[c, k]
        unit *= pivot / abs(pivot)
        for k in range(n):
            delta[c, k] /= pivot
            slope[c, k] /= pivot
        for r in range(n):
            factor = delta[r, c]
            if r != c and factor != 0.0:
                for k in range(n):
                    delta[r, k] -= factor * delta[c, k]
                    slope[r, k] -= factor * slope[c, k]
    for c in range(n):
        trace += slope[c, c]
    return unit, trace


@compile_lazily
def newton(
    q: Reals, delays: Reals, start: complex, known: Complexes, steps: int, tolerance: float
) -> tuple[complex, bool]:
    """Iterate (2) from `start`; the root and whether the last step was below `tolerance`·|λ|."""
    n = q.shape[2]
    delta, slope = np.empty((n, n), np.complex128), np.empty((n, n), np.complex128)
    s = start
    for _ in range(steps):
        unit, rate = phase_and_slope(q, delays, s, delta, slope)
        if unit == 0.0:
            return s, True
        for k in range(known.size):
            if s == known[k]:
                return s, False
            rate -= 1.0 / (s - known[k])
        if not abs(rate) > 0.0:
            return s, False
        if abs(rate) > 1e290:  # f is zero but for round-off
            return s, True
        change = 1.0 / rate
        s -= change
        if abs(change) <= tolerance * abs(s):
            return s, True
    return s, False


@compile_lazily
def multiplicity(q: Reals, delays: Reals, root: complex) -> int:
    """How often f vanishes near `root`: (λ - root) f'/f a small way off it."""
    n = q.shape[2]
    delta, slope = np.empty((n, n), np.complex128), np.empty((n, n), np.complex128)
    away = 1e-4j * max(abs(root), 1e-300)
    _, rate = phase_and_slope(q, delays, root + away, delta, slope)
    return int(np.rint((away * rate).real))


@compile_lazily
def term_norms(q: Reals, delays: Reals, line: float) -> Reals:
    """Σ_j ‖Q_dj‖ exp(-line τ_j) for each d, the leading identity left out."""
    degrees, terms, n = q.shape[0], q.shape[1], q.shape[2]
    total = np.zeros(degrees)
    for d in range(degrees):
        for j in range(terms):
            if d == degrees - 1 and j == 0:
                continue
            rows, columns = 0.0, 0.0
            for a in range(n):
                row, column = 0.0, 0.0
                for b in range(n):
                    row += abs(q[d, j, a, b])
                    column += abs(q[d, j, b, a])
                rows, columns = max(rows, row), max(columns, column)
            total[d] += min(rows, columns) * np.exp(-line * delays[j])
    return total


@compile_lazily
def find_longest(delays: Reals) -> float:
    """The longest of the delays."""
    longest = 0.0
    for j in range(delays.size):
        longest = max(longest, delays[j])
    return longest


@compile_lazily
def radius(norms: Reals, level: float) -> float:
    """The r with ε(r) = level, equation (3) of `delay.equation`; infinite on a chain."""
    room = level - norms[-1]
    if not room > 0.0:
        return np.inf
    if norms.size == 2:
        return float(norms[0] / room)
    return float((norms[1] + np.sqrt(norms[1] ** 2 + 4.0 * room * norms[0])) / (2.0 * room))
