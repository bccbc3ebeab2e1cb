"""The rightmost root of the scalar equation on a grid: a stability chart in (τ, p) or (τ, q).

    λ² + 2ζλ + 1 + (p + qλ) exp(-λτ) = 0                                                       (1)

At each point Newton runs from the neighbour's root; the result stands only if no root lies right
of Re λ + 1e-10 (1 + |λ|) by the closed count N(σ) of `root_count`. Otherwise N is bisected
in σ, which needs no guess and cannot pass over a root, until Newton from its crossing frequencies
gives a root that stands.

[wallace2005], Figs 3 and 4; [londono2011], Fig 5.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rths.errors import InputError
from rths.theory.compilation import compile_lazily
from rths.theory.delay.equation import Complexes, Reals
from rths.theory.scalar.equation import ScalarEquation
from rths.theory.scalar.root_count import count_right_of, crossing_frequencies

_CLOSE = 1e-10
"""How far right of a root the count must be zero, relative; Newton leaves a thousandth of it."""


@dataclass(frozen=True)
class ScalarChart:
    """`roots[i, j]` and `unstable[i, j]` belong to `delays[i]` and `strengths[j]` (p or q)."""

    delays: Reals
    strengths: Reals
    roots: Complexes
    unstable: NDArray[np.int64]

    @property
    def stable(self) -> NDArray[np.bool_]:
        """Where no root lies right of the imaginary axis."""
        return np.equal(self.unstable, 0)


def rightmost_scalar_root(equation: ScalarEquation, delay: float) -> complex:
    """Rightmost root at one delay, upper one of a pair."""
    e = equation
    chart = np.empty((1, 1), np.complex128)
    count = np.empty((1, 1), np.int64)
    none = np.zeros(1)
    p, q = np.array([e.specimen_stiffness]), np.array([e.specimen_damping])
    _fill(_delays([delay]), p + none, q + none, e.damping_ratio, chart, count)
    return complex(chart[0, 0])


def spring_chart(damping_ratio: float, delays: ArrayLike, stiffnesses: ArrayLike) -> ScalarChart:
    """Chart of the delayed spring (q = 0) over τ and p."""
    p = _strengths(stiffnesses)
    return _chart(damping_ratio, _delays(delays), p, p, np.zeros_like(p))


def damper_chart(damping_ratio: float, delays: ArrayLike, dampings: ArrayLike) -> ScalarChart:
    """Chart of the delayed damper (p = 0) over τ and q."""
    q = _strengths(dampings)
    return _chart(damping_ratio, _delays(delays), q, np.zeros_like(q), q)


def _delays(values: ArrayLike) -> Reals:
    delays = np.atleast_1d(np.asarray(values, float))
    if not (np.isfinite(delays).all() and (delays >= 0).all()):
        raise InputError("delays", delays, "must be finite and not negative", "Use principal_root")
    return delays


def _strengths(values: ArrayLike) -> Reals:
    strengths = np.atleast_1d(np.asarray(values, float))
    if not (np.isfinite(strengths).all() and (strengths >= 0).all()):
        raise InputError(
            "strengths", strengths, "must be finite and not negative", "Check the sign"
        )
    return strengths


def _chart(zeta: float, tau: Reals, strengths: Reals, p: Reals, q: Reals) -> ScalarChart:
    ScalarEquation(zeta)
    roots = np.empty((tau.size, p.size), np.complex128)
    unstable = np.empty((tau.size, p.size), np.int64)
    _fill(tau, p, q, float(zeta), roots, unstable)
    return ScalarChart(tau, strengths, roots, unstable)


@compile_lazily
def _fill(
    tau: Reals, p: Reals, q: Reals, zeta: float, roots: Complexes, unstable: NDArray[np.int64]
) -> None:
    for i in range(tau.size):
        for j in range(p.size):
            guess = roots[i, j - 1] if j > 0 else (roots[i - 1, 0] if i > 0 else 0.0j)
            root, good = _newton(guess, zeta, p[j], q[j], tau[i])
            if not (good and _is_root(root, zeta, p[j], q[j], tau[i])):
                root = _search(zeta, p[j], q[j], tau[i])
            roots[i, j] = root
            unstable[i, j] = count_right_of(0.0, zeta, p[j], q[j], tau[i])


@compile_lazily
def _newton(start: complex, zeta: float, p: float, q: float, tau: float) -> tuple[complex, bool]:
    s = start
    for _ in range(12):
        late = np.exp(-s * tau)
        force = (p + q * s) * late
        slope = 2.0 * (s + zeta) + q * late - tau * force
        if not 0.0 < abs(slope) < 1e300:
            return s, False
        change = (s * s + 2.0 * zeta * s + 1.0 + force) / slope
        s -= change
        if abs(change) < 1e-13 * (1.0 + abs(s)):
            return complex(s.real, abs(s.imag)), True
    return s, False


@compile_lazily
def _is_root(s: complex, zeta: float, p: float, q: float, tau: float) -> bool:
    return count_right_of(s.real + _CLOSE * (1.0 + abs(s)), zeta, p, q, tau) == 0


@compile_lazily
def _search(zeta: float, p: float, q: float, tau: float) -> complex:
    # the undelayed root first; then N(high) = 0 < N(low), no root right of zero exceeding `high`
    half = complex(zeta + 0.5 * q, 0.0)
    root, good = _newton(-half + np.sqrt(half * half - 1.0 - p), zeta, p, q, tau)
    if good and _is_root(root, zeta, p, q, tau):
        return root
    high = 0.5 * (2.0 * zeta + q) + np.sqrt(0.25 * (2.0 * zeta + q) ** 2 + 1.0 + p) + 1e-3
    low = -0.25
    while count_right_of(low, zeta, p, q, tau) == 0 and low > -1e6:
        high, low = low, 2.0 * low
    best, least = complex(low, 0.0), np.inf
    for step in range(200):
        middle = 0.5 * (low + high)
        if count_right_of(middle, zeta, p, q, tau) == 0:
            high = middle
        else:
            low = middle
        if step % 4 == 3 or high - low < 1e-12:
            grow = np.exp(-low * tau)
            a, b = 2.0 * (zeta + low), 1.0 + low * (2.0 * zeta + low)
            w = crossing_frequencies(a, b, (p + q * low) * grow, q * grow)
            for start in (complex(low, w[0]), complex(low, w[1]), complex(low, 0.0)):
                root, good = _newton(start, zeta, p, q, tau)
                near = low - 1e-9 * (1.0 + abs(root)) <= root.real
                if good and near and _is_root(root, zeta, p, q, tau):
                    return root
                if high - low < 1e-12:  # a multiple root: bisection alone must do
                    force = (p + q * start) * np.exp(-start * tau)
                    left = abs(start * start + 2.0 * zeta * start + 1.0 + force)
                    if left <= least:
                        best, least = start, left
        if high - low < 4e-16 * (abs(low) + abs(high)) or high - low < 1e-16:
            break
    return best
