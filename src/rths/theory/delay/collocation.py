"""Chebyshev collocation of the delay equation's generator: a matrix whose eigenvalues start Newton.

    x'(θ) = λ x(θ) at θ_1…θ_N,   θ_i = τ_max (cos(π i/N) - 1)/2                                (1)
    x'(0) = λ x(0) = v,   λ v = -Σ Q_dj x⁽ᵈ⁾(-τ_j)     (the equation itself at θ_0 = 0)        (2)

The history x(θ) is the polynomial through its N + 1 node values; delayed derivatives are
derivatives of it, so that only displacements need a history and the matrix has n (N + D) rows
instead of n D (N + 1). The eigenvalues nearest the origin converge faster than any power of N.

[breda2005] SIAM J. Sci. Comput. 27(2), 482-495. [trefethen2000] Spectral Methods in MATLAB,
chapter 6.
"""

import numpy as np

from rths.theory.compilation import compile_lazily
from rths.theory.delay.characteristic_kernel import find_longest
from rths.theory.delay.equation import Reals


@compile_lazily
def differentiation(nodes: int, span: float) -> tuple[Reals, Reals]:
    """Nodes θ_0…θ_N on [-span, 0] and the matrix that differentiates through them."""
    theta, d = np.empty(nodes + 1), np.zeros((nodes + 1, nodes + 1))
    for i in range(nodes + 1):
        theta[i] = span * (np.cos(np.pi * i / nodes) - 1.0) / 2.0
    for i in range(nodes + 1):
        for k in range(nodes + 1):
            if i != k:
                ends = (2.0 if i in (0, nodes) else 1.0) / (2.0 if k in (0, nodes) else 1.0)
                sign = 1.0 if (i + k) % 2 == 0 else -1.0
                d[i, k] = ends * sign / (theta[i] - theta[k])
                d[i, i] -= d[i, k]
    return theta, d


@compile_lazily
def interpolation_row(theta: Reals, at: float) -> Reals:
    """Weights that give the polynomial's value at `at` (barycentric form)."""
    row, total = np.zeros(theta.size), 0.0
    for i in range(theta.size):
        if abs(theta[i] - at) < 1e-15 * abs(theta[-1]):
            row = np.zeros(theta.size)
            row[i] = 1.0
            return row
        half = 0.5 if i in (0, theta.size - 1) else 1.0
        row[i] = half * (1.0 if i % 2 == 0 else -1.0) / (at - theta[i])
        total += row[i]
    for i in range(theta.size):
        row[i] /= total
    return row


@compile_lazily
def differentiate(row: Reals, d: Reals) -> Reals:
    """Weights that give the derivative of what `row` gives: row d."""
    made = np.zeros(row.size)
    for i in range(row.size):
        for k in range(row.size):
            made[k] += row[i] * d[i, k]
    return made


@compile_lazily
def generator(q: Reals, delays: Reals, nodes: int) -> Reals:
    """The matrix of (1), (2); unknowns x(θ_0)…x(θ_N), then v if the equation is of second order."""
    degree, terms, n = q.shape[0] - 1, q.shape[1], q.shape[2]
    theta, d = differentiation(nodes, find_longest(delays))
    history = n * (nodes + 1)
    matrix = np.zeros((history + n * (degree - 1), history + n * (degree - 1)))
    for i in range(1, nodes + 1):
        for k in range(nodes + 1):
            for a in range(n):
                matrix[n * i + a, n * k + a] = d[i, k]
    equation = 0
    if degree == 2:
        equation = history
        for a in range(n):
            matrix[a, history + a] = 1.0
            for b in range(n):
                matrix[history + a, history + b] = -q[1, 0, a, b]
    for a in range(n):
        for b in range(n):
            matrix[equation + a, b] -= q[0, 0, a, b]
    for j in range(1, terms):
        row = interpolation_row(theta, -delays[j])
        for p in range(degree + 1):
            for k in range(nodes + 1):
                for a in range(n):
                    for b in range(n):
                        matrix[equation + a, n * k + b] -= row[k] * q[p, j, a, b]
            if p < degree:
                row = differentiate(row, d)
    return matrix


@compile_lazily
def companion(q: Reals) -> Reals:
    """The same without delays: the matrix of the ordinary differential equation."""
    degree, n = q.shape[0] - 1, q.shape[2]
    matrix = np.zeros((n * degree, n * degree))
    for a in range(n):
        if degree == 2:
            matrix[a, n + a] = 1.0
        for p in range(degree):
            for b in range(n):
                matrix[n * (degree - 1) + a, n * p + b] = -q[p, 0, a, b]
    return matrix
