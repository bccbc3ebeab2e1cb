"""The loop of a plan cut open behind its actuators and its specimens.

    v = L(z) w,   w = v:   det(z I - J) = det(z I - J_cut) det(I - L)                           (1)
    with some of the signals changed, w = Δ v, and all others closed:  det(I - Δ L_Δ)           (2)
    Δ:  x(t) -> x(t - τ) of all that a transfer system writes;   f -> g f of a specimen          (3)
    roots of the changed loop: zeros of  q = det S det(I - L_rest) det(I - Δ L_Δ)
    unstable ones = those of the plain part + its size - turns of q on |z| = 1                   (4)

One linearisation serves every delay and every gain: only Δ changes. A cut stands right behind the
block that moves or resists, at that block's own scale, so that whatever stands behind it (scales,
sensors, filters, a compensator that looks at what was achieved) sees the changed signal; ports are
cut with the displacement, for a specimen may read them. With n ticks in a period each signal has n
values in it, and a delay moves them on, from one period to the next where it must. Where Δ is one
number, det(I - Δ L_Δ) = Π (1 - Δ μ_i) with the eigenvalues μ of L_Δ.

(4) is the argument principle, as in Nyquist's criterion: no root is followed. det(I - Δ L_Δ) alone
would do in theory, but a light mode of the structure gives it a pole next to a root, and between
two points of the circle both cancel: of such loops a margin of 1.99 was given as 2.38. In q those
poles are gone; those of the plain part are known, and points stand around them (`winding`).
[nyquist1932] Bell Syst. Tech. J. 11(1), 126-147.
"""

from __future__ import annotations

from collections.abc import Sequence
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
from rths.stability.winding import CircleSamples, angles_for, turns
from rths.theory.delay.equation import Complexes

CUT = "cut"
"""Role of the blocks that are put into the loop; their kind is the role behind which they stand."""
RADIUS = 1 + 1e-9
"""Circle of (4): a memory at z = 1 lies inside; what grows by less shows in no test."""
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
        self.test, self._most = test, most_ticks
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
    def pencil(self) -> Pencil:
        """S(z) over what leads from a w to a v."""
        J = self.linear.entries
        own = ~np.isin(J.rows, self.ins)  # w is held by its cut: it is an input
        J = Entries(J.size, J.rows[own], J.columns[own], J.values[own])
        way = reached_from(J, self.ins) & reached_from(J.turned, self.outs)
        way[self.outs] = True
        owners = [None if o and o.role == CUT else o for o in self.linear.owners]  # v is asked for
        parts = (J, self.linear.chains, owners, np.flatnonzero(way), self.ins)
        try:
            return Pencil(*parts)
        except DefectiveModesError:
            return Pencil(*parts, modal=False)

    def evaluate(self, z: Complexes) -> Complexes:
        """Give ln det S and L(z), n rows and columns for each signal, in a row for each z."""
        p = self.pencil
        seen, logarithm = p.respond(z)
        L = z[:, None, None] * seen[:, np.searchsorted(p.small, self.outs)]
        return np.concatenate([logarithm[:, None], L.reshape(z.size, -1)], axis=1)

    @cached_property
    def samples(self) -> CircleSamples:
        """What a count begins with: points that resolve the delays and the modes that are known."""
        longest = self.pencil.longest + int(self._most // self.ticks) + 1
        return CircleSamples(self.evaluate, RADIUS, angles_for(self.pencil.poles, RADIUS, longest))

    def opening(self, role: str, channel: int | None = None) -> Opening:
        """See the loop from the cuts behind a role's blocks, of one channel or of all."""
        return Opening(self, role, channel)


class Opening:
    """L_Δ of (2): the loop as seen from some of its cuts, the others being closed."""

    def __init__(self, cut: CutLoop, role: str, channel: int | None) -> None:
        self.cut, self.ticks = cut, cut.ticks
        self._moves = role == "transfer"
        chosen = [s.kind == role and channel in (None, s.channel) for s in cut.signals]
        self._own = np.repeat(np.array(chosen), cut.ticks)
        self._by_number = not self._moves or cut.ticks == 1  # else a delay is no single number
        at = cut.samples
        values = self._see(at.values)
        self._samples = CircleSamples(self._evaluate, RADIUS, at.angles, values)

    def _evaluate(self, z: Complexes) -> Complexes:
        return self._see(self.cut.evaluate(z))

    def _see(self, values: Complexes) -> Complexes:
        """Give ln(det S det(I - L_rest)), and L_Δ or its eigenvalues where they are enough."""
        size = self._own.size
        L: Any = values[:, 1:].reshape(-1, size, size)
        own, rest = np.flatnonzero(self._own), np.flatnonzero(~self._own)
        every = np.arange(len(L))
        within = L[np.ix_(every, own, own)]
        around = np.eye(rest.size) - L[np.ix_(every, rest, rest)]
        back = np.linalg.solve(around, L[np.ix_(every, rest, own)])
        seen = within + L[np.ix_(every, own, rest)] @ back
        seen = np.linalg.eigvals(seen) if self._by_number else seen.reshape(every.size, -1)
        return np.concatenate([values[:, :1] + log_det(around)[:, None], seen], axis=1)

    def _logarithm(self, change: float, s: CircleSamples) -> Complexes:
        """Give ln q of (4) for a delay in ticks or a gain."""
        plain, L = s.values[:, 0], s.values[:, 1:]
        if self._by_number:
            late = _delay(s.z, change)[:, None] if self._moves else change
            with np.errstate(divide="ignore"):  # a root on the circle: turns() will say so
                return np.asarray(plain + np.log(1 - late * L).sum(axis=1))
        size = int(self._own.sum())
        L = L.reshape(-1, size, size)
        live = np.flatnonzero(L.any(axis=(0, 1)))  # where nothing acts, det has a column of I
        whole, rest = _split(change)
        groups = L[:, :, live].reshape(len(L), -1, self.ticks, live.size)
        early, late = (
            _late_rows(groups, s.z, whole + k).reshape(len(L), size, -1)[:, live] for k in (0, 1)
        )
        return plain + log_det(np.eye(live.size) - (1 - rest) * early - rest * late)

    def count_unstable(self, change: float) -> int:
        """Unstable roots (4) with a delay, in ticks, or with a factor on the force.

        If one lies on the circle itself it is 1 at least.
        """
        around = turns(self._samples, lambda s: self._logarithm(change, s))
        return self.cut.pencil.count_outside(RADIUS, around) if np.isfinite(around) else 1

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
    whole = floor(ticks + 1e-12)
    return whole, max(0.0, ticks - whole)


def _delay(z: Complexes, ticks: float) -> Complexes:
    """z^-τ as `transfer/dead_time` does it: straight between ticks."""
    whole, rest = _split(ticks)
    return np.asarray(z**-whole * (1 - rest + rest / z))


def _late_rows(rows: Any, z: Complexes, ticks: int) -> Any:
    """Rows of the ticks of a period, each a number of ticks later."""
    n = rows.shape[2]
    at = np.arange(n) - ticks
    return rows[:, :, at % n] * z[:, None, None, None] ** (at // n).astype(float)[:, None]
