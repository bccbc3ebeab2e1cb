"""A linear delay equation of n degrees of freedom with several discrete delays.

    Σ_d Σ_j Q_dj x⁽ᵈ⁾(t - τ_j) = 0,   d = 0…D,   j = 0…m,   τ_0 = 0                            (1)
    Δ(λ) = Σ_d Σ_j λᵈ exp(-λ τ_j) Q_dj,   det Δ(λ) = 0 at a characteristic root                (2)

A structure with delayed forces has D = 2 and Q_20, Q_10, Q_00 = M, C, K; the first-order form has
D = 1. Without delayed accelerations the equation is retarded: to the right of any line Re λ = σ
there are finitely many roots, all of them inside the circle |λ| = R with ε(R) = 1, where

    ε(r) = Σ' ‖Q_D0⁻¹ Q_dj‖ exp(-σ τ_j) r^(d-D)     (every term but d = D, j = 0)              (3)

With delayed accelerations (neutral) the same holds for lines right of the chains of roots, where
the terms d = D alone sum to less than one. Any consistent units; delays in seconds if the
matrices are SI.

[hale1993] Introduction to Functional Differential Equations, chapters 1, 7 and 9.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rths.errors import InputError

Reals = NDArray[np.float64]
Complexes = NDArray[np.complex128]


@dataclass(frozen=True)
class DelayedTerm:
    """The force A x + B x' + D x'' that arrives `delay` late; what is not given is zero."""

    delay: float
    stiffness: ArrayLike | None = None
    damping: ArrayLike | None = None
    mass: ArrayLike | None = None


@dataclass(frozen=True, eq=False)
class DelayEquation:
    """Equation (1); build it with `second_order` or `first_order`."""

    coefficients: Reals  # Q[d, j]: derivative d at t - delays[j], an n by n matrix each
    delays: Reals  # delays[0] = 0
    monic: Reals = field(init=False, repr=False)  # Q_D0⁻¹ Q

    def __post_init__(self) -> None:
        q, tau = self.coefficients, self.delays
        if not np.isfinite(q).all():
            raise InputError(
                "matrices", "not finite", "hold NaN or infinity", "Give finite numbers"
            )
        if not (np.isfinite(tau).all() and (tau >= 0).all()):
            raise InputError(
                "delay",
                tau[1:].tolist(),
                "must be finite and not negative (a negative delay makes the equation advanced)",
                "Reduce the prediction, or use principal_root",
            )
        leading, size = q[-1, 0], q.shape[-1]
        if np.linalg.matrix_rank(leading) < size:
            name = "mass" if q.shape[0] == 3 else "leading matrix"
            raise InputError(name, leading.tolist(), "is singular", "Condense massless coordinates")
        flat = q.transpose(2, 0, 1, 3).reshape(size, -1)
        monic = np.linalg.solve(leading, flat).reshape(size, *q.shape[:2], size)
        object.__setattr__(self, "monic", np.ascontiguousarray(monic.transpose(1, 2, 0, 3)))

    @property
    def size(self) -> int:
        """Degrees of freedom n."""
        return int(self.coefficients.shape[-1])

    def characteristic(self, root: complex) -> Complexes:
        """Δ(λ), equation (2)."""
        powers = root ** np.arange(self.coefficients.shape[0])
        weights = powers[:, None] * np.exp(-root * self.delays)
        return np.asarray(np.einsum("dj,djkl->kl", weights, self.coefficients))


def second_order(
    mass: ArrayLike,
    damping: ArrayLike,
    stiffness: ArrayLike,
    delayed: Sequence[DelayedTerm] = (),
) -> DelayEquation:
    """M x'' + C x' + K x + Σ_j (A_j x + B_j x' + D_j x'')(t - τ_j) = 0; a scalar is 1 by 1."""
    size = np.atleast_2d(np.asarray(mass, float)).shape[0]
    columns = [[_matrix(n, v, size) for n, v in _named_matrices(stiffness, damping, mass)]]
    columns += [
        [
            _matrix(f"delayed {n}", v, size)
            for n, v in _named_matrices(t.stiffness, t.damping, t.mass)
        ]
        for t in delayed
    ]
    return _assemble(columns, [t.delay for t in delayed])


def first_order(
    state_matrix: ArrayLike, delayed: Sequence[tuple[float, ArrayLike]] = ()
) -> DelayEquation:
    """y' = A_0 y + Σ_j A_j y(t - τ_j), given as pairs (τ_j, A_j)."""
    size = np.atleast_2d(np.asarray(state_matrix, float)).shape[0]
    columns = [[-_matrix("state matrix", state_matrix, size), np.eye(size)]]
    for _, matrix in delayed:
        columns.append([-_matrix("delayed matrix", matrix, size), np.zeros((size, size))])
    return _assemble(columns, [delay for delay, _ in delayed])


def _named_matrices(
    stiffness: ArrayLike | None, damping: ArrayLike | None, mass: ArrayLike | None
) -> tuple[tuple[str, ArrayLike | None], ...]:
    return ("stiffness", stiffness), ("damping", damping), ("mass", mass)


def _matrix(name: str, value: ArrayLike | None, size: int) -> Reals:
    if value is None:
        return np.zeros((size, size))
    matrix = np.atleast_2d(np.asarray(value, float))
    if matrix.shape != (size, size):
        problem = f"is {matrix.shape[0]} by {matrix.shape[-1]} where {size} by {size} is needed"
        raise InputError(name, matrix.tolist(), problem, "Give square matrices of one size")
    return matrix


def _assemble(columns: Sequence[Sequence[Reals]], delays: Sequence[float]) -> DelayEquation:
    now = [np.array(m) for m in columns[0]]
    late: dict[float, list[Reals]] = {}
    for delay, column in zip(delays, columns[1:], strict=True):
        target = now if delay == 0 else late.setdefault(float(delay), [0 * m for m in now])
        for degree, matrix in enumerate(column):
            target[degree] = target[degree] + matrix
    stacked = np.array([now, *late.values()]).transpose(1, 0, 2, 3)
    return DelayEquation(np.ascontiguousarray(stacked), np.array([0.0, *late]))
