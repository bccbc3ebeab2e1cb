"""What every integrator has: a block that turns the force of now into the displacement of next.

At a stage boundary t_k the block reads the nonlinear restoring forces (if any), the measured
forces f and the excitation e, in this order, and writes

    y = x(t_k+1)   [, x(t_k), x'(t_k), x''(t_k), x'(t_k+1)]                                     (1)

The response in brackets is written when the signal has room for it: velocities of the times named,
whatever a scheme calls so, and the acceleration that balances the forces of t_k. The last velocity
is the one the scheme itself goes on with; where it is not known before the force at t_k+1 is, it
is x'(t_k) + dt x''(t_k), all of second order.

A scheme that is linear in its memory z and its inputs u is one matrix a call,

    (z_k+1, y) = A (z_k, u_k)                                                                 (2)

whatever the structure: a nonlinear restoring force is an input like the measured one. ``Scheme``
lets its formulas be written as printed, each vector a form: rows over (z, u). Where z = (x, w) and
the velocity w moves the displacement,

    x_k+1 = x_k + dt w_k+1                                                                    (3)

half of the rows of a large structure need not be multiplied: a step costs what is read of A.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rths.description import describe
from rths.equation import EquationOfMotion
from rths.errors import InputError
from rths.loop.block import Block, Vector, kernel
from rths.loop.fields import fields, many
from rths.quantity import Matrix
from rths.registry import find, kinds, register

__all__ = ["Integrator", "ModelBased", "Scheme", "describe", "input_matrix", "register", "schemes"]

RESPONSE = ("displacement", "velocity", "acceleration", "next_velocity")
"""What follows the next displacement in (1), in its order."""


@describe
class Integrator:
    """Base of all integrators."""

    role: ClassVar[str] = "integrator"
    kind: ClassVar[str]
    example: ClassVar[Mapping[str, Any]]
    """Fields of a working member: what tests, benches and ``rths explain`` take."""
    stages: ClassVar[int] = 1
    """Targets for each step of the integrator."""
    stability_limit: ClassVar[float] = inf
    """Circular frequency times step beyond which an undamped mode grows."""
    prescribes: ClassVar[bool] = False
    """Whether it reads the excitation of the next stage and nothing else: no loop is closed."""

    def block(self, equation: EquationOfMotion, step: float, outputs: int) -> Block:
        """Yield the block (1) for a step; ``outputs`` is n, or 5n if the response is wanted."""
        raise NotImplementedError


def schemes() -> list[str]:
    """List the kinds that calculate a structure, not those that prescribe its motion."""
    return [k for k in kinds("integrator") if not find("integrator", k).prescribes]


@describe
class ModelBased(Integrator):
    """Base of integrators whose matrices contain the stiffness of structure and specimen."""

    interface_stiffness: Matrix = ((0.0,),)
    """Estimate of the specimen's initial stiffness, N/m: one number for each actuator alike, or a
    matrix over the actuators. The better it is, the closer the scheme comes to its theory."""

    def total_stiffness(self, equation: EquationOfMotion) -> Vector:
        """Give K + L' K_e L, the stiffness of the whole test."""
        given, m = np.array(self.interface_stiffness), equation.L.shape[0]
        if given.shape == (1, 1):
            given = given[0, 0] * np.eye(m)
        if given.shape != (m, m):
            shape = "x".join(map(str, given.shape))
            raise InputError(
                "integrator.interface_stiffness",
                given.tolist(),
                f"is {shape} for {m} actuator(s)",
                f"Give one number, or {m} rows of {m}.",
            )
        total: Vector = equation.K + equation.L.T @ given @ equation.L
        return total


def input_matrix(equation: EquationOfMotion) -> Vector:
    """Stack what the inputs of a block do to the right side: -r (if nonlinear), -L' f, +B e."""
    parts = [-equation.L.T, equation.B]
    if equation.restoring is not None:
        parts.insert(0, -np.eye(equation.size))
    return np.hstack(parts)


P = fields(
    size="m, numbers of z",
    rows="rows of a map",
    maps="how many maps there are",
    again="map to go back to after the last",
    step="dt if (3) holds, else 0",
    places=many("places of y in x, then the maps (2), each by columns"),
)
X = fields(
    z=many("z_k (m)"), results=many("results (rows; the first m are z_k+1)"), map="which map is due"
)


@kernel
def advance(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    m, rows, k = int(p[P.size]), int(p[P.rows]), int(x[X.map])
    moved = m // 2 if p[P.step] > 0.0 else 0  # rows that (3) saves
    multiplied = rows - moved
    at = P.places + y.size + k * multiplied * (m + u.size)
    z = x[m + moved : m + rows]
    for i in range(multiplied):
        z[i] = 0.0
    for j in range(m + u.size):  # by columns: the rows do not wait for one another
        c = x[j] if j < m else u[j - m]
        column = p[at : at + multiplied]
        for i in range(multiplied):
            z[i] += column[i] * c  # (2)
        at += multiplied
    for i in range(moved):
        x[m + i] = x[i] + p[P.step] * z[i]  # (3)
    for i in range(y.size):
        y[i] = x[int(p[P.places + i])]
    for j in range(m):
        x[j] = x[m + j]
    x[X.map] = k + 1.0 if k + 1.0 < p[P.maps] else p[P.again]


class Scheme:
    """Writes a scheme as forms over its memory (some vectors of n) and its inputs."""

    def __init__(self, equation: EquationOfMotion, *memory: Vector) -> None:
        self.equation, self.n = equation, equation.size
        self.start = np.concatenate(memory)
        self.width = self.start.size + input_matrix(equation).shape[1]
        unit = np.eye(self.start.size, self.width)
        self.memory = [unit[i * self.n : (i + 1) * self.n] for i in range(len(memory))]

    def force(self, x: Vector) -> Vector:
        """Give B e - L' f - r(x), the form of the force on the masses apart from damping."""
        e = self.equation
        K = e.K if e.restoring is None else np.zeros_like(e.K)
        form: Vector = -K @ x
        form[:, self.start.size :] += input_matrix(e)
        return form

    def block(
        self,
        maps: Sequence[tuple[Sequence[NDArray[Any]], Sequence[NDArray[Any]]]],
        outputs: int,
        back: int = 0,
        step: float = 0.0,
    ) -> Block:
        """Yield the block of maps (next memory, response (1)) taken in turn, then from ``back``.

        A ``step`` says that (3) holds, for a memory of two.
        """
        n, parts = self.n, len(self.memory)
        rows, places = [list(after) for after, _ in maps], list[int]()
        for i in range(outputs // n):
            wanted = [response[i] for _, response in maps]
            old_or_new = [*([z] * len(maps) for z in self.memory), *zip(*rows, strict=True)]
            same = [all(map(np.array_equal, wanted, known)) for known in old_or_new]
            if not any(same):
                for row, form in zip(rows, wanted, strict=True):
                    row.append(form)
                same.append(True)
            places += range(same.index(True) * n, same.index(True) * n + n)
        by_columns = [np.vstack(row[1:] if step else row).T.ravel() for row in rows]
        states = X.pack(z=self.start, results=np.zeros(len(rows[0]) * n), map=0)
        params = P.pack(
            size=parts * n,
            rows=len(rows[0]) * n,
            maps=len(maps),
            again=back,
            step=step,
            places=np.concatenate([places, *by_columns]),
        )
        return Block(advance, params, states, outputs, counters=[states.size + X.map])
