"""Schemes for many degrees of freedom: sparse products and banded solutions in place of one matrix.

    z = Σ c_i v_i,   z = S v,   A z = v   with A = P' L L' P factorised before the test          (1)

A scheme that is linear in its memory and its inputs is one dense matrix a call, ``Scheme`` of
base.py; that costs n². Here it is a short list of the operations (1) on vectors of n: with matrices
of few entries in a row, and degrees of freedom ordered so that L is a narrow band, each of them
takes time in proportion to n. Formulas are written with forms, sums of vectors with factors.

[cuthill1969] for the order P.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rths.equation import EquationOfMotion
from rths.errors import InputError
from rths.loop.block import Block, Vector, kernel
from rths.loop.fields import fields, many

MANY = 60
"""Degrees of freedom up to which one dense matrix is as fast."""
NARROW = 6
"""A band pays if it is narrower than n over this."""
END, SUM, ANSWER, INPUTS, MULTIPLY, SOLVE = range(6)
"""Operations; ANSWER is a SUM that is written to y."""

P = fields(
    size="n",
    work="place in x of a vector to work with",
    inputs="numbers of r among the inputs: n, or 0 for a linear structure",
    lists="how many lists of operations there are",
    again="list to go back to after the last",
    begins=many("place of each list"),
    operations=many("STEPs of all lists"),
    matrices=many("matrices and factors"),
)
X = fields(vectors=many("of n each: memory, results, one to work with"), list="which list is due")
STEP = fields(
    op="which operation",
    to="place in x, or in y, of what comes out",
    by="place in p of the matrix or the factors; of a sum how many terms it has",
    source=many("place in x of a vector; of a sum TERM of each"),
)
"""One operation of a list."""
TERM = fields(vector="place in x of a vector", factor="its factor")
"""One term of a sum."""


@kernel
def advance(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    n, k = int(p[P.size]), int(x[X.list])
    at = int(p[P.begins + k])
    op = int(p[at + STEP.op])
    while op != END:
        to, by = int(p[at + STEP.to]), int(p[at + STEP.by])
        if op == SUM:
            add_up(x, p, at, x[to : to + n])
        elif op == ANSWER:
            add_up(x, p, at, y[to : to + n])
        elif op == INPUTS:
            take_inputs(p, by, u, x[to : to + n])
        elif op == MULTIPLY:
            source = int(p[at + STEP.source])
            multiply(p, by, x[source : source + n], x[to : to + n])
        else:
            source, work = int(p[at + STEP.source]), int(p[P.work])
            solve(p, by, x[source : source + n], x[work : work + n], x[to : to + n])
        at += STEP.source + (len(TERM) * by if op <= ANSWER else 1)
        op = int(p[at + STEP.op])
    x[X.list] = k + 1.0 if k + 1 < int(p[P.lists]) else p[P.again]


def add_up(x: Vector, p: Vector, at: int, z: Vector) -> None:
    """Put a sum of vectors with factors into z."""
    term = at + STEP.source
    first, c = int(p[term + TERM.vector]), p[term + TERM.factor]
    for i in range(z.size):
        z[i] = c * x[first + i]
    for _ in range(1, int(p[at + STEP.by])):
        term += len(TERM)
        first, c = int(p[term + TERM.vector]), p[term + TERM.factor]
        for i in range(z.size):
            z[i] += c * x[first + i]


def take_inputs(p: Vector, at: int, u: Vector, z: Vector) -> None:
    """Put B e - L' f - r into z."""
    r = int(p[P.inputs])
    multiply(p, at, u[r : u.size], z)
    for i in range(r):
        z[i] -= u[i]


def multiply(p: Vector, at: int, v: Vector, z: Vector) -> None:
    """Put S v into z; S by rows: beginnings, then columns, then entries."""
    n = z.size
    columns = at + n + 1
    entries = columns + int(p[at + n])
    for i in range(n):
        s = 0.0
        for j in range(int(p[at + i]), int(p[at + i + 1])):
            s += p[entries + j] * v[int(p[columns + j])]
        z[i] = s


def solve(p: Vector, at: int, v: Vector, w: Vector, z: Vector) -> None:
    """Put the solution of A z = v into z; A by its band, its order, the columns of L."""
    n, band = z.size, int(p[at])
    order, first = at + 1, at + 1 + n
    for i in range(n):
        w[i] = v[int(p[order + i])]
    for j in range(n):
        column = first + j * (band + 1)
        c = w[j] * p[column]  # 1/L_jj stands there
        w[j] = c
        for i in range(1, min(band, n - 1 - j) + 1):
            w[j + i] -= p[column + i] * c
    for j in range(n - 1, -1, -1):
        column = first + j * (band + 1)
        s = w[j]
        for i in range(1, min(band, n - 1 - j) + 1):
            s -= p[column + i] * w[j + i]
        w[j] = s * p[column]
    for i in range(n):
        z[int(p[order + i])] = w[i]


@dataclass(frozen=True)
class Form:
    """A sum of vectors, by their numbers, with factors."""

    terms: dict[int, float]

    def __add__(self, other: Form) -> Form:
        terms = dict(self.terms)
        for vector, factor in other.terms.items():
            terms[vector] = terms.get(vector, 0.0) + factor
        return Form(terms)

    def __rmul__(self, factor: float) -> Form:
        return Form({vector: factor * c for vector, c in self.terms.items()})

    def __sub__(self, other: Form) -> Form:
        return self + -1.0 * other


class SparseScheme:
    """Writes a scheme as lists of operations over its memory and its inputs."""

    def __init__(self, equation: EquationOfMotion, *memory: Vector) -> None:
        self.equation, self.n, self.start = equation, equation.size, memory
        self.order = band_order(equation)[0]
        self.memory = [Form({k: 1.0}) for k in range(len(memory))]
        self.lists: list[list[list[float]]] = []
        self.data: list[Vector] = []
        self.kept: dict[tuple[str, bytes], int] = {}
        self.vectors = self.most = len(memory)

    def begin(self) -> None:
        """Begin a list of operations, for one call of the block."""
        self.lists.append([])
        self.vectors = len(self.memory)

    def _new(self, operation: int, *rest: float) -> Form:
        vector, self.vectors = self.vectors, self.vectors + 1
        self.lists[-1].append([operation, vector, *rest])
        return Form({vector: 1.0})

    def _store(self, kind: str, matrix: Vector) -> int:
        key = (kind, matrix.tobytes())
        if key not in self.kept:
            self.kept[key] = len(self.data)
            made = by_rows(matrix) if kind == "rows" else factor(matrix, self.order)
            self.data.append(made)
        return self.kept[key]

    def _vector(self, form: Form) -> int:
        """Give the number of a vector that holds a form."""
        if list(form.terms.values()) == [1.0]:
            return next(iter(form.terms))
        vector, self.vectors = self.vectors, self.vectors + 1
        self.lists[-1].append([SUM, vector, *_flatten_form(form)])
        return vector

    def _copy(self, form: Form) -> int:
        """Give the number of a vector that holds a form and is not one of the memory."""
        vector = self._vector(form)
        if vector >= len(self.memory):
            return vector
        copy, self.vectors = self.vectors, self.vectors + 1
        self.lists[-1].append([SUM, copy, *_flatten_form(form)])
        return copy

    def times(self, matrix: Vector, form: Form) -> Form:
        """Multiply a form by a matrix."""
        source = self._vector(form)
        return self._new(MULTIPLY, self._store("rows", matrix), source)

    def solve(self, matrix: Vector, form: Form) -> Form:
        """Solve a symmetric, positive system for a form."""
        source = self._vector(form)
        return self._new(SOLVE, self._store("factor", matrix), source)

    def force(self, x: Form) -> Form:
        """Give B e - L' f - r(x)."""
        e = self.equation
        acting = self._new(INPUTS, self._store("rows", np.hstack([-e.L.T, e.B])), 0)
        return acting if e.restoring is not None else acting - self.times(e.K, x)

    def finish(self, memory: Sequence[Form], response: Sequence[Form]) -> None:
        """End a list with what is answered and what is remembered."""
        operations = self.lists[-1]
        for k, form in enumerate(response):
            operations.append([ANSWER, k, *_flatten_form(form)])
        after = [self._copy(form) for form in memory]  # all are read before one is written
        for k, vector in enumerate(after):
            operations.append([SUM, k, 1.0, vector, 1.0])
        self.most = max(self.most, self.vectors)

    def block(self, outputs: int, back: int) -> Block:
        """Yield the block of the lists taken in turn, then from ``back`` again."""
        n, first = self.n, P.begins + len(self.lists)
        sizes = [sum(map(len, operations)) + 1 for operations in self.lists]
        begins = first + np.concatenate([[0], np.cumsum(sizes)])
        ends = begins[-1] + np.concatenate([[0], np.cumsum([d.size for d in self.data])])
        lists = [self._place(operations, ends) for operations in self.lists]
        params = P.pack(
            size=n,
            work=self.most * n,
            inputs=n if self.equation.restoring is not None else 0,
            lists=len(self.lists),
            again=back,
            begins=begins[:-1],
            operations=np.concatenate(lists),
            matrices=np.concatenate([np.zeros(0), *self.data]),
        )
        states = X.pack(vectors=np.zeros((self.most + 1) * n), list=0)
        states[: len(self.start) * n] = np.concatenate(self.start)
        return Block(advance, params, states, outputs, counters=[states.size + X.list])

    def _place(self, operations: list[list[float]], ends: NDArray[Any]) -> Vector:
        """Write operations with places in x and p for numbers of vectors and matrices."""
        placed: list[float] = []
        for operation in operations:
            row, n = list(operation), self.n
            row[STEP.to] *= n
            if row[STEP.op] in (SUM, ANSWER):
                terms = slice(STEP.source + TERM.vector, None, len(TERM))
                row[terms] = [vector * n for vector in row[terms]]
            else:
                row[STEP.by] = float(ends[int(row[STEP.by])])
                row[STEP.source] *= n
            placed += row
        return np.array([*placed, float(END)])


def _flatten_form(form: Form) -> list[float]:
    return [float(len(form.terms)), *(v for term in form.terms.items() for v in term)]


def by_rows(matrix: Vector) -> Vector:
    """Write a sparse matrix by rows: beginnings, columns, entries."""
    rows, columns = np.nonzero(matrix)
    begins = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=len(matrix)))])
    return np.concatenate([begins, columns, matrix[rows, columns]]).astype(float)


def factor(matrix: Vector, order: NDArray[np.intp]) -> Vector:
    """Factorise a matrix in an order: its band, the order, the columns of L with 1/L_jj."""
    try:
        L = np.linalg.cholesky(matrix[np.ix_(order, order)])
    except np.linalg.LinAlgError:
        problem = "makes a system that is not positive with its damping and stiffness"
        remedy = "Check masses, damping, stiffness and the step."
        raise InputError("structure.mass", None, problem, remedy) from None
    n = len(L)
    rows, columns = np.nonzero(L)
    band = int(np.max(rows - columns))
    packed = np.zeros((n, band + 1))
    packed[columns, rows - columns] = L[rows, columns]
    packed[:, 0] = 1.0 / packed[:, 0]
    return np.concatenate([[band], order, packed.ravel()]).astype(float)


def band_order(equation: EquationOfMotion) -> tuple[NDArray[np.intp], int]:
    """Order degrees of freedom for a narrow band; give the order and the band."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import reverse_cuthill_mckee

    e = equation
    pattern = (e.M != 0) | (e.C != 0) | (e.K != 0) | ((np.abs(e.L.T) @ np.abs(e.L)) != 0)
    pattern |= pattern.T
    order = np.asarray(reverse_cuthill_mckee(csr_array(pattern.astype(np.int8)), True), np.intp)
    rows, columns = np.nonzero(pattern[np.ix_(order, order)])
    return order, int(np.max(np.abs(rows - columns), initial=0))


def sparse_pays(equation: EquationOfMotion) -> bool:
    """Tell whether a step is cheaper in pieces than as one dense matrix."""
    e = equation
    if e.size <= MANY or not all(np.array_equal(m, m.T) for m in (e.M, e.C, e.K)):
        return False
    return band_order(e)[1] * NARROW < e.size
