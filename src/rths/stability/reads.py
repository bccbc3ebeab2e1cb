"""What the states and the signals of a linearised loop read in one period, and how late.

    z x = Σ_d z^-d R_d x + B w,    v = Σ_d z^-d C_d x + D w                                     (1)
    entry j of a chain is z^-d times its newest, d = ⌊j/w⌋                                      (2)
    v_r = w_r closed:   w_r = (I - D_rr)^-1 (C_r x + D_ro w_o)                                  (3)
    rows of a ring R = T R_s  of some of its rows s:   x = T x_s                                (4)

Within a period every signal is a sum of what it was before: D_rr is that of a causal loop, and (3)
has one answer. A step of n ticks writes n values into every ring, but the structure moves once:
these values are combinations (4) of a few of them, whatever n, and so are the n values of a signal
in a period and the effects of them. Rings are taken in turn, as one reads the other, until no row
is left that follows from others: then the loop is as large as with one tick in a step.

[cheng2005] SIAM J. Sci. Comput. 26(4), 1389-1404 (skeletons of matrices).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from rths.loop.block import Vector
from rths.stability.entries import Entries, Indices
from rths.stability.linearisation import Chain

SAME = 1e-13
"""Share of the largest number in a column by which (4) may be off: some hundred times round-off."""
CANCELLED = 1e-14
"""Share of its terms below which a sum is zero."""
NONE = np.zeros(0, np.int64)


@dataclass(frozen=True, eq=False)
class Reads:
    """(1) with a row for each state and each v, a column for each state read at a delay and each w.

    States go by the numbers of their coordinates.
    """

    states: Indices
    matrix: Vector
    source: Indices
    """State that each of the first columns reads."""
    delay: Indices
    """How many periods late."""
    eliminated: int
    """States that were left out: roots at zero."""
    rings: tuple[Indices, ...] = ()
    """States that are the new values of one ring."""

    @property
    def inputs(self) -> int:
        """Number of w."""
        return int(self.matrix.shape[1] - self.source.size)

    def close(self, rows: Indices, columns: Indices) -> Reads:
        """Let some signals go on as they are (3), by the numbers of their v and of their w."""
        rows, columns = rows + self.states.size, columns + self.source.size
        M = np.delete(self.matrix, columns, axis=1)
        given = self.matrix[:, columns]
        closed = np.linalg.solve(np.eye(rows.size) - given[rows], M[rows])
        M = M + given @ closed
        return replace(self, matrix=np.delete(M, rows, axis=0))

    def shorten(self) -> Reads:
        """Leave out the states that follow from others of their ring (4)."""
        made, pending = self, [r for r in self.rings if r.size > 1]
        while pending:
            before, left = made.states.size, []
            for ring in pending:
                chosen, T = skeleton(made.matrix[np.searchsorted(made.states, ring)])
                made = made._substitute(ring, chosen, T)
                left.append(ring[chosen])
            if made.states.size == before:
                return made
            pending = [r for r in left if r.size > 1]
        return made

    def _substitute(self, ring: Indices, chosen: Indices, T: Vector) -> Reads:
        """Let whatever reads a ring read the chosen ones alone."""
        if chosen.size == ring.size:
            return self
        own = np.flatnonzero(np.isin(self.source, ring))
        late = np.unique(self.delay[own])
        blocks = [np.delete(self.matrix[:, : self.source.size], own, axis=1)]
        for d in late:
            at = own[self.delay[own] == d]
            blocks.append(_product(self.matrix[:, at], T[np.searchsorted(ring, self.source[at])]))
        blocks.append(self.matrix[:, self.source.size :])
        dropped = np.delete(ring, chosen)
        return replace(
            self,
            states=np.setdiff1d(self.states, dropped),
            matrix=np.delete(np.hstack(blocks), np.searchsorted(self.states, dropped), axis=0),
            source=np.append(np.delete(self.source, own), np.tile(ring[chosen], late.size)),
            delay=np.append(np.delete(self.delay, own), np.repeat(late, chosen.size)),
            eliminated=self.eliminated + dropped.size,
        )


def reads_of(
    entries: Entries,
    chains: Sequence[Chain],
    places: Indices,
    inputs: Indices = NONE,
    outputs: Indices = NONE,
) -> Reads:
    """Collect (1) from the entries of a map, over some of its coordinates."""
    base, delay, rings = _eliminate_chains(entries, chains)
    states = places[(delay[places] == 0) & ~np.isin(places, inputs) & ~np.isin(places, outputs)]
    row = _numbers(entries.size, np.concatenate([states, outputs]))
    given, is_state = _numbers(entries.size, inputs), np.isin(base, states)
    used = (row[entries.rows] >= 0) & (is_state | (given >= 0))[entries.columns]
    rows, at, values = row[entries.rows[used]], entries.columns[used], entries.values[used]
    free = given[at] < 0
    coordinate, which = np.unique(at[free], return_inverse=True)
    read, same = np.unique(
        np.stack([base[coordinate], delay[coordinate]]), axis=1, return_inverse=True
    )
    column = given[at] + read.shape[1]
    column[free] = same.ravel()[which]
    matrix = np.zeros((states.size + outputs.size, read.shape[1] + inputs.size))
    np.add.at(matrix, (rows, column), values)
    own = tuple(r[np.isin(r, states)] for r in rings)
    return Reads(states, matrix, read[0], read[1], int(np.sum(delay[places] > 0)), own)


def _numbers(size: int, members: Indices) -> Indices:
    """Number the members of a group; -1 for all others."""
    number = np.full(size, -1)
    number[members] = np.arange(members.size)
    return number


def _eliminate_chains(
    entries: Entries, chains: Sequence[Chain]
) -> tuple[Indices, Indices, list[Indices]]:
    """Newest entry and delay (2) of every coordinate, of what is in no chain itself and 0.

    Given with the newest entries of each chain.
    """
    base, delay, newest = np.arange(entries.size), np.zeros(entries.size, np.int64), []
    for c in chains:
        age = np.arange(c.size)
        aged = (entries.rows >= c.first + c.step) & (entries.rows < c.first + c.size)
        shift = entries.rows - entries.columns == c.step
        if np.all(shift[aged] & (entries.values[aged] == 1.0)):  # nobody writes into the past
            base[c.first : c.first + c.size] = c.first + age % c.step
            delay[c.first : c.first + c.size] = age // c.step
            newest.append(c.first + age[: c.step])
    return base, delay, newest


def skeleton(rows: Vector) -> tuple[Indices, Vector]:
    """Choose rows of which all are combinations: rows = T rows[chosen] of (4).

    Columns are seen at their own scales. The row that is furthest from those chosen is next.
    """
    largest = np.abs(rows).max(axis=0, initial=0.0)
    A = rows[:, largest > 0] / largest[largest > 0]
    left = A.copy()
    chosen: list[int] = []
    while len(chosen) < len(rows):
        size = np.abs(left).max(axis=1, initial=0.0)
        k = int(np.argmax(size))
        if size[k] <= SAME:
            break
        chosen.append(k)
        q = left[k] / np.linalg.norm(left[k])
        for _ in range(2):  # once is not enough for rows that are nearly parallel
            left -= np.outer(left @ q, q)
    order = np.sort(np.array(chosen, np.int64))
    T = np.linalg.lstsq(A[order].T, A.T, rcond=None)[0].T
    if order.size == len(rows) or np.abs(T @ A[order] - A).max(initial=0.0) > 10 * SAME:
        return np.arange(len(rows)), np.eye(len(rows))
    T[order] = np.eye(order.size)
    return order, T


def _product(A: Vector, B: Vector) -> Vector:
    """A B without what is left where terms cancel."""
    made = A @ B
    made[np.abs(made) <= CANCELLED * (np.abs(A) @ np.abs(B))] = 0.0
    return np.asarray(made)
