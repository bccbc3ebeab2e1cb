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

import numpy as np

from rths.compensator._prediction import (
    ModelPrediction,
    central_differences,
    horizon,
    known_rows,
    parabola,
)
from rths.compensator.base import describe, register
from rths.equation import EquationOfMotion
from rths.loop.block import Vector


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
class ModelBased(ModelPrediction):
    """Predictor with the mass, damping and initial stiffness of the whole test."""

    example = {"delay": 0.006, "interface_stiffness": 2250.0}

    def prediction(self, equation: EquationOfMotion, dt: float) -> Vector:
        """Give W of x(t_i+1 + tau): n rows over what is known."""
        return prediction_rows(equation, self.total_stiffness(equation), dt, self.delay)
