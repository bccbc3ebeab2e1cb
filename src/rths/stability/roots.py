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

from dataclasses import dataclass
from math import pi

import numpy as np
from numpy.typing import NDArray

from rths.loop.block import Vector
from rths.loop.wiring import Owner
from rths.stability.linearisation import Linearisation
from rths.stability.loop_map import Indices
from rths.theory.delay.equation import Complexes

NEUTRAL = 1e-7
"""Distance from z = 1 below which a root counts as a memory, not as a motion."""


@dataclass(frozen=True, eq=False)
class Roots:
    """All roots that are not zero, most dangerous first."""

    z: Complexes
    period: float
    part: Indices
    """Number of the part that each root belongs to."""
    parts: tuple[Indices, ...]
    idle: frozenset[int] = frozenset()
    """Parts that no motion of the structure depends on: estimates, what is only recorded."""

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
        top = s[s.real >= s.real.max() - 1e-9 * np.abs(s).max()]
        return complex(top[np.argmax(top.imag)])


def mutual_parts(J: Vector) -> list[Indices]:
    """Split the states of J into groups that act on each other in both directions."""
    acts = J != 0
    np.fill_diagonal(acts, False)
    left = np.arange(J.shape[0])
    alone: list[Indices] = []
    while left.size:
        inner = acts[np.ix_(left, left)]
        idle = ~(inner.any(axis=0) & inner.any(axis=1))
        if not idle.any():
            break
        alone += [left[k : k + 1] for k in np.flatnonzero(idle)]
        left = left[~idle]
    reach = (acts[np.ix_(left, left)] | np.eye(left.size, dtype=bool)).astype(np.float32)
    for _ in range(max(1, int(np.ceil(np.log2(max(2, left.size)))))):
        reach = np.minimum(reach @ reach, 1.0)
    both = (reach > 0) & (reach.T > 0)
    seen = np.zeros(left.size, bool)
    groups = []
    for k in range(left.size):
        if not seen[k]:
            seen |= both[k]
            groups.append(left[both[k]])
    return groups + alone


def roots_of(linear: Linearisation) -> Roots:
    """Roots (1) of a linearised loop."""
    parts = mutual_parts(linear.J)
    z: list[Complexes] = []
    for k in parts:
        inner = linear.J[np.ix_(k, k)]
        z.append((np.linalg.eigvals(inner) if k.size > 1 else inner[0]).astype(np.complex128))
    number = np.repeat(np.arange(len(parts)), [v.size for v in z])
    every = np.concatenate(z) if z else np.zeros(0, complex)
    order = np.argsort(-np.abs(every), kind="stable")
    order = order[np.abs(every[order]) > 1e-12]
    number = number[order]
    idle = frozenset(k for k in set(number.tolist()) if not _acts(linear, parts[k]))
    return Roots(every[order].astype(complex), linear.period, number, tuple(parts), idle)


def _acts(linear: Linearisation, part: Indices) -> bool:
    """Tell whether a part acts on the integrator, at once or through others."""
    goal = np.array([o is not None and o.role == "integrator" for o in linear.owners])
    if goal[part].any():
        return True
    acts, reached = linear.J != 0, np.zeros(linear.size, bool)
    reached[part] = True
    while not (reached & goal).any():
        further = reached | acts[:, reached].any(axis=1)
        if np.array_equal(further, reached):
            return False
        reached = further
    return True


def vectors(linear: Linearisation, roots: Roots, k: int) -> tuple[complex, Complexes, Complexes]:
    """Root k refined, with its right and left vector over all coordinates."""
    part = roots.parts[int(roots.part[k])]
    A, z = linear.J[np.ix_(part, part)].astype(complex), complex(roots.z[k])
    near = z + 1e-9 * max(1.0, abs(z))  # beside it: at a root of the split zeros all is singular
    start = np.random.default_rng(0).standard_normal(part.size)
    r, t = start.astype(complex), start.astype(complex)
    for _ in range(3):
        r = np.linalg.solve(A - near * np.eye(part.size), r)
        t = np.linalg.solve((A - near * np.eye(part.size)).T, t)
        r, t = r / np.abs(r).max(), t / np.abs(t).max()
    product = t @ r
    if abs(product) > 1e-8 * (np.abs(t) @ np.abs(r)):
        z = complex(t @ A @ r / product)
    right, left = np.zeros(linear.size, complex), np.zeros(linear.size, complex)
    right[part], left[part] = r, t
    outside = np.ones(linear.size, bool)
    outside[part] = False
    for _ in range(4):  # what the part drives, without acting back
        right[outside] = (linear.J @ right / z)[outside]
    return z, right, left


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
