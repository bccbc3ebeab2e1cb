"""Static condensation: a large model reduced to the degrees of freedom that matter.

    x = T x_k,   T = [ I ; -K_rr^-1 K_rk ]                                                     (1)
    M_c = T' M T,   C_c = T' C T,   K_c = T' K T,   L_c = L T                                  (2)
    M_c i_c = T' M i                                                                          (3)

k are the degrees of freedom that are kept, r those that are removed: they follow without inertia.
Exact in statics, and exact altogether if those removed have neither mass nor damping; otherwise
each frequency comes out too high, the low ones least. (3) keeps the load of a ground acceleration.
Specimens may be attached to removed degrees of freedom. Modal and Rayleigh damping are those of
the condensed structure. With a motion of the support remove only degrees of freedom without mass.
``rths run`` and ``rths certify`` tell what the reduction leaves out.

Use it for rotations and other degrees of freedom without mass, and for models too large to run.

[guyan1965] AIAA J. 3(2), 380.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from rths.errors import InputError
from rths.loop.block import Vector
from rths.quantity import Hertz, Index
from rths.structure._reduction import (
    Reduction,
    component_basis,
    held_modes,
    judge_reduction,
    project_matrix,
)
from rths.structure.base import describe, register
from rths.structure.linear import Linear


@register
@describe
class Condensed(Linear):
    """Matrices, interface and influence of the full model; ``keep`` says what is left of it."""

    cites: ClassVar[tuple[str, ...]] = ("guyan1965",)
    example = {
        "mass": [[2.2, 0.0, 0.0], [0.0, 1.5, 0.0], [0.0, 0.0, 1.0]],
        "stiffness": [[3750.0, -1500.0, 0.0], [-1500.0, 2500.0, -1000.0], [0.0, -1000.0, 1000.0]],
        "damping_ratios": 0.05,
        "keep": [0, 2],
    }

    keep: tuple[Index, ...]
    """Degrees of freedom to keep, from 0, in the order wanted."""
    up_to: Hertz | None = None
    """Frequency up to which the error of the reduction is told; half of the first that is left out
    if not given."""

    def __post_init__(self) -> None:
        """Check that everything fits."""
        n = self.size
        kept = set(self.keep)
        if not kept or len(kept) != len(self.keep) or max(kept) >= n:
            raise InputError(
                "structure.keep",
                self.keep,
                f"must name some of the {n} degrees of freedom, each once",
                f"Use indices from 0 to {n - 1}.",
            )
        for name in ("mass", "stiffness", "damping"):
            given = getattr(self, name)
            if given is not None and self.matrix(name).shape != (n, n):
                raise InputError(
                    f"structure.{name}", given, f"must be {n}x{n}", "Give square matrices."
                )
        Linear.__post_init__(self)

    def degrees_of_freedom(self, count: int) -> Sequence[int]:
        """Number the rows of the condensed matrices as the full model does."""
        return self.keep if count == len(self.keep) else range(count)

    def transformation(self) -> Vector:
        """Give T of (1)."""
        return component_basis(self.matrix("mass"), self.matrix("stiffness"), self.keep)

    def matrices(self) -> tuple[Vector, Vector, Vector]:
        """Give the condensed M, C, K."""
        T = self.transformation()
        M, K = (project_matrix(T, self.matrix(name)) for name in ("mass", "stiffness"))  # (2)
        C = self.damping_matrix(M, K)
        return M, C if self.damping is None else project_matrix(T, C), K

    def interface_rows(self) -> Vector:
        """Give L of the condensed structure."""
        rows: Vector = Linear.interface_rows(self) @ self.transformation()
        return rows

    def influence_vector(self) -> Vector:
        """Give i_c of (3)."""
        T, M = self.transformation(), self.matrix("mass")
        i = np.linalg.solve(T.T @ M @ T, T.T @ M @ Linear.influence_vector(self))
        return np.asarray(i, np.float64)

    def reduction(self) -> Reduction:
        """Say what the reduction has left out."""
        M, K, L = self.matrix("mass"), self.matrix("stiffness"), Linear.interface_rows(self)
        C, own = np.zeros_like(M), self.matrices()
        if self.damping is not None:
            C = self.matrix("damping")
        gone = [i for i in range(self.size) if i not in self.keep]
        omega, _ = held_modes(M, K, gone)
        left = omega[len(own[0]) - len(self.keep) :]
        first = float(left[0] / (2 * np.pi)) if left.size else np.inf
        full, small = (M, C, K, L), (own[0], self._lost(own[1]), own[2], self.interface_rows())
        return judge_reduction(full, small, self.up_to, first)

    def _lost(self, C: Vector) -> Vector:
        """Give the damping that the full model has too; ratios belong to the reduced one alone."""
        return C if self.damping is not None else np.zeros_like(C)
