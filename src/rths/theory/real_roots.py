"""All real roots of a polynomial in an interval, none missed however small or close.

    p(x) = Σ_i b_i C(d,i) s^i (1-s)^(d-i),   x = low + s (high - low)                          (1)

In this (Bernstein) form p has at most as many roots inside as the b_i change sign, none if they do
not and one if they do once. An interval with more changes is halved until it is as short as
rounding allows; it then stands for roots that rounding cannot part.

[krandick2006] J. Symb. Comput. 41(1), 49-66.
"""

from collections.abc import Sequence
from math import comb

import numpy as np

from rths.theory.delay.equation import Reals

_RESOLUTION = 4 * float(np.finfo(float).eps)  # relative width at which halving ends


def real_roots(coefficients: Sequence[float], high: float) -> list[float]:
    """Roots in [0, `high`] of Σ c_k x^k, rising; small ones have as many digits as large ones."""
    found: set[float] = set()
    waiting = [(0.0, high, _bernstein(np.asarray(coefficients, float), high))]
    while waiting:
        low, high, b = waiting.pop()
        if b[0] == 0.0:
            found.add(low)
        if b[-1] == 0.0:
            found.add(high)
        signs = np.sign(b[b != 0.0])
        changes = int((signs[1:] != signs[:-1]).sum())
        if changes == 0:
            continue
        middle = 0.5 * (low + high)
        if high - low <= _RESOLUTION * high or not low < middle < high:
            found.add(middle)
            continue
        left, right = _halves(b)
        before = signs[0] * np.sign(left[-1]) <= 0
        if changes > 1 or not before:
            waiting.append((middle, high, right))
        if changes > 1 or before:
            waiting.append((low, middle, left))
    return sorted(found)


def _bernstein(c: Reals, high: float) -> Reals:
    # b_i = Σ_k C(i,k)/C(d,k) c_k high^k
    d = c.size - 1
    return np.array(
        [sum(comb(i, k) / comb(d, k) * c[k] * high**k for k in range(i + 1)) for i in range(d + 1)]
    )


def _halves(b: Reals) -> tuple[Reals, Reals]:
    # de Casteljau at one half: averages only, so that the left end keeps its relative accuracy
    left, right = np.empty_like(b), np.empty_like(b)
    for i in range(b.size):
        left[i], right[-1 - i] = b[0], b[-1]
        b = 0.5 * (b[1:] + b[:-1])
    return left, right
