"""What every structure has: matrices, the rows that pick the interface, and an influence vector.

Damping is given in one of three ways, modes counted from 0 and those of the numerical part alone:

    C itself                                                                                  (1)
    C = M (sum_i 2 ζ_i ω_i φ_i φ_i') M,   φ_i' M φ_i = 1          a ratio for each mode          (2)
    C = a M + b K,   ζ_i = a/(2 ω_i) + b ω_i/2 for two modes i    Rayleigh                       (3)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from rths.description import describe
from rths.errors import InputError
from rths.loop.block import Block, Vector
from rths.quantity import DampingRatio, Index, MatrixOrFile, RealVector
from rths.registry import register

if TYPE_CHECKING:
    from rths.structure._reduction import Reduction

__all__ = ["DampedStructure", "Structure", "describe", "register"]

SYMMETRIC = ("mass", "damping", "stiffness")
"""Matrices that a finite-element program gives symmetric, up to round-off."""


@describe
class Structure:
    """Base of all numerical substructures."""

    role: ClassVar[str] = "structure"
    kind: ClassVar[str]
    example: ClassVar[Mapping[str, Any]]
    """Fields of a working member: what tests, benches and ``rths explain`` take."""

    def matrices(self) -> tuple[Vector, Vector, Vector]:
        """Give mass, damping and (initial) stiffness matrix."""
        raise NotImplementedError

    @cached_property
    def fixed_matrices(self) -> tuple[Vector, Vector, Vector]:
        """The same, found once for all tests that share this structure, and not to be changed."""
        M, C, K = (np.array(matrix) for matrix in self.matrices())
        for matrix in (M, C, K):
            matrix.flags.writeable = False
        return M, C, K

    def interface_rows(self) -> Vector:
        """Give L: interface displacements are L x, interface forces act as -L' f."""
        raise NotImplementedError

    def influence_vector(self) -> Vector:
        """Give the displacements of a unit motion of the ground."""
        return np.ones(self.interface_rows().shape[1])

    def restoring(self) -> Block | None:
        """Yield the block x -> r(x) of a nonlinear structure; None if r(x) = K x."""
        return None

    def reduction(self) -> Reduction | None:
        """Say what a reduction to fewer degrees of freedom has left out; None if there is none."""
        return None


@describe
class DampedStructure(Structure):
    """Base of structures whose damping is given by (1), (2) or (3)."""

    damping: MatrixOrFile | None = None
    """Damping matrix C, N s/m: numbers, or a file beside the plan as "fe.mat:C"."""
    damping_ratios: RealVector | None = None
    """Modal damping: the ratio of each mode from the lowest up, or one for all."""
    rayleigh: tuple[DampingRatio, DampingRatio] | None = None
    """Rayleigh damping: the ratios of two modes."""
    rayleigh_modes: tuple[Index, Index] = (0, 1)
    """Modes that have the ratios of ``rayleigh``, counted from 0."""

    def matrix(self, name: str) -> Vector:
        """Give a field as a matrix, from its file if it names one; symmetric ones as such."""
        given, field = getattr(self, name), f"structure.{name}"
        if not isinstance(given, str):
            return np.array(given)
        from rths.matrices.read import read_matrix
        from rths.matrices.symmetric import make_symmetric

        found = read_matrix(field, given)
        return make_symmetric(field, given, found) if name in SYMMETRIC else found.copy()

    def degrees_of_freedom(self, count: int) -> Sequence[int]:
        """Number the rows of the matrices as the plan does."""
        return range(count)

    def check(self, M: Vector, C: Vector, K: Vector) -> None:
        """Refuse matrices that do not fit, and say which file they come from."""
        try:
            check_matrices(M, C, K, self.degrees_of_freedom(len(M)))
        except InputError as error:
            given = getattr(self, error.field.partition(".")[2], None)
            value = given if isinstance(given, str) else error.value
            raise InputError(error.field, value, error.problem, error.remedy) from None

    def damping_matrix(self, M: Vector, K: Vector) -> Vector:
        """Give C by (1), (2) or (3); zero if none of them is given."""
        self.check_one_damping()
        self.check(M, np.zeros_like(M), K)
        if self.damping is not None:
            return self.matrix("damping")
        if self.damping_ratios is not None:
            return modal_damping(M, K, self.damping_ratios)
        if self.rayleigh is not None:
            return rayleigh_damping(M, K, self.rayleigh, self.rayleigh_modes)
        return np.zeros_like(M)

    def check_one_damping(self) -> None:
        """Refuse damping that is given in two ways."""
        names = ("damping", "damping_ratios", "rayleigh")
        given = [name for name in names if getattr(self, name) is not None]
        if len(given) > 1:
            raise InputError(
                f"structure.{given[1]}",
                getattr(self, given[1]),
                f"is given together with {given[0]}",
                "Give the damping in one way only.",
            )


def modes(M: Vector, K: Vector) -> tuple[Vector, Vector]:
    """Give the circular frequencies, rising, and the modes with unit modal mass as columns."""
    if not (np.allclose(M, M.T, 1e-9, 0.0) and np.allclose(K, K.T, 1e-9, 0.0)):
        raise InputError(
            "structure.stiffness",
            K.tolist(),
            "has no modes in the usual sense, as it or the mass is not symmetric",
            "Check the entries, or give the damping matrix itself.",
        )
    factor = np.linalg.inv(np.linalg.cholesky(M))
    square, shapes = np.linalg.eigh(factor @ K @ factor.T)
    return np.sqrt(np.maximum(square, 0.0)), factor.T @ shapes


def modal_damping(M: Vector, K: Vector, ratios: tuple[float, ...]) -> Vector:
    """Give C of (2)."""
    omega, phi = modes(M, K)
    if len(ratios) not in (1, omega.size):
        raise InputError(
            "structure.damping_ratios",
            ratios,
            f"has {len(ratios)} entries for {omega.size} mode(s)",
            f"Give one ratio, or {omega.size}.",
        )
    if not all(0 <= z < 1 for z in ratios):
        raise InputError("structure.damping_ratios", ratios, "is outside 0...1", "2 % is 0.02.")
    C: Vector = M @ (phi * (2 * np.array(ratios) * omega)) @ phi.T @ M  # (2)
    return C


def rayleigh_damping(
    M: Vector, K: Vector, ratios: tuple[float, float], pair: tuple[int, int]
) -> Vector:
    """Give C of (3)."""
    omega, _ = modes(M, K)
    a, b = rayleigh_factors(omega, ratios, pair)
    C: Vector = a * M + b * K
    return C


def rayleigh_factors(
    omega: Vector, ratios: tuple[float, float], pair: tuple[int, int]
) -> tuple[float, float]:
    """Give a and b of (3) for modes of given circular frequencies."""
    if max(pair) >= omega.size or pair[0] == pair[1]:
        raise InputError(
            "structure.rayleigh_modes",
            pair,
            f"must be two different ones of the {omega.size} mode(s)",
            "Modes count from 0; one mode alone takes damping_ratios.",
        )
    w = omega[list(pair)]
    if np.any(w <= 0) or w[0] == w[1]:
        raise InputError(
            "structure.rayleigh_modes",
            pair,
            f"have the circular frequencies {w[0]:g} and {w[1]:g} 1/s",
            "Choose two modes with different frequencies above 0.",
        )
    a, b = np.linalg.solve(np.column_stack([0.5 / w, 0.5 * w]), ratios)  # (3)
    all_ratios = 0.5 * a / np.maximum(omega, 1e-300) + 0.5 * b * omega
    worst = int(np.argmin(all_ratios))
    if all_ratios[worst] < -1e-12:
        raise InputError(
            "structure.rayleigh",
            ratios,
            f"drives mode {worst} with a ratio of {all_ratios[worst]:.3g}",
            "Choose ratios closer to each other, or modes further apart.",
        )
    return float(a), float(b)


def check_matrices(M: Vector, C: Vector, K: Vector, dofs: Sequence[int]) -> None:
    """Refuse matrices whose shapes do not fit, a singular or a negative mass."""
    n = M.shape[0]
    for name, matrix in (("mass", M), ("damping", C), ("stiffness", K)):
        if matrix.shape != (n, n):
            shape = "x".join(map(str, matrix.shape))
            raise InputError(
                f"structure.{name}",
                matrix.tolist(),
                f"is {shape} where {n}x{n} is needed",
                "Give square matrices of one size.",
            )
    weak = _find_massless(M)
    if weak is not None:
        raise InputError(
            "structure.mass",
            M.tolist(),
            f"is singular or negative at degree of freedom {dofs[weak]}, counted from 0",
            "Give every degree of freedom a mass, or condense the massless ones out.",
        )
    if np.any(np.diag(C) < -1e-12 * np.abs(C).max()):
        raise InputError(
            "structure.damping",
            C.tolist(),
            "has a negative diagonal entry, which would drive the structure",
            "Check the sign.",
        )


def _find_massless(M: Vector) -> int | None:
    """Find a degree of freedom that can move without kinetic energy; None if there is none."""
    masses = np.diag(M)
    if masses.min() > 1e-14 * masses.max() and not np.any(M - np.diag(masses)):
        return None
    eigenvalues, shapes = np.linalg.eigh(M / 2 + M.T / 2)  # a sum might overflow
    if eigenvalues[0] > 1e-14 * max(abs(eigenvalues[-1]), 1e-300):
        return None
    lowest = int(np.argmin(np.diag(M)))
    return lowest if M[lowest, lowest] <= 0 else int(np.argmax(np.abs(shapes[:, 0])))
