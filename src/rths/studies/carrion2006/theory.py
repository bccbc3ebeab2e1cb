"""Limits of the loop, the actuator, the damper's law and the integrators: closed forms.

[carrion2006] targets C1 to C8, C16, C18 to C20.
"""

from __future__ import annotations

from functools import partial
from math import pi

import numpy as np

from rths.compensator.model_broyden import learn
from rths.excitation.ground_motion import GroundMotion
from rths.studies.carrion2006.damper import loop
from rths.studies.carrion2006.frame import (
    DELAY,
    PHYSICAL,
    SHARE,
    STEP,
    ZETA,
    compensator,
    history,
    identified_actuator,
    nrmse,
    numerical_part,
    rehearsal,
)
from rths.studies.claims import read_claims
from rths.studies.target import Targets, Value
from rths.theory.step.amplification import spectral_radius, stable_ranges
from rths.theory.step.dead_time import first_unstable_frequency
from rths.theory.step.extrapolated_loop import (
    critical_extrapolated_delay,
    energy_balance_frequency,
)
from rths.theory.step.extrapolation import polynomial_weights
from rths.theory.step.integrator_amplification import alpha_os, central_difference
from rths.theory.step.predictor_response import harmonic_margin, polynomial
from rths.transfer.dead_time import DeadTime

THEORY = Targets(claims=read_claims(__package__))
ORDERS = (0, 1, 2, 3, 4)
"""Orders of the extrapolations that the paper compares."""


@THEORY.of("C1", target=2 * 0.02 / (2 * pi * (3.61 / (3.61 + 6.65)) * 12.4e-3))
def energy_balance() -> Value:
    """C1."""
    return energy_balance_frequency(ZETA, SHARE, DELAY)


@THEORY.of("C2")
def uncompensated_limit() -> Value:
    """C2."""
    return {
        "continuous": critical_extrapolated_delay(ZETA, SHARE, 0) / (2 * pi * DELAY),
        "central differences": first_unstable_frequency(STEP, ZETA, SHARE, 2),
    }


@THEORY.of("C3", target=[0.0, 0.0, pi / 3, pi / 2, 0.0, 0.0])
def harmonic_limits() -> Value:
    """C3."""
    return [harmonic_margin(partial(polynomial, order=n)) for n in (*ORDERS, 5)]


@THEORY.of("C4")
def loop_limits() -> Value:
    """C4."""
    return [critical_extrapolated_delay(0.0, 1.0, n) for n in (2, 3)]


@THEORY.of("C5")
def frame_limits() -> Value:
    """C5."""
    found = [critical_extrapolated_delay(ZETA, SHARE, n) for n in ORDERS]
    return {"omega_0 tau": found, "frequency": [x / (2 * pi * DELAY) for x in found]}


@THEORY.of("C6")
def weights() -> Value:
    """C6."""
    return {"one": polynomial_weights(3, 1.0), "two": polynomial_weights(3, 2.0)}


@THEORY.of("C7")
def fitted_actuator() -> Value:
    """C7."""
    a = identified_actuator()
    f = np.linspace(0.1, 28.7, 2000)
    delay = -np.unwrap(np.angle(a.response(f))) / (2 * pi * f)
    return {
        "frequency, Hz": a.frequency,
        "damping": a.damping,
        "dead time, ms": 1e3 * a.dead_time,
        "phase delay, ms": [1e3 * delay.min(), 1e3 * delay.max()],
    }


@THEORY.of("C8")
def model_is_exact() -> Value:
    """C8."""
    motion = GroundMotion(length=15.0, scale=0.1, start=6 * STEP)
    plan = rehearsal(numerical_part(10.0), compensator("model"), DeadTime(delay=DELAY), motion)
    exact = history(plan.reference_test())
    assert exact is not None
    return nrmse(exact, history(plan))


@THEORY.of("C16")
def damper_force() -> Value:
    """C16."""
    _, velocity, force = loop(1.273)
    return force[np.argmax(velocity)]


@THEORY.of("C18")
def force_scale() -> Value:
    """C18."""
    return 1e-3 * PHYSICAL / 41.0


@THEORY.of("C19")
def integrators() -> Value:
    """C19."""
    ((_, limit),) = stable_ranges(central_difference, 0.1, 3.0)
    omegas = (2.0, 10.0, 1e6)
    return {
        "limit of central differences": limit,
        "alpha = -0.1": [spectral_radius(alpha_os(o, -0.1)) for o in omegas],
        "alpha = -0.3": [spectral_radius(alpha_os(o, -0.3)) for o in omegas],
        "initial stiffness 0.9 K, Omega = 10": spectral_radius(alpha_os(10.0, 0.0, 0.9)),
    }


@THEORY.of("C20")
def broyden() -> Value:
    """C20."""
    rng = np.random.default_rng(2006)
    before, dx, dr = rng.standard_normal((4, 4)), *rng.standard_normal((2, 4))
    after, still = before.copy(), before.copy()
    learn(after.reshape(-1), dx, dr, least=0.0)
    learn(still.reshape(-1), 0 * dx, dr, least=0.0)
    across = np.eye(4) - np.outer(dx, dx) / (dx @ dx)
    return {
        "along": np.abs(after @ dx - dr).max() / np.abs(dr).max(),
        "across": np.abs((after - before) @ across).max() / np.abs(before).max(),
        "without step": np.abs(still - before).max(),
    }
