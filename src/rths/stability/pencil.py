"""The characteristic matrix of a linearised loop, with its delay lines and its modes eliminated.

    z x = J x,   delay lines by what reads them, at a delay of d periods (`reads`)              (1)
    S(z) = z I - G(z) Z(z),   G = D + C (z I - A)^-1 B = D + Σ_i c_i b_i'/(z - λ_i)             (2)
    det(z I - J) = z^n det(z I - A) det S(z)                                                    (3)

A is the largest group of states of one block, most often those of the structure, and is brought to
its modes λ once. What is left is as large as the rest of the loop without its delay lines, some
ten states, whatever the number of degrees of freedom and of ticks of delay; Z holds the powers
z^-d of (1). S is found for thousands of z at a time, and so is

    p'/p = n/z + Σ_i 1/(z - λ_i) + tr(S^-1 S'),   p(z) = det(z I - J)                           (4)

With inputs w the signals v of `reads`, whose rows of G are G_v, respond by

    L(z) = G_v Z S^-1 G_w + G_vw                                                                (5)

[guettel2017] Acta Numerica 26, 1-94 (nonlinear eigenvalue problems).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from rths.errors import InputError
from rths.loop.block import Vector
from rths.loop.wiring import Owner
from rths.stability.entries import Indices
from rths.stability.reads import NONE, Reads
from rths.theory.delay.equation import Complexes

ModesOf = Callable[[Vector], tuple[Any, Any]]
"""Eigenvalues and eigenvectors of a matrix."""
MODAL = 40
"""States of one block from which on they are brought to their modes: below, S itself is small."""
AT_ONCE = 2_000_000
"""Numbers of the largest array of one evaluation: 32 MB, which stays in a cache's reach."""
ACCURATE = 1e-7
"""Relative error of (2) in modes beside a direct solution from which on modes are not trusted."""


class Pencil:
    """S(z) of (2) over the states of a linearised loop."""

    def __init__(
        self,
        reads: Reads,
        owners: Sequence[Owner | None],
        modal: bool = True,
        modes_of: ModesOf = np.linalg.eig,
    ) -> None:
        states, at = reads.states, reads.source
        plain = states[~np.isin(states, np.concatenate([NONE, *reads.rings]))]
        self.big = _largest_group(plain, owners) if modal else plain[:0]
        self.small = np.setdiff1d(states, self.big)
        self.eliminated, n = reads.eliminated, self.small.size
        big, small = (np.searchsorted(states, k) for k in (self.big, self.small))
        asked = np.arange(states.size, len(reads.matrix))  # the v stand behind all states
        inside = np.flatnonzero(np.isin(at, self.big))
        inside = inside[np.argsort(at[inside])]
        whole = np.zeros((len(reads.matrix), self.big.size))
        whole[:, np.searchsorted(self.big, at[inside])] = reads.matrix[:, inside]
        rest = np.delete(reads.matrix, inside, axis=1)
        source = np.delete(at, inside)
        rows = np.concatenate([small, asked])
        self._D = rest[rows]
        self.delay = np.append(np.delete(reads.delay, inside), np.zeros(reads.inputs, np.int64))
        self.select = np.zeros((self.delay.size, n))
        self.select[np.arange(source.size), np.searchsorted(self.small, source)] = 1.0
        self._given = source.size
        self._find_modes(whole[big], whole[rows], rest[big], modes_of)

    def _find_modes(self, A: Vector, C: Vector, B: Vector, modes_of: ModesOf) -> None:
        """Bring A to its modes, and check them where it matters."""
        self.poles: Any = np.zeros(0, complex)
        self._rows, self._columns = C.any(axis=1), B.any(axis=0)
        C, B = C[self._rows], B[:, self._columns]
        self._residues = np.zeros((0, C.shape[0] * B.shape[1]), complex)
        if not A.size:
            return
        self.poles, V = modes_of(A)
        left, right = C @ V, np.linalg.solve(V, B.astype(complex))
        self._residues = np.einsum("ai,ib->iab", left, right).reshape(self.poles.size, -1)
        z = np.exp(1j * 0.7)  # anywhere on the circle, away from the real axis
        direct = C @ np.linalg.solve(z * np.eye(len(A)) - A, B.astype(complex))
        modal = ((1 / (z - self.poles)) @ self._residues).reshape(direct.shape)
        if np.abs(modal - direct).max(initial=0.0) > ACCURATE * np.abs(direct).max(initial=0.0):
            raise DefectiveModesError

    @property
    def longest(self) -> int:
        """Longest delay of (1), periods."""
        return int(self.delay.max(initial=0))

    def _gain(self, z: Complexes, power: int = 1) -> Any:
        """G(z) of (2), or its derivative (power 2)."""
        G = np.zeros((z.size, *self._D.shape), complex)
        if power == 1:
            G += self._D
        if self.poles.size:
            weight = 1 / (z[:, None] - self.poles) ** power
            modal = (weight @ self._residues).reshape(z.size, self._rows.sum(), self._columns.sum())
            G[np.ix_(np.arange(z.size), self._rows, self._columns)] += (
                modal if power == 1 else -modal
            )
        return G

    def _late_reads(self, z: Complexes) -> Any:
        """What the small states and the v read of each column, at each z."""
        return self._gain(z) * z[:, None, None] ** -self.delay[None, None, :].astype(float)

    def matrix(self, z: Complexes) -> Any:
        """S(z) at each z."""
        n = self.small.size
        return z[:, None, None] * np.eye(n) - self._late_reads(z)[:, :n] @ self.select

    def slope(self, z: Complexes) -> tuple[Any, Any]:
        """S(z) and S'(z) at each z."""
        n = self.small.size
        d = self.delay[None, None, :].astype(float)
        at = z[:, None, None]
        G, steep, one = self._gain(z)[:, :n], self._gain(z, 2)[:, :n], np.eye(n)
        S = at * one - (G * at**-d) @ self.select
        return S, one - (steep * at**-d - G * d * at ** (-d - 1)) @ self.select

    def portions(self, z: Complexes) -> Iterator[Complexes]:
        """Cut points into portions of a size that suits the memory."""
        each = max(self.poles.size, self._D.size, 1)
        yield from np.array_split(z, max(1, -(-z.size * each // AT_ONCE)))

    def logarithm(self, z: Complexes) -> Complexes:
        """Give ln det S(z)."""
        return np.concatenate([log_det(self.matrix(some)) for some in self.portions(z)])

    def respond(self, z: Complexes) -> tuple[Complexes, Complexes]:
        """Response (5) of the v to the w, and ln det S."""
        found, n = [], self.small.size
        for some in self.portions(z):
            late = self._late_reads(some)
            S = some[:, None, None] * np.eye(n) - late[:, :n] @ self.select
            driven = _solve(S, late[:, :n, self._given :])
            seen = late[:, n:] @ self.select @ driven + late[:, n:, self._given :]
            found.append((seen, log_det(S)))
        return np.concatenate([r for r, _ in found]), np.concatenate([f for _, f in found])

    def rate(self, z: Complexes) -> Complexes:
        """p'/p of (4)."""
        found = []
        for some in self.portions(z):
            trace = np.trace(_solve(*self.slope(some)), axis1=1, axis2=2)
            found.append(trace + (1 / (some[:, None] - self.poles)).sum(axis=1))
        return np.concatenate([np.zeros(0, complex), *found]) + self.eliminated / z

    def count_outside(self, radius: float, turns: float) -> int:
        """Roots outside of a circle around which det S turns so many times.

        Far out it turns as often as S has rows.
        """
        return int(np.sum(np.abs(self.poles) > radius)) + self.small.size - round(turns)


def _solve(matrices: Any, right: Any) -> Any:
    """Solve each of some systems; where a matrix is singular the answer is not a number."""
    try:
        return np.linalg.solve(matrices, right)
    except np.linalg.LinAlgError:
        made = np.full(right.shape, np.nan, complex)
        regular = np.isfinite(np.linalg.slogdet(matrices)[1])
        made[regular] = np.linalg.solve(matrices[regular], right[regular])
        return made


def log_det(matrices: Any) -> Complexes:
    """Give ln det of each of some matrices."""
    sign, size = np.linalg.slogdet(matrices)
    return np.asarray(size + 1j * np.angle(sign))


class DefectiveModesError(InputError):
    """Modes of A that are not independent enough to be used."""

    def __init__(self) -> None:
        super().__init__("structure", "modes", "are not independent", "Use plain matrices.")


def _largest_group(states: Indices, owners: Sequence[Owner | None]) -> Indices:
    """Those of the states that belong to the block with most of them, if they are many.

    What belongs to no block is asked for by itself, and stays.
    """
    groups: dict[Owner, list[int]] = {}
    for k in states.tolist():
        owner = owners[k]
        if owner is not None:
            groups.setdefault(owner, []).append(k)
    most = max(groups.values(), key=len, default=[])
    return np.array(most if len(most) > MODAL else [], np.int64)
