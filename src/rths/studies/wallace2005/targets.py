"""What the paper states about critical delays and forward prediction, computed again.

[wallace2005] DETC2005-85010, targets W1 to W17.
"""

from __future__ import annotations

from functools import cache
from math import pi

import numpy as np

from rths.studies.claims import read_claims
from rths.studies.target import Targets, Value
from rths.studies.wallace2005.rig import (
    DAMPING,
    DELAY,
    EQUATION,
    MASS,
    POINTS,
    RATE,
    SAMPLING,
    SPECIMEN,
    STIFFNESS,
    delayed_rig,
    predicted_loop,
)
from rths.theory.delay.rightmost_roots import rightmost_root
from rths.theory.scalar.delayed_simulation import SettledCycle, settled_cycle, simulate
from rths.theory.scalar.describing_function import saturation_cycle
from rths.theory.scalar.equation import ScalarEquation, principal_root
from rths.theory.scalar.growth_rate import growth_rate
from rths.theory.scalar.hopf import critical_delay, hopf_points
from rths.theory.scalar.lobes import harmless_stiffness, perturbation_delay
from rths.theory.step.extrapolation import least_squares_weights
from rths.theory.step.prediction_interval import permissible_prediction

TARGETS = Targets(claims=read_claims(__package__))
MS = 1e3
"""Milliseconds in a second."""


@TARGETS.of("W1", target={"delay, ms": MS * 15 / 2250, "non-dimensional": 15 / (2250 * 2.2) ** 0.5})
def delay_by_perturbation() -> Value:
    """W1."""
    delay = perturbation_delay(DAMPING, SPECIMEN)
    return {"delay, ms": MS * delay, "non-dimensional": RATE * delay}


@TARGETS.of("W2")
def exact_critical_delay() -> Value:
    """W2."""
    first = hopf_points(EQUATION, 1.0)[0]
    assert first.delay == critical_delay(EQUATION)
    return {
        "delay, ms": MS * first.delay / RATE,
        "non-dimensional": first.delay,
        "frequency": first.frequency,
    }


@TARGETS.of("W3")
def critical_delay_by_roots() -> Value:
    """W3."""
    from scipy.optimize import brentq

    return MS * float(
        brentq(lambda tau: rightmost_root(delayed_rig(tau)).real, 5e-3, 9e-3, xtol=1e-12)
    )


@TARGETS.of("W4")
def roots_over_delay() -> Value:
    """W4."""
    return [rightmost_root(delayed_rig(tau)) for tau in (0.0, 0.5e-3, 5e-3, 9.4e-3, 20e-3)]


@TARGETS.of("W5")
def crossings_of_the_rig() -> Value:
    """W5."""
    points = hopf_points(EQUATION, 10.0)[:3]
    return {"delays": [h.delay for h in points], "directions": [h.direction for h in points]}


@TARGETS.of("W6")
def crossings_of_a_softer_specimen() -> Value:
    """W6."""
    points = hopf_points(ScalarEquation(EQUATION.damping_ratio, 0.5), 13.0)[:5]
    return {"delays": [h.delay for h in points], "directions": [h.direction for h in points]}


@TARGETS.of("W7")
def harmless_bound() -> Value:
    """W7."""
    return harmless_stiffness(EQUATION.damping_ratio)


@TARGETS.of("W8")
def least_prediction() -> Value:
    """W8."""
    return MS * (DELAY - critical_delay(EQUATION) / RATE)


@TARGETS.of("W9")
def range_of_order_2() -> Value:
    """W9."""
    return [MS * end for end in permissible_prediction(predicted_loop(2))]


@TARGETS.of("W10")
def range_of_order_3() -> Value:
    """W10."""
    return [MS * end for end in permissible_prediction(predicted_loop(3))]


@TARGETS.of("W11")
def roots_when_compensated() -> Value:
    """W11."""
    found = {f"order {n}": rightmost_root(predicted_loop(n).equation(DELAY)) for n in (2, 3)}
    return {**found, "emulated": rightmost_root(delayed_rig(0.0))}


@TARGETS.of("W12")
def simulated_growth() -> Value:
    """W12."""
    return [growth_rate(free_response(ahead)[10_000:25_000], 1e-4).real for ahead in (0, 2.6, 9.4)]


def free_response(ahead: float, seconds: float = 2.5) -> np.typing.NDArray[np.float64]:
    """Release the mass at 10 mm with a prediction of ``ahead`` ms, order 3, in steps of 0.1 ms."""
    late = DELAY + SAMPLING * np.arange(POINTS)
    run = simulate(
        "spring",
        SPECIMEN / MASS,
        late.tolist(),
        damping=DAMPING / MASS,
        stiffness=STIFFNESS / MASS,
        start=(0.01, 0.0),
        step=1e-4,
        steps=round(seconds / 1e-4),
        weights=least_squares_weights(3, POINTS, 1e-3 * ahead / SAMPLING),
    )
    return run.displacement


@TARGETS.of("W13")
def slow_growth() -> Value:
    """W13."""
    return rightmost_root(delayed_rig(6.8e-3)).real


@TARGETS.of("W14")
def steady_state_error() -> Value:
    """W14."""
    raw = predicted_loop(0, delay=6.77e-3, points=1)
    return {
        "order 3": predicted_loop(3).steady_error(DELAY, 1.5),
        "order 2": predicted_loop(2).steady_error(DELAY, 1.5),
        "uncompensated 6.77 ms": raw.steady_error(0.0, 1.5),
    }


@TARGETS.of("W15")
def over_compensation() -> Value:
    """W15."""
    roots = [RATE * principal_root(EQUATION, RATE * tau) for tau in (0.0, -0.5e-3)]
    return {"root, 1/s": roots[1], "damping ratio": [-s.real / abs(s) for s in roots]}


LATE = (8e-3, 9.4e-3, 15e-3)
"""Delays beyond the critical one, s, at which the saturated loop settles to a cycle."""


@TARGETS.of("W16")
def simulated_cycles() -> Value:
    """W16."""
    cycles = [saturated_cycle(tau) for tau in LATE]
    return {
        "amplitude": [c.amplitude for c in cycles],
        "period": [c.period for c in cycles],
    }


@cache
def saturated_cycle(delay: float) -> SettledCycle:
    """Simulate (16), (17) from z = a/2 and measure the settled oscillation."""
    run = simulate(
        "saturating",
        SPECIMEN / MASS,
        delay,
        damping=DAMPING / MASS,
        stiffness=STIFFNESS / MASS,
        start=(0.5, 0.0),
        step=1e-4,
        steps=300_000,
    )
    return settled_cycle(run, 0.9)


@TARGETS.of("W17")
def described_cycles() -> Value:
    """W17."""
    cycles = [saturation_cycle(EQUATION, RATE * tau) for tau in LATE]
    amplitude = [c.amplitude for c in cycles if c]
    simulated = [saturated_cycle(tau).amplitude for tau in LATE]
    return {
        "amplitude": amplitude,
        "period": [2 * pi / c.frequency / RATE for c in cycles if c],
        "difference": max(abs(a / s - 1) for a, s in zip(amplitude, simulated, strict=True)),
    }
