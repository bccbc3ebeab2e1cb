"""The rig in numbers: mass, damper and spring computed, a second spring as the specimen."""

from __future__ import annotations

from rths.theory.delay.equation import DelayedTerm, DelayEquation, second_order
from rths.theory.scalar.equation import non_dimensional
from rths.theory.step.prediction_interval import PredictedLoop

MASS, DAMPING, STIFFNESS, SPECIMEN = 2.2, 15.0, 2250.0, 2250.0
"""As printed, SI."""
DELAY = 9.4e-3
"""Delay of the actuator, s."""
POINTS, SAMPLING = 12, 1e-3
"""Points of the prediction, and the time between them: 1 ms fits both printed ranges."""
EQUATION, RATE = non_dimensional(MASS, DAMPING, STIFFNESS, SPECIMEN)


def delayed_rig(delay: float) -> DelayEquation:
    """Give equation (3) at a delay in seconds."""
    return second_order(MASS, DAMPING, STIFFNESS, [DelayedTerm(delay, SPECIMEN)])


def predicted_loop(order: int, delay: float = DELAY, points: int = POINTS) -> PredictedLoop:
    """Give equations (2) and (14): forward prediction by least squares."""
    return PredictedLoop(MASS, DAMPING, STIFFNESS, SPECIMEN, delay, order, points, SAMPLING)
