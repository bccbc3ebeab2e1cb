"""Characteristic roots of a loop from its one-period map, and what they belong to.

    det(z I - J) = 0,   s = log(z)/T,   growth rate Re s,   f = |Im s|/2π,   ζ = -Re s/|s|       (1)
    p_i = |l_i r_i| / Σ_j |l_j r_j|,   l' J = z l',  J r = z r            participation          (2)

J is first split into the parts whose states act on each other in both directions; what lies outside
such a part (a delay line nobody reads, an output) has a root that is its own diagonal entry, most
often 0. Without the split long chains of zeros would be blown up by round-off to eps^(1/n).
A root at z = 1 is neutral: a memory (plastic set, adaptive weight) keeps whatever value it has.

[perezarriaga1982] IEEE Trans. Power Appar. Syst. 101(9), 3117-3125 (participation factors).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import pi
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rths.loop.wiring import Owner
from rths.stability.entries import Entries, Indices, mutual_parts, reached_from
from rths.stability.linearisation import Linearisation
from rths.stability.outer_roots import outer_roots
from rths.stability.pencil import DefectiveModesError, Pencil
from rths.stability.reads import reads_of
from rths.theory.delay.equation import Complexes

DENSE, DENSE_MODES = 250, 1500
"""States of a part up to which all eigenvalues are quicker than those furthest out alone: of a loop
with long delay lines, and of one that is as large without them, such as a frame, or that reads its
lines at as many places, as a mean over a second does."""
ROOT_OFFSETS = (1e-9, 1e-8, 1e-7, 1e-6)
"""How far beside a root its vectors are sought, as a share: nearer is sharper, until singular."""
NEUTRAL = 1e-7
"""Distance from z = 1 below which a root counts as a memory, not as a motion."""
SAME_REAL_PART = 1e-9
"""Difference of real parts, over the largest modulus, that is round-off: both of a pair are top."""
ZERO = 1e-12
"""Modulus of a root that counts as zero: what shrinks so much in a period is gone within it."""
DEFECTIVE = 1e-8
"""l'r over |l|'|r| below which a root is not refined, about √eps: where two roots meet it goes to
zero, and the quotient loses more digits than it gains."""
MARGINAL = 1e-10
"""Growth in a step, as a share, that cannot be told from none."""
LAST_RESORT = 1e-3
"""How far beside a root its vectors are sought where all of the nearer places are singular."""


def is_marginal(growth_rate: float, step: float) -> bool:
    """Tell whether the root that grows most neither grows nor decays: it proves nothing."""
    return abs(growth_rate) <= MARGINAL / step


@dataclass(frozen=True, eq=False)
class Roots:
    """All roots that are not zero, or those of a large loop that lie outside, largest first."""

    z: Complexes
    period: float
    part: Indices
    """Number of the part that each root belongs to."""
    parts: tuple[Indices, ...]
    idle: frozenset[int] = frozenset()
    """Parts that no motion of the structure depends on: estimates, what is only recorded."""
    inside: float = 0.0
    """Modulus below which roots of a large loop are left out; outside of it none is missing."""

    @property
    def s(self) -> Complexes:
        """Roots of the s-plane, 1/s."""
        return np.asarray(np.log(self.z) / self.period)

    @property
    def neutral(self) -> int:
        """How many roots of parts that act on the structure lie at z = 1."""
        acting = ~np.isin(self.part, list(self.idle))
        return int(np.sum(acting & (np.abs(self.z - 1) < NEUTRAL)))

    @property
    def moving(self) -> Complexes:
        """Roots of the s-plane that can grow, or that a motion of the structure shows."""
        return self.s[self.counted]

    @property
    def counted(self) -> NDArray[np.bool_]:
        """Which roots are neither neutral nor those of a stable idle part."""
        idle = np.isin(self.part, list(self.idle)) & (np.abs(self.z) < 1)
        return np.asarray((np.abs(self.z - 1) >= NEUTRAL) & ~idle)

    @property
    def growth_rate(self) -> float:
        """Largest real part, 1/s; minus infinity if nothing moves."""
        return float(self.moving.real.max(initial=-np.inf))

    @property
    def dominant(self) -> complex:
        """The moving root with the largest real part, upper one of a pair."""
        s = self.moving
        if not s.size:
            return complex(-np.inf)
        top = s[s.real >= s.real.max() - SAME_REAL_PART * np.abs(s).max()]
        return complex(top[np.argmax(top.imag)])


def roots_of(linear: Linearisation) -> Roots:
    """Roots (1) of a linearised loop."""
    parts = mutual_parts(linear.entries)
    alone = np.array([k.size == 1 for k in parts], bool)
    diagonal = np.zeros(linear.size)
    on = linear.entries.rows == linear.entries.columns
    diagonal[linear.entries.rows[on]] = linear.entries.values[on]
    z: list[Complexes] = []
    inside = 0.0
    for k, single in zip(parts, alone, strict=True):
        if single:
            z.append(diagonal[k].astype(complex))
            continue
        found, radius = _part_roots(linear, k)
        inside = max(inside, radius)
        z.append(found)
    number = np.repeat(np.arange(len(parts)), [v.size for v in z])
    every = np.concatenate(z) if z else np.zeros(0, complex)
    order = np.argsort(-np.abs(every), kind="stable")
    order = order[np.abs(every[order]) > max(ZERO, inside)]
    number = number[order]
    acting = _find_acting(linear)
    idle = frozenset(k for k in set(number.tolist()) if not acting[parts[k]].any())
    return Roots(every[order].astype(complex), linear.period, number, tuple(parts), idle, inside)


def _part_roots(linear: Linearisation, part: Indices) -> tuple[Complexes, float]:
    """Roots of one part, and the radius inside of which some are left out (0 if none is)."""
    found = _outer_part_roots(linear, part) if part.size > DENSE else None
    if found is not None:
        return found
    return np.linalg.eigvals(linear.entries.select(part).dense).astype(complex), 0.0


def _outer_part_roots(linear: Linearisation, part: Indices) -> tuple[Complexes, float] | None:
    """Roots of one part that lie outside; None if all are found sooner, or these are not sure."""
    late = np.zeros(linear.size, bool)
    for chain in linear.chains:
        late[chain.first + chain.step : chain.first + chain.size] = True
    if part.size <= DENSE_MODES and np.sum(~late[part]) > DENSE:
        return None
    reads = reads_of(linear.entries, linear.chains, part).shorten()
    if part.size <= DENSE_MODES and reads.delay.size > DENSE:  # lines that are read all along
        return None
    try:
        return outer_roots(Pencil(reads, linear.owners))
    except DefectiveModesError:
        return None


def _find_acting(linear: Linearisation) -> NDArray[np.bool_]:
    """Tell which coordinates act on the integrator, at once or through others."""
    goal = [k for k, o in enumerate(linear.owners) if o is not None and o.role == "integrator"]
    return reached_from(linear.entries.turned, np.array(goal, np.int64))


def vectors(linear: Linearisation, roots: Roots, k: int) -> tuple[complex, Complexes, Complexes]:
    """Root k refined, with its right and left vector over all coordinates."""
    part = roots.parts[int(roots.part[k])]
    inner, z = linear.entries.select(part), complex(roots.z[k])
    solve, solve_turned = _solvers(inner, z)
    start = np.random.default_rng(0).standard_normal(part.size)
    r, t = start.astype(complex), start.astype(complex)
    for _ in range(3):
        r, t = solve(r), solve_turned(t)
        r, t = r / np.abs(r).max(), t / np.abs(t).max()
    product = t @ r
    if abs(product) > DEFECTIVE * (np.abs(t) @ np.abs(r)):
        z = complex(t @ inner.times(r) / product)
    right, left = np.zeros(linear.size, complex), np.zeros(linear.size, complex)
    right[part], left[part] = r, t
    outside = np.ones(linear.size, bool)
    outside[part] = False
    for _ in range(4):  # what the part drives, without acting back
        right[outside] = (linear.entries.times(right) / z)[outside]
    return z, right, left


def _solvers(A: Entries, z: complex) -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
    """Solve A - z I and its transpose for any right side, as near to z as it is regular."""
    for beside in ROOT_OFFSETS:  # at a root of the split zeros all is singular
        near = z + beside * max(1.0, abs(z))
        try:
            return _factorise(A, near)
        except (np.linalg.LinAlgError, RuntimeError):
            continue
    return _factorise(A, z + LAST_RESORT * max(1.0, abs(z)))


def _factorise(A: Entries, near: complex) -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
    if A.size <= DENSE:
        inverse = np.linalg.inv(A.dense - near * np.eye(A.size))
        return lambda b: inverse @ b, lambda b: inverse.T @ b
    from scipy.sparse import eye_array
    from scipy.sparse.linalg import splu

    factors = splu((A.to_sparse(complex) - near * eye_array(A.size)).tocsc())
    return factors.solve, lambda b: factors.solve(b, trans="T")


def participation(
    linear: Linearisation, right: Complexes, left: Complexes
) -> dict[Owner | None, float]:
    """Share (2) of each owner's block in a root, largest first."""
    weight = np.abs(right * left)
    total = float(weight.sum()) or 1.0
    shares: dict[Owner | None, float] = {}
    for owner, w in zip(linear.owners, weight, strict=True):
        if w > 0:
            shares[owner] = shares.get(owner, 0.0) + float(w) / total
    return dict(sorted(shares.items(), key=lambda item: -item[1]))


def root_numbers(s: complex) -> tuple[float, float, float]:
    """Growth rate (1/s), frequency (Hz) and damping ratio of a root."""
    return s.real, abs(s.imag) / (2 * pi), -s.real / abs(s) if s != 0 else 0.0
