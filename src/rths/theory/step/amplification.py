"""From one time step to its amplification matrix, spectral radius and limit of stability.

    X_(i+1) = A X_i,   ρ(A) = max |eig A|,   stable: ρ ≤ 1                                     (1)
    λ = (1 + s)/(1 - s) maps the unit circle to the imaginary axis, for Routh's array          (2)

A step that is linear in its state is written once as a function; A is that function applied to
unit vectors.

[hughes1983] Analysis of transient algorithms, in: Computational Methods for Transient Analysis.
[wu2013], Appendix A; their (A.10) must read c_2 = a_0.
"""

from collections.abc import Callable
from itertools import pairwise

import numpy as np
from numpy.polynomial import polynomial as powers
from numpy.typing import ArrayLike

from rths.errors import InputError
from rths.theory.delay.equation import Reals

ROUND_OFF = 1e-12  # of the eigenvalues; growth slower than this per step counts as stable


def matrix_of(step: Callable[[Reals], ArrayLike], size: int) -> Reals:
    """A of a linear `step` that takes and gives a state of `size` numbers."""
    return np.array([step(unit) for unit in np.eye(size)], float).T


def spectral_radius(matrix: ArrayLike) -> float:
    """ρ(A)."""
    return float(np.abs(np.linalg.eigvals(np.asarray(matrix, float))).max())


def stable_ranges(
    matrix: Callable[[float], Reals], low: float, high: float, samples: int = 400
) -> list[tuple[float, float]]:
    """Intervals of Ω in [low, high] where ρ(A(Ω)) ≤ 1, their ends bisected to 1e-12."""
    if not 0 < low < high:
        raise InputError("low", low, f"must lie between 0 and high = {high}", "Give 0 < low < high")

    def is_stable(omega: float) -> bool:
        return spectral_radius(matrix(omega)) <= 1 + ROUND_OFF

    grid = np.linspace(low, high, samples + 1).tolist()
    edges = [low] if is_stable(low) else []
    for left, right in pairwise(grid):
        before = is_stable(left)
        if before == is_stable(right):
            continue
        while right - left > 1e-12 * right:
            middle = 0.5 * (left + right)
            left, right = (middle, right) if is_stable(middle) == before else (left, middle)
        edges.append(left if before else right)
    edges += [high] if is_stable(high) else []
    return list(zip(edges[::2], edges[1::2], strict=True))


def characteristic_polynomial(matrix: ArrayLike) -> Reals:
    """Coefficients of det(λI - A), highest power first (Faddeev-LeVerrier)."""
    a = np.asarray(matrix, float)
    size = a.shape[0]
    coefficients, product = [1.0], np.eye(size)
    for k in range(1, size + 1):
        image = a @ product
        coefficients.append(-np.trace(image) / k)
        product = image + coefficients[-1] * np.eye(size)
    return np.array(coefficients)


def half_plane_polynomial(coefficients: ArrayLike) -> Reals:
    """Σ a_k λᵏ under (2), multiplied by (1-s)ⁿ; both lists highest power first."""
    a = np.asarray(coefficients, float)[::-1]
    total = np.zeros(a.size)
    for k, value in enumerate(a):
        term = powers.polymul(powers.polypow([1, 1], k), powers.polypow([1, -1], a.size - 1 - k))
        total += value * term
    return total[::-1]


def routh_array(coefficients: ArrayLike) -> Reals:
    """Routh's array, a row per power; the polynomial is stable if its first column has one sign."""
    a = np.asarray(coefficients, float)
    rows = np.zeros((a.size, (a.size + 1) // 2))
    rows[0, : a[0::2].size], rows[1, : a[1::2].size] = a[0::2], a[1::2]
    for i in range(2, a.size):
        above, pivot = rows[i - 2], rows[i - 1]
        if pivot[0] == 0:
            problem = f"has a zero in row {i - 1} of the first column"
            raise InputError("coefficients", a.tolist(), problem, "Shift the parameter a little")
        rows[i, :-1] = (pivot[0] * above[1:] - above[0] * pivot[1:]) / pivot[0]
    return rows
