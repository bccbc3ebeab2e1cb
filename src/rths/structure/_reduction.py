"""A linear structure on fewer degrees of freedom, and what that leaves out.

    x = T (x_k, q),   T = [ I  0 ; -K_rr^-1 K_rk  Φ ],   K_rr φ = ω² M_rr φ                      (1)
    e_f = max |f_i' / f_i - 1|,                            modes f_i up to f                   (2)
    e_H = max |H' - H| / max |H|,   H = L (K (1 + 0.02 j) + j ω C - ω² M)^-1 L',   0...f        (3)

k are the degrees of freedom that are kept, r the others, Φ the lowest modes of the structure with
those of k held; none of them is static condensation. Each mode is scaled to a largest displacement
of 1, so that q is in metres. f' and H' are of the reduced structure. The 2 % in (3) stand for what
any structure loses, so that a response without damping has a largest value too.

[guyan1965], and [craig1968] for Φ.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import pi

import numpy as np

from rths.errors import InputError
from rths.loop.block import Vector

SINGULAR = 1e14
"""Condition of K_rr from which on something that is removed moves without any force."""
MASSLESS = 1e-13
"""Share of the largest 1/ω² below which a mode has no mass: round-off of the larger ones."""
LOSS = 0.02
"""Share of the stiffness that is lost in (3)."""
FREQUENCIES = 60
"""Frequencies at which (3) is looked at, besides those of the full structure in the range."""
MOST = 1500
"""Degrees of freedom up to which the full structure is solved to find (2) and (3): some seconds."""
FREE = 1e-3
"""Share of f below which a mode counts as one without stiffness, whose frequency is round-off."""
POOR = 0.05
"""Share from which (2) or (3) is warned of: more than is known of most structures."""
System = tuple[Vector, Vector, Vector, Vector]
"""M, C, K and L."""


@dataclass(frozen=True)
class Reduction:
    """What a reduction has left out, up to a frequency, Hz."""

    full: int
    reduced: int
    up_to: float
    modes: int
    """Modes of the full structure up to there."""
    frequencies: float
    """Largest error (2)."""
    response: float
    """Largest error (3)."""

    @property
    def words(self) -> str:
        """Say it in one line."""
        sizes = f"reduced from {self.full} to {self.reduced} degrees of freedom"
        if not self.up_to:
            return f"{sizes}; its error is not told beyond {MOST} degrees of freedom"
        if self.up_to == np.inf:
            return f"{sizes}; nothing that has mass is left out"
        right = f"to {100 * self.frequencies:.2g} %"
        right = right if self.frequencies < np.inf else "not all there"
        return (
            f"{sizes}; up to {self.up_to:.3g} Hz the frequencies of {self.modes} mode(s) {right}, "
            f"the response at the interface to {100 * self.response:.2g} % of its largest"
        )

    @property
    def doubt(self) -> str:
        """Warn of a reduction that leaves out what matters; "" if it does not."""
        if max(self.frequencies, self.response) <= POOR:
            return ""
        most = f"the reduction leaves out more than {100 * POOR:.0f} % up to {self.up_to:.3g} Hz."
        return f"{most} Keep more degrees of freedom or modes, or judge it by a lower up_to."


def component_basis(
    M: Vector, K: Vector, keep: Sequence[int], count: int = 0, field: str = "structure.keep"
) -> Vector:
    """Give T of (1) with a number of modes."""
    gone, kept = [i for i in range(len(K)) if i not in set(keep)], list(keep)
    inner = K[np.ix_(gone, gone)]
    if gone and np.linalg.cond(inner) > SINGULAR:
        raise InputError(
            field,
            tuple(keep),
            "leaves removed degrees of freedom that can move without any force",
            "Keep one more of them, or connect them by a stiffness.",
        )
    shapes = held_modes(M, K, gone)[1] if count else np.zeros((len(gone), 0))
    if count > shapes.shape[1]:
        raise InputError(
            "structure.modes",
            count,
            f"is more than the {shapes.shape[1]} modes of what is removed",
            "Take fewer, or keep all.",
        )
    T = np.zeros((len(K), len(kept) + count))
    T[kept, range(len(kept))] = 1.0
    if gone:
        T[np.ix_(gone, range(len(kept)))] = -np.linalg.solve(inner, K[np.ix_(gone, kept)])
        T[np.ix_(gone, range(len(kept), T.shape[1]))] = shapes[:, :count]
    return T


def project_matrix(T: Vector, matrix: Vector) -> Vector:
    """Give T' A T, symmetric to the last bit if A is symmetric."""
    found: Vector = T.T @ matrix @ T
    return (found + found.T) / 2 if np.allclose(matrix, matrix.T, 1e-9, 0.0) else found


def held_modes(M: Vector, K: Vector, gone: Sequence[int]) -> tuple[Vector, Vector]:
    """Give ω, rising, and Φ of (1), those with mass; K_rr is sure to have a factor, M_rr is not."""
    if not gone:
        return np.zeros(0), np.zeros((0, 0))
    at = np.ix_(gone, gone)
    factor = np.linalg.inv(np.linalg.cholesky((K[at] + K[at].T) / 2))
    inverse, shapes = np.linalg.eigh(factor @ ((M[at] + M[at].T) / 2) @ factor.T)
    inverse, shapes = inverse[::-1], (factor.T @ shapes)[:, ::-1]
    real = inverse > MASSLESS * max(float(inverse[0]), 0.0)
    shapes = shapes[:, real]
    return 1 / np.sqrt(inverse[real]), shapes / np.abs(shapes).max(axis=0, initial=0.0)


def judge_reduction(full: System, reduced: System, up_to: float | None, own: float) -> Reduction:
    """Find (2) and (3) up to a frequency; half of the first one that is left out if not given."""
    sizes = len(full[0]), len(reduced[0])
    if own == np.inf and up_to is None:
        return Reduction(*sizes, np.inf, 0, 0.0, 0.0)
    if sizes[0] > MOST:
        return Reduction(*sizes, 0.0, 0, 0.0, 0.0)
    top = own / 2 if up_to is None else up_to
    there, here = (_frequencies(M, K) for M, _, K, _ in (full, reduced))
    count = int(np.sum(there <= top))
    missing = count > here.size
    known = there[: min(count, here.size)]
    error = np.abs(here[: known.size] - known) / np.maximum(known, FREE * top)
    worst = np.inf if missing else float(error.max(initial=0.0))
    at = np.unique(np.concatenate([np.linspace(0.0, top, FREQUENCIES), there[:count]]))
    responses = [[_response(system, f) for f in at] for system in (full, reduced)]
    apart = max(np.abs(a - b).max() for a, b in zip(*responses, strict=True))
    size = max(np.abs(a).max() for a in responses[0])
    return Reduction(*sizes, top, count, worst, float(apart / size))


def _frequencies(M: Vector, K: Vector) -> Vector:
    """Give the frequencies, Hz, rising, of what has mass."""
    factor = np.linalg.eigh((M + M.T) / 2)
    real = factor[0] > MASSLESS * factor[0].max()
    if not real.all():  # by the modes with nothing held, which asks for a stiffness everywhere
        return held_modes(M, K, range(len(M)))[0] / (2 * pi)
    half = factor[1] / np.sqrt(factor[0])
    squares = np.linalg.eigvalsh(half.T @ ((K + K.T) / 2) @ half)
    found: Vector = np.sqrt(np.maximum(squares, 0.0)) / (2 * pi)
    return found


def _response(system: System, frequency: float) -> Vector:
    """Give H of (3)."""
    M, C, K, L = system
    w = 2 * pi * frequency
    found: Vector = L @ np.linalg.solve(K * (1 + LOSS * 1j) + 1j * w * C - w**2 * M, L.T)
    return found
