"""Model-based prediction: run the structure ahead over the delay, with what is known beforehand.

    (M/dt² + C/2dt) x_k+1 = B e_k - R_k + 2M/dt² x_k - (M/dt² - C/2dt) x_k-1,   k = i+1, ...     (1)
    R_k+1 = R_k + K (x_k+1 - x_k),   R_i = r(x_i) + L' f_i measured                              (2)

(1) starts from the target x_i+1, the displacement x_i before and the excitation to come; K is the
initial stiffness of the whole. After τ/dt steps L x is the command. Everything in (1) and (2) is
linear: the command is one row of numbers times (x_i+1, x_i, r_i, f_i, e_i+1, ...), whatever the
size of the structure. Between whole steps a parabola through the last three points is taken.

A linear test with central differences and a dead time of whole steps is reproduced exactly, for
any ω τ. It is as good as its delay: 1.25 ms too short a delay costs it its advantage at 13 Hz.

Use it for stiff structures and long delays, when the excitation is known in advance; with central
differences or explicit Newmark, whose steps (1) repeats, within their limit ω dt <= 2.

[carrion2006] eqs (2), (3).
"""

from __future__ import annotations

from math import ceil
from typing import ClassVar

import numpy as np

from rths.compensator.base import Compensator, describe, register
from rths.equation import EquationOfMotion
from rths.errors import InputError
from rths.loop.block import Block, Vector, kernel
from rths.loop.site import Site
from rths.quantity import Delay, Matrix


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # u = response (x_i+1 first), r_i if nonlinear, f_i, e_i+1, ...;   x = x_i, whether at t = 0
    # p = n, columns of W beyond x_i+1 and x_i, then W by rows: x_i+1, x_i, r_i, f_i, e
    n, others = int(p[0]), int(p[1])
    first, w = u.size - others, 2 * n + others
    for c in range(y.size):
        row, s = 2 + c * w, 0.0
        for j in range(n):
            s += p[row + j] * u[j] + p[row + n + j] * x[j]
        for j in range(others):
            s += p[row + 2 * n + j] * u[first + j]
        y[c] = s
    if x[n] != 0.0:  # no force has been measured yet: stay where the actuator is
        for c in range(y.size):
            y[c] = p[2 + y.size * w + c]
        x[n] = 0.0
    for j in range(n):
        x[j] = u[j]


def horizon(delay: float, interval: float) -> tuple[int, float]:
    """Whole steps that reach over the delay, and where between the last two its end lies."""
    steps = ceil(delay / interval - 1e-9)
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


def prediction_rows(equation: EquationOfMotion, K: Vector, dt: float, delay: float) -> Vector:
    """Give W of x(t_i+1 + tau) by (1) and (2): n rows over what is known."""
    steps, place = horizon(delay, dt)
    on_x, on_old, on_force = central_differences(equation, dt)
    x, old, R, load = known_rows(equation, steps)
    points = [old, old, x]
    for k in range(steps):
        R = R + K @ (x - old)  # (2)
        x, old = on_x @ x + on_old @ old + on_force @ (load[k] - R), x  # (1)
        points.append(x)
    W: Vector = np.tensordot(parabola(place), np.array(points[-3:]), 1) if place else x
    return W


@register
@describe
class ModelBased(Compensator):
    """Predictor with the mass, damping and initial stiffness of the whole test."""

    example = {"delay": 0.006, "interface_stiffness": 2250.0}
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
        """Give W of x(t_i+1 + tau): n rows over what is known."""
        return prediction_rows(equation, self.total_stiffness(equation), dt, self.delay)

    def block(self, site: Site) -> Block:
        """Yield the block of W, with a structure that has stood still before."""
        e = site.equation
        assert e is not None
        W = e.L @ self.prediction(e, site.interval)
        n, rest = e.size, e.L @ e.displacement
        params = np.concatenate([[n, W.shape[1] - 2 * n], W.ravel(), rest])
        at_zero = float(site.stage <= 1.5 * site.tick)  # then the first call comes at t = 0
        states = np.append(e.displacement, at_zero)
        return Block(step, params, states, outputs=len(rest), counters=(n,))
