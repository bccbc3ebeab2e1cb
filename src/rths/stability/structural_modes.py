"""Which mode of the whole structure a root of the loop belongs to.

    (K + L' k_e L) φ_i = ω_i² M φ_i,   φ_i' M φ_i = 1                                           (1)
    q = Φ' M x,   share of mode i: |q_i|² / Σ_j |q_j|²                                          (2)

k_e is the stiffness with which each specimen at rest answers to a small steady displacement, x the
displacements in the vector of the root.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import pi
from typing import Any

import numpy as np

from rths.assembly.hybrid_test import HybridTest
from rths.loop.block import Block, Vector
from rths.loop.wiring import Owner
from rths.site import Site

LITTLE = 2.0**-30
"""Displacement for a secant, m: a nanometre is below any yield point, and a power of two."""
HELD_TICKS, MOST_TICKS = 64, 4096
"""Ticks for which it is held, so that what a dashpot or a filter adds has died out, and for which
it is held at most."""
STEADY = 1e-3
"""Share by which the answer may change in the second half of that time. If it changes by more to
the end, a mass swings on its joint, about the mean."""
LOWEST_FREQUENCY = 1e-3
"""Least frequency, Hz, whose period is taken for a length of time: a mode without stiffness has
none."""


@dataclass(frozen=True, eq=False)
class Modes:
    """Modes (1): frequencies, Hz, rising, and shapes as columns."""

    frequencies: Vector
    shapes: Vector
    M: Vector

    def shares(self, x: Any) -> Vector:
        """Shares (2) of some displacements."""
        q = np.abs(self.shapes.T @ self.M @ x) ** 2
        return np.asarray(q / (q.sum() or 1.0))


def specimen_stiffness(test: HybridTest, channel: int) -> float:
    """Stiffness k_e of a specimen as the structure sees it, N/m."""
    specimen = test.descriptions("specimen")[channel]
    answer = _held_answer(specimen.block(Site(test.tick, test.tick)), _reads(test, channel))
    scale = float(specimen.force_scale * specimen.count / specimen.length_scale)
    k = scale * answer / LITTLE
    return k if np.isfinite(k) else 0.0


def _held_answer(block: Block, reads: Vector) -> float:
    """How much more force a specimen has that is held a little apart than one at rest, N."""
    states, y = [block.states.copy() for _ in range(2)], np.zeros(block.outputs)
    found: list[float] = []
    while len(found) < MOST_TICKS:
        for _ in range(HELD_TICKS):
            forces = []
            for x, d in zip(states, (0.0, LITTLE), strict=True):
                block.kernel(x, block.params, d * reads, y)
                forces.append(float(y[0]))
            found.append(forces[1] - forces[0])
        half = found[len(found) // 2 :]
        if not max(half) - min(half) > STEADY * max(map(abs, half)):
            return half[-1]
    return float(np.mean(half))


def _reads(test: HybridTest, channel: int) -> Vector:
    """1 where a specimen reads its displacement, 0 where it reads anything else."""
    signals, kind = test.layout.signals, test.descriptions("specimen")[channel].kind
    own = signals.get("specimen.displacement", signals["transfer.displacement"]).slots[channel]
    owner = Owner("specimen", kind, channel)
    placed = next(p for p in test.layout.placed if p.owner == owner)
    return np.array([float(slot == own) for slot in placed.inputs])


def modes_of(test: HybridTest) -> Modes:
    """Modes (1) of structure and specimens."""
    return _solve(test, np.diag([specimen_stiffness(test, c) for c in range(test.channels)]))


def bare_modes_of(test: HybridTest) -> Modes:
    """Modes (1) of the structure alone, as it moves while a specimen is open or yields."""
    return _solve(test, np.zeros((test.channels, test.channels)))


def _solve(test: HybridTest, k: Vector) -> Modes:
    """Solve (1) with the stiffness k of the specimens."""
    e = test.equation
    factor = np.linalg.inv(np.linalg.cholesky(0.5 * (e.M + e.M.T)))
    K = e.K + e.L.T @ k @ e.L
    square, shapes = np.linalg.eigh(0.5 * factor @ (K + K.T) @ factor.T)
    return Modes(np.sqrt(np.maximum(square, 0.0)) / (2 * pi), factor.T @ shapes, e.M)
