"""A fit with instruments, a guess and a bound on the gain, as `bounded_inverse` makes it.

    (S + Q + P + ν R Λ) Δ = b - Q (w_0 - e_0) - P w_0,   w = w_0 + θ Δ                         (1)
    |sum_i w_i q^i(jω)| <= γ,   0 <= θ <= 1 as large as this allows                            (2)

Along Δ the square of the gain is a parabola in θ at each frequency: the largest θ is a root.
"""

from __future__ import annotations

from math import sqrt

from rths.loop.block import Vector

Given = tuple[Vector, Vector, Vector]
"""w_0, then Λ and Π by rows."""


def gather(S: Vector, z: Vector, phi: Vector, forgetting: float) -> None:
    """Add the products of a sample to a sum that forgets, kept by rows."""
    m = phi.size
    for i in range(z.size):
        for j in range(m):
            S[i * m + j] = forgetting * S[i * m + j] + z[i] * phi[j]


def state_equations(
    A: Vector, S: Vector, Q: Vector, b: Vector, given: Given, weight: float, price: float
) -> None:
    """Write (1) into A; weight = ν R, price = ρ S_11, P = price Π."""
    guess, Lambda, Pi = given
    m = b.size
    for i in range(m):
        right = b[i]
        for j in range(m):
            k = i * m + j
            steep = price * Pi[k]
            A[i * (m + 1) + j] = S[k] + Q[k] + weight * Lambda[k] + steep
            right -= Q[k] * (guess[j] - 1.0 if j == 0 else guess[j]) + steep * guess[j]
        A[i * (m + 1) + m] = right


def highest_gain(A: Vector, guess: Vector, bound: Vector) -> float:
    """Give the largest |C|²/γ² of w_0 + Δ; Δ is the last column of A, bound as below."""
    m, highest = guess.size, 0.0
    for k in range(bound.size // (2 * m)):
        a, b = 0.0, 0.0
        for i in range(m):
            w = guess[i] + A[i * (m + 1) + m]
            a += bound[2 * k * m + i] * w
            b += bound[(2 * k + 1) * m + i] * w
        highest = max(highest, a * a + b * b)
    return highest


def solve(A: Vector, m: int) -> bool:
    """Solve m rows of m + 1 by elimination into the last column; False if a pivot is not positive.

    S is nearly symmetric and positive while the motion follows the target: no rows are exchanged.
    """
    n = m + 1
    for k in range(m):
        if not A[k * n + k] > 0.0:
            return False
        for i in range(k + 1, m):
            f = A[i * n + k] / A[k * n + k]
            for j in range(k, n):
                A[i * n + j] -= f * A[k * n + j]
    for k in range(m - 1, -1, -1):
        s = A[k * n + m]
        for j in range(k + 1, m):
            s -= A[k * n + j] * A[j * n + m]
        A[k * n + m] = s / A[k * n + k]
    return True


def allowed_share(A: Vector, guess: Vector, bound: Vector) -> float:
    """Give how far w may go from w_0 by (2); the change is the last column of A.

    bound holds q^i/γ of (2), for each frequency a row of real and one of imaginary parts.
    """
    m, share = guess.size, 1.0
    for k in range(bound.size // (2 * m)):
        a, b, c, d = 0.0, 0.0, 0.0, 0.0  # gain (a, b) of the guess, (c, d) of the change
        for i in range(m):
            change = A[i * (m + 1) + m]
            a += bound[2 * k * m + i] * guess[i]
            b += bound[(2 * k + 1) * m + i] * guess[i]
            c += bound[2 * k * m + i] * change
            d += bound[(2 * k + 1) * m + i] * change
        slope, square, left = a * c + b * d, c * c + d * d, 1.0 - a * a - b * b
        if square + 2.0 * slope > left:
            share = min(share, left / (slope + sqrt(slope * slope + square * left)))
    return share


def plausible_share(A: Vector, guess: Vector, longest: float) -> float:
    """Give how far w may go from w_0 while 0 <= w_1/w_0 <= longest: a delay that was told of."""
    m, share = guess.size, 1.0
    over, more = guess[1] - longest * guess[0], A[2 * m + 1] - longest * A[m]
    if over + more > 0.0 and more > 0.0:
        share = max(-over, 0.0) / more
    if guess[1] + share * A[2 * m + 1] < 0.0:
        share = -guess[1] / A[2 * m + 1]
    return share
