"""What predictors that run the structure ahead have: its equation of motion, and what is known.

    (M/dt² + C/2dt) x_k+1 = B e_k - R_k + 2M/dt² x_k - (M/dt² - C/2dt) x_k-1,   k = i+1, ...     (1)
    x(t_i+1 + τ) = W (x_i+1, x_i, r_i, f_i, e_i+1, ...),   R_i = r_i + L' f_i                    (2)

(1) starts from the target x_i+1, the displacement x_i before and the excitation to come. As long
as R follows from x by a matrix all of it is linear in what is known: (2), rows of numbers.
"""

from __future__ import annotations

from math import ceil
from typing import ClassVar

import numpy as np

from rths.compensator.base import Compensator, describe
from rths.equation import EquationOfMotion
from rths.errors import InputError
from rths.loop.block import Block, Vector, kernel
from rths.loop.fields import fields, many
from rths.quantity import Delay, Matrix
from rths.site import Site

NO_STEP = 1e-9
"""Part of a step that is round-off of a delay divided by it, and no step more."""
LATE = 1.5
"""Ticks between targets up to which the first call comes at t = 0: halfway between the one tick of
a target in each and the two of the shortest longer step."""
P = fields(
    size="n, degrees of freedom",
    others="columns of W beyond x_i+1 and x_i: r_i, f_i, e",
    rows=many("L W by rows"),
    rest=many("L x at t = 0, m"),
)
X = fields(at_zero="whether at t = 0", before=many("x_i, m"))


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # u = response (x_i+1 first), r_i if nonlinear, f_i, e_i+1, ...
    n, others = int(p[P.size]), int(p[P.others])
    before, known, w = x[X.before :], u[u.size - others :], 2 * n + others
    for c in range(y.size):
        row, s = p[P.rows + c * w :], 0.0
        for j in range(n):
            s += row[j] * u[j] + row[n + j] * before[j]
        for j in range(others):
            s += row[2 * n + j] * known[j]
        y[c] = s  # (2)
    if x[X.at_zero] != 0.0:  # no force has been measured yet: stay where the actuator is
        for c in range(y.size):
            y[c] = p[P.rows + y.size * w + c]
        x[X.at_zero] = 0.0
    for j in range(n):
        before[j] = u[j]


def horizon(delay: float, interval: float) -> tuple[int, float]:
    """Whole steps that reach over the delay, and where between the last two its end lies."""
    steps = ceil(delay / interval - NO_STEP)
    return steps, delay / interval - steps


def central_differences(e: EquationOfMotion, dt: float) -> tuple[Vector, Vector, Vector]:
    """Give the matrices on x_k, x_k-1 and the force in (1)."""
    force = np.asarray(np.linalg.inv(e.M / dt**2 + e.C / (2 * dt)), float)
    return force @ (2 * e.M / dt**2), force @ (e.C / (2 * dt) - e.M / dt**2), force


def parabola(place: float) -> Vector:
    """Weights of the points -2, -1, 0 at a place from -1 to 0."""
    s = place
    return np.array([s * (s + 1) / 2, -s * (s + 2), (s + 1) * (s + 2) / 2])


def known_rows(equation: EquationOfMotion, steps: int) -> tuple[Vector, Vector, Vector, Vector]:
    """Write x_i+1, x_i, R_i and the excitation (steps, n, columns) as rows over what is known."""
    n, (m, ne) = equation.size, (equation.L.shape[0], equation.B.shape[1])
    nr = 0 if equation.restoring is None else n
    known = np.eye(2 * n + nr + m + steps * ne)
    target, before, measured = known[:n], known[n : 2 * n], known[2 * n + nr :][:m]
    R = equation.L.T @ measured + (known[2 * n : 3 * n] if nr else equation.K @ before)
    e = known[2 * n + nr + m :].reshape(steps, ne, known.shape[1])
    return target, before, R, np.einsum("ij,kjl->kil", equation.B, e)


def starts_at_zero(site: Site) -> bool:
    """Tell whether the first call comes at t = 0, before any force is measured."""
    return site.stage <= LATE * site.tick


@describe
class ModelPrediction(Compensator):
    """Base of predictors with the mass, damping and stiffness of the whole test."""

    integrates_structure = True

    cites: ClassVar[tuple[str, ...]] = ("carrion2006",)
    joint: ClassVar[bool] = True
    inputs = ("integrator.response", "structure.restoring", "feedback.force", "excitation.ahead")

    delay: Delay
    """Delay tau to be made up for, s; of all actuators."""
    interface_stiffness: Matrix
    """Initial stiffness of the specimens, N/m: one number for each actuator alike, or a matrix."""

    def preview(self, stage: float) -> int:
        """Count the steps of the prediction: each needs the excitation where it starts."""
        return horizon(self.delay, stage)[0]

    def total_stiffness(self, equation: EquationOfMotion) -> Vector:
        """Give K + L' k_e L, the stiffness of the whole."""
        k, m = np.array(self.interface_stiffness), equation.L.shape[0]
        if k.shape == (1, 1):
            k = k[0, 0] * np.eye(m)
        if k.shape != (m, m):
            raise InputError(
                "compensator.interface_stiffness",
                k.tolist(),
                f"is {k.shape[0]}x{k.shape[1]} for {m} actuator(s)",
                f"Give one number, or {m} rows of {m}.",
            )
        total: Vector = equation.K + equation.L.T @ k @ equation.L
        return total

    def prediction(self, equation: EquationOfMotion, dt: float) -> Vector:
        """Give W of (2): n rows over what is known."""
        raise NotImplementedError

    def block(self, site: Site) -> Block:
        """Yield the block of (2), with a structure that has stood still before."""
        e = site.equation
        assert e is not None
        W = e.L @ self.prediction(e, site.interval)
        others, rest = W.shape[1] - 2 * e.size, e.L @ e.displacement
        params = P.pack(size=e.size, others=others, rows=W, rest=rest)
        states = X.pack(at_zero=starts_at_zero(site), before=e.displacement)
        return Block(step, params, states, outputs=len(rest), counters=(X.at_zero,))
