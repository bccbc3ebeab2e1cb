"""The Jacobian of the one-period map, and whether it is all there is to say about the loop.

    J e_j = (F(z + δ e_j) - F(z)) / δ                                                          (1)
    F(z + a v) - F(z) = a J v   for a random v:  small a (differentiable at z), a = 1 (linear),
                                and at the end of the test (the same at all times)             (2)

The three tests (2) cost three runs of one period. Tolerances are round-off of each component.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rths.loop.block import Vector
from rths.stability.loop_map import SMALL, Indices, LoopMap

ROUND_OFF = 1e-9
"""Share of |J| |v| by which the two sides of (2) may differ; errors of kinks are of order 1."""


@dataclass(frozen=True, eq=False)
class Linearisation:
    """J over the coordinates that matter, numbered as in the map, and the answers of (2)."""

    J: Vector
    kept: Indices
    labels: tuple[str, ...]
    period: float
    """Time of one period, s."""
    differentiable: bool
    linear: bool

    @property
    def size(self) -> int:
        """Number of coordinates."""
        return int(self.kept.size)


def linearised(
    loop: LoopMap, period: float, scale: Vector | float = SMALL, whole: float = 1.0
) -> Linearisation:
    """Linearise the map at its present point; ``whole`` is the size of (2) for "linear"."""
    size = np.broadcast_to(np.asarray(scale, float), loop.here.shape)
    columns = {int(j): loop.changed(j, size[j]) / size[j] for j in range(loop.plain.size)}
    kept = [np.arange(loop.plain.size)]
    shifts: list[tuple[int, int]] = []
    for ring, ages in zip(loop.rings, loop.ring_coordinates, strict=True):
        written = loop.ticks // loop.layout.placed[ring.block].every
        read = _read(loop, ages, written, size)
        columns |= read
        used = ages[: max(read) - ages[0] + 1] if read else ages[:0]
        kept.append(used)
        both = zip(ages[:-written], ages[written:], strict=True) if written < ages.size else ()
        shifts += [(int(a), int(b)) for a, b in both if b <= used[-1:].sum() and int(a) not in read]
    all_kept = np.concatenate(kept)
    J = np.zeros((loop.here.size, all_kept.size))
    place = {int(c): k for k, c in enumerate(all_kept)}
    for j, column in columns.items():
        J[:, place[j]] = column
    for a, b in shifts:
        J[b, place[a]] = 1.0
    J = J[all_kept]
    v = np.random.default_rng(0).uniform(0.5, 1.0, all_kept.size)
    sizes = size[all_kept]
    answers = [follows(loop, J, all_kept, v * sizes / 8), follows(loop, J, all_kept, v * whole)]
    labels = loop.labels()
    own = tuple(labels[c] for c in all_kept)
    return Linearisation(J, all_kept, own, period, *answers)


def follows(loop: LoopMap, J: Vector, kept: Indices, amounts: Vector) -> bool:
    """Tell whether the map answers to these amounts as J says."""
    seen = loop.changed(kept, amounts)[kept]
    noise = 1e-15 * np.abs(loop.base[loop.here[kept]])
    allowed = ROUND_OFF * (np.abs(J) @ np.abs(amounts)) + 100 * (np.abs(J) @ noise + noise)
    return bool(np.all(np.abs(seen - J @ amounts) <= allowed))


def _read(loop: LoopMap, ages: Indices, written: int, size: Vector) -> dict[int, Vector]:
    """Find the entries of a ring that do more than move on, with their columns of J."""
    rng = np.random.default_rng(1)
    found: dict[int, Vector] = {}
    pending = [ages]
    while pending:
        some = pending.pop()
        amounts = size[some] * rng.uniform(0.5, 1.0, some.size)
        seen = loop.changed(some, amounts)
        moved = np.zeros_like(seen)
        staying = some + written <= ages[-1]
        moved[some[staying] + written] = amounts[staying]
        rest = np.abs(seen - moved)
        if np.all(rest <= 1e-6 * np.abs(moved)):
            continue
        if some.size == 1:
            found[int(some[0])] = seen / amounts[0]
        else:
            pending += np.array_split(some, 2)
    return found
