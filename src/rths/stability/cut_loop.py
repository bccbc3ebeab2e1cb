"""The loop of a plan cut open behind its actuators and its specimens.

    v = L(z) w,   w = v:   det(z I - J) = det(z I - J_cut) det(I - L)                           (1)
    with some of the signals changed, w = Δ v, and all others closed:  det(I - Δ L_Δ)           (2)
    Δ:  x(t) -> x(t - τ) of all that a transfer system writes;   f -> g f of a specimen          (3)
    roots of the changed loop: zeros of  q = det S det(I - Δ L_Δ),  S with all others closed
    unstable ones = those of the plain part + its size - turns of q on |z| = 1                   (4)

One linearisation serves every delay and every gain: only Δ changes. A cut stands right behind the
block that moves or resists, at that block's own scale, so that whatever stands behind it (scales,
sensors, filters, a compensator that looks at what was achieved) sees the changed signal; ports are
cut with the displacement, for a specimen may read them. With n ticks in a period each signal has n
values in it, and a delay moves them on, from one period to the next where it must. These n are
combinations of a few, v = T v_s, and act as a few do, w_s = Q w (`reads`):

    det(I - Δ L_Δ) = det(I - L_s Q Δ T),   Q Δ T = Σ_p z^-p P_p                                 (5)

so that only the numbers P_p, of which there are two or three, know of n. Where Δ is one number,
det(I - Δ L_Δ) = Π (1 - Δ μ_i) with the eigenvalues μ of L_s Q T.

(4) is the argument principle, as in Nyquist's criterion: no root is followed. det(I - Δ L_Δ) alone
would do in theory, but a light mode of the structure gives it a pole next to a root, and between
two points of the circle both cancel: of such loops a margin of 1.99 was given as 2.38. In q those
poles are gone; those of the plain part are known, and points stand around them (`winding`).
[nyquist1932] Bell Syst. Tech. J. 11(1), 126-147.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from math import floor, pi
from typing import Any

import numpy as np

from rths.assembly.hybrid_test import HybridTest
from rths.loop.block import Block, Vector, kernel
from rths.loop.fields import fields, many
from rths.loop.layout import Layout
from rths.loop.wiring import Owner, Placed, Wiring
from rths.stability.entries import Entries, reached_from
from rths.stability.linearisation import linearise
from rths.stability.loop_map import LoopMap, period_of, rest_layout, silent_wiring
from rths.stability.pencil import DefectiveModesError, Pencil, log_det
from rths.stability.reads import Reads, reads_of, skeleton
from rths.stability.winding import CircleSamples, angles_for, turns
from rths.theory.delay.equation import Complexes

CUT = "cut"
"""Role of the blocks that are put into the loop; their kind is the role behind which they stand."""
RADIUS = 1 + 1e-9
"""Circle of (4): a memory at z = 1 lies inside; what grows by less shows in no test."""
NO_REST = 1e-12
"""Part of a tick that is round-off of a delay over it: thousands of ticks are exact to that."""
X = fields(
    calls="calls so far",
    w=many("w at each tick of a period"),
    v=many("v at each tick of a period"),
)


@kernel
def cut(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # u = v, y = w
    n = (x.size - X.w) // 2
    k = int(x[X.calls]) % n
    x[X.calls] += 1.0
    x[X.w + n + k] = u[0]
    y[0] = x[X.w + k]


def put_behind(wiring: Wiring, k: int, slot: int, owner: Owner, block: Block) -> None:
    """Let a block change one value on the bus in place, as soon as block k has written it."""
    wiring.placed.insert(k + 1, Placed(owner, block, (slot,), slot, 1, 0))


def find_block(wiring: Wiring, test: HybridTest, role: str, channel: int) -> int:
    """Find the block that moves or resists: the one that its kind is about, in a channel."""
    owner = Owner(role, test.descriptions(role)[channel].kind, channel)
    return next(k for k, p in enumerate(wiring.placed) if p.owner == owner)


class CutLoop:
    """L(z) of a plan's loop, and how many of its roots are unstable with any change (2)."""

    def __init__(self, test: HybridTest, most_ticks: float = 0.0) -> None:
        self.test, self.most_ticks = test, most_ticks
        self._known: tuple[Any, Any, Any] | None = None
        layout = rest_layout(test)
        self.ticks = period_of(test, layout)
        rest = LoopMap(layout, self.ticks).base
        w = silent_wiring(test)
        self.signals: list[Owner] = []
        for c in range(test.channels):
            k = find_block(w, test, "transfer", c)
            moved = list(w.placed[k].output_slots)
            k = find_block(w, test, "specimen", c)
            self._open(w, k, [w.placed[k].output], "specimen", c, rest)
            self._open(w, find_block(w, test, "transfer", c), moved, "transfer", c, rest)
        loop = LoopMap(Layout.of(w, ()), self.ticks)
        self.linear = linearise(loop, self.ticks * test.tick)
        self._places(loop)

    def _open(
        self, w: Wiring, k: int, slots: Sequence[int], role: str, c: int, rest: Vector
    ) -> None:
        """Put a cut behind a block for each of some places that it writes."""
        for i, slot in enumerate(slots):
            still = np.full(self.ticks, rest[slot])
            states = X.pack(calls=0, w=still, v=still)
            owner = Owner(CUT, role, c, str(i))
            put_behind(w, k, slot, owner, Block(cut, [], states, counters=[X.calls]))
            self.signals.append(owner)

    def _places(self, loop: LoopMap) -> None:
        """Find w and v of each signal, tick by tick, among the coordinates."""
        number = {int(c): k for k, c in enumerate(self.linear.kept)}
        first = {p.owner: a.x for p, a in zip(loop.layout.placed, loop.layout.places, strict=True)}
        slot = {int(s): k for k, s in enumerate(loop.plain)}
        n, ins, outs = self.ticks, [], []
        for owner in self.signals:
            for t in range(n):
                ins.append(number[slot[first[owner] + X.w + t]])
                outs.append(number[slot[first[owner] + X.w + n + t]])
        self.ins, self.outs = np.array(ins), np.array(outs)

    @cached_property
    def reads(self) -> Reads:
        """All that leads from a w to a v."""
        J = self.linear.entries
        own = ~np.isin(J.rows, self.ins)  # w is held by its cut: it is an input
        J = Entries(J.size, J.rows[own], J.columns[own], J.values[own])
        way = reached_from(J, self.ins) & reached_from(J.turned, self.outs)
        return reads_of(J, self.linear.chains, np.flatnonzero(way), self.ins, self.outs)

    def pencil(self, reads: Reads) -> Pencil:
        """S(z) of the loop with some of its signals closed."""
        try:
            return Pencil(reads, self.linear.owners, modes_of=self._modes_of)
        except DefectiveModesError:
            return Pencil(reads, self.linear.owners, modal=False)

    def _modes_of(self, A: Vector) -> tuple[Any, Any]:
        """Modes of a structure, which are the same whatever is closed."""
        if self._known is None or not np.array_equal(self._known[0], A):
            self._known = (A, *np.linalg.eig(A))
        return self._known[1:]

    def opening(self, role: str, channel: int | None = None) -> Opening:
        """See the loop from the cuts behind a role's blocks, of one channel or of all."""
        return Opening(self, role, channel)


class Opening:
    """L_Δ of (2): the loop as seen from some of its cuts, the others being closed."""

    def __init__(self, cut: CutLoop, role: str, channel: int | None) -> None:
        self.cut, self.ticks = cut, cut.ticks
        self._moves = role == "transfer"
        self._by_number = not self._moves or cut.ticks == 1  # else a delay is no single number
        chosen = [s.kind == role and channel in (None, s.channel) for s in cut.signals]
        rest = np.flatnonzero(~np.repeat(np.array(chosen), cut.ticks))
        self.pencil = cut.pencil(self._shorten(cut.reads.close(rest, rest), sum(chosen)))
        longest = self.pencil.longest + int(cut.most_ticks // cut.ticks) + 1
        angles = angles_for(self.pencil.poles, RADIUS, longest)
        self._samples = CircleSamples(self._evaluate, RADIUS, angles)

    def _shorten(self, reads: Reads, count: int) -> Reads:
        """Keep of each signal the values (5) of which the others are made."""
        self._T = self._Q = [np.eye(self.ticks)] * count
        if self.ticks == 1:
            return reads
        reads = reads.shorten()
        n, states, M = self.ticks, reads.states.size, reads.matrix
        seen = [skeleton(M[states + k * n : states + (k + 1) * n]) for k in range(count)]
        kept = [states + k * n + chosen for k, (chosen, _) in enumerate(seen)]
        M = M[np.concatenate([np.arange(states), *kept])]
        first = reads.source.size
        given = [skeleton(M[:, first + k * n : first + (k + 1) * n].T) for k in range(count)]
        kept = [first + k * n + chosen for k, (chosen, _) in enumerate(given)]
        self._T, self._Q = [T for _, T in seen], [Q.T for _, Q in given]
        return replace(reads, matrix=M[:, np.concatenate([np.arange(first), *kept])])

    def _through(self, later: int) -> dict[int, Vector]:
        """Q Δ T of (5) for a delay of whole ticks, by its powers of z."""
        at = np.arange(self.ticks) - later
        powers = at // self.ticks
        shape = sum(len(Q) for Q in self._Q), sum(T.shape[1] for T in self._T)
        made = {int(p): np.zeros(shape) for p in np.unique(powers)}
        row = column = 0
        for Q, T in zip(self._Q, self._T, strict=True):
            down, right = row + len(Q), column + T.shape[1]
            for p, block in made.items():
                some = powers == p
                block[row:down, column:right] = Q[:, some] @ T[at[some] % self.ticks]
            row, column = down, right
        return made

    def _evaluate(self, z: Complexes) -> Complexes:
        """Give ln det S, and L_Δ or the eigenvalues of L_Δ Q T where they are enough."""
        seen: Any
        seen, logarithm = self.pencil.respond(z)
        if self._by_number:
            seen = np.linalg.eigvals(seen @ self._through(0)[0])
        return np.concatenate([logarithm[:, None], seen.reshape(z.size, -1)], axis=1)

    def _logarithm(self, change: float, s: CircleSamples) -> Complexes:
        """Give ln q of (4) for a delay in ticks or a gain."""
        plain, L = s.values[:, 0], s.values[:, 1:]
        if self._by_number:
            late = _delay(s.z, change)[:, None] if self._moves else change
            with np.errstate(divide="ignore"):  # a root on the circle: turns() will say so
                return np.asarray(plain + np.log(1 - late * L).sum(axis=1))
        whole, rest = _split(change)
        through: Any = 0.0
        for later, share in ((whole, 1 - rest), (whole + 1, rest)):
            for power, block in self._through(later).items():
                through = through + share * s.z[:, None, None] ** float(power) * block
        size = sum(T.shape[1] for T in self._T)
        if not size:  # nothing of the cut goes through: play keeps all of it at rest
            return plain
        return plain + log_det(np.eye(size) - L.reshape(len(L), size, -1) @ through)

    def count_unstable(self, change: float) -> int:
        """Unstable roots (4) with a delay, in ticks, or with a factor on the force.

        If one lies on the circle itself it is 1 at least.
        """
        around = turns(self._samples, lambda s: self._logarithm(change, s))
        return self.pencil.count_outside(RADIUS, around) if np.isfinite(around) else 1

    def crossing_gains(self) -> Vector | None:
        """Give the gains g at which 1 - g μ may be zero on the circle, as rows of least and most.

        There μ is real, so that its imaginary part changes its sign between two samples, which are
        close enough once the poles of μ are resolved: the roots without any force. Of several
        eigenvalues it is not known which goes on as which: then None.
        """
        if not self._by_number or self._samples.values.shape[1] != 2:
            return None
        self.count_unstable(0.0)
        mu = self._samples.values[:, 1]
        ends = np.stack([mu.real[:-1], mu.real[1:]])
        real = (mu.imag[:-1] * mu.imag[1:] <= 0) & (ends.max(axis=0) > 0)
        with np.errstate(divide="ignore"):
            return np.asarray(1 / np.maximum(np.sort(ends[:, real].T)[:, ::-1], 0.0))

    def frequency(self, change: float) -> float:
        """Frequency at which the loop with a change is nearest to its border, Hz.

        There det(I - Δ L_Δ) is least.
        """
        s, angles = self._samples, self._samples.angles
        size = (self._logarithm(change, s) - s.values[:, 0]).real
        angle = float(angles[int(np.argmin(size))])
        return angle / (2 * pi * self.ticks * self.cut.test.tick)


def _split(ticks: float) -> tuple[int, float]:
    """Whole ticks and the rest of one; round-off is no rest."""
    whole = floor(ticks + NO_REST)
    return whole, max(0.0, ticks - whole)


def _delay(z: Complexes, ticks: float) -> Complexes:
    """z^-τ as `transfer/dead_time` does it: straight between ticks."""
    whole, rest = _split(ticks)
    return np.asarray(z**-whole * (1 - rest + rest / z))
