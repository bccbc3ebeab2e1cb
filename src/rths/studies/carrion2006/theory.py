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
    numerical,
    rehearsal,
)
from rths.studies.target import AT_MOST, EXACT, Targets, Value, absolute, relative
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

THEORY = Targets()
ORDERS = (0, 1, 2, 3, 4)


@THEORY.of(
    "C1",
    "highest stable frequency uncompensated, by energy balance, Hz",
    paper="1.46 Hz",
    target=2 * 0.02 / (2 * pi * (3.61 / (3.61 + 6.65)) * 12.4e-3),
    tolerance=relative(1e-6),
)
def energy_balance() -> Value:
    """C1."""
    return energy_balance_frequency(ZETA, SHARE, DELAY)


@THEORY.of(
    "C2",
    "the same exactly, and with central differences and a dead time of two steps, Hz",
    paper="1.46 Hz",
    target={"continuous": 1.4623, "central differences": 1.4615},
    tolerance={"continuous": absolute(1e-4), "central differences": absolute(1e-3)},
)
def uncompensated_limit() -> Value:
    """C2."""
    return {
        "continuous": critical_extrapolated_delay(ZETA, SHARE, 0) / (2 * pi * DELAY),
        "central differences": first_unstable_frequency(STEP, ZETA, SHARE, 2),
    }


@THEORY.of(
    "C3",
    "omega tau up to which a harmonic motion gains damping, orders 0 to 5",
    paper="1.571 for order 3",
    target=[0.0, 0.0, pi / 3, pi / 2, 0.0, 0.0],
    tolerance=absolute(1e-6),
)
def harmonic_limits() -> Value:
    """C3."""
    return [harmonic_margin(partial(polynomial, order=n)) for n in (*ORDERS, 5)]


@THEORY.of(
    "C4",
    "omega_0 tau at which the loop is lost, specimen alone and undamped, orders 2 and 3",
    paper="not given",
    target=[0.7405, 0.7025],
    tolerance=absolute(1e-3),
    reason="1.571 is a property of a harmonic; the loop is lost earlier, through its other roots",
)
def loop_limits() -> Value:
    """C4."""
    return [critical_extrapolated_delay(0.0, 1.0, n) for n in (2, 3)]


@THEORY.of(
    "C5",
    "the same for the frame, orders 0 to 4; frequencies in Hz",
    paper="not given",
    target={
        "omega_0 tau": [0.1139, 0.4828, 0.9413, 1.0137, 0.8500],
        "frequency": [1.46, 6.20, 12.08, 13.01, 10.91],
    },
    tolerance={"omega_0 tau": absolute(1e-3), "frequency": absolute(1e-2)},
    reason="for this frame the cubic is good to 13 Hz, not to the 20 Hz of omega tau = 1.571",
)
def frame_limits() -> Value:
    """C5."""
    found = [critical_extrapolated_delay(ZETA, SHARE, n) for n in ORDERS]
    return {"omega_0 tau": found, "frequency": [x / (2 * pi * DELAY) for x in found]}


@THEORY.of(
    "C6",
    "weights of the cubic, newest first, one spacing and two steps ahead",
    paper="not printed",
    target={"one": [4, -6, 4, -1], "two": [10, -20, 15, -4]},
    tolerance=EXACT,
)
def weights() -> Value:
    """C6."""
    return {"one": polynomial_weights(3, 1.0), "two": polynomial_weights(3, 2.0)}


@THEORY.of(
    "C7",
    "actuator of Fig. 4 as second order and dead time; range of its phase delay to 28.7 Hz, ms",
    paper="-3 dB at 28.7 Hz, 0.94 at 15 Hz, 12.4 ms",
    target={
        "frequency, Hz": 31.240,
        "damping": 0.76499,
        "dead time, ms": 4.2621,
        "phase delay, ms": [12.06, 12.46],
    },
    tolerance={
        "frequency, Hz": relative(1e-3),
        "damping": relative(1e-3),
        "dead time, ms": relative(1e-3),
        "phase delay, ms": absolute(0.01),
    },
)
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


@THEORY.of(
    "C8",
    "model-based prediction, linear frame of 10 Hz: difference from the exact response",
    paper="exact",
    target=1e-12,
    tolerance=AT_MOST,
    reason="six quiet steps first: before any prediction has arrived nothing can be exact",
)
def model_is_exact() -> Value:
    """C8."""
    motion = GroundMotion(length=15.0, scale=0.1, start=6 * STEP)
    plan = rehearsal(numerical(10.0), compensator("model"), DeadTime(delay=DELAY), motion)
    exact = history(plan.reference_test())
    assert exact is not None
    return nrmse(exact, history(plan))


@THEORY.of(
    "C16",
    "force of the MR damper at its peak velocity, 1.273 Hz and 10.16 mm, N",
    paper="Fig. 12",
    target=106.4,
    tolerance=relative(1e-3),
)
def damper_force() -> Value:
    """C16."""
    _, velocity, force = loop(1.273)
    return force[np.argmax(velocity)]


@THEORY.of(
    "C18",
    "force scale of the spring specimen",
    paper="88.0",
    target=88.05,
    tolerance=relative(1e-3),
)
def force_scale() -> Value:
    """C18."""
    return 1e-3 * PHYSICAL / 41.0


@THEORY.of(
    "C19",
    "central differences up to Omega = 2; alpha-OS: spectral radius at Omega = 2, 10, infinity",
    paper="stated",
    target={
        "limit of central differences": 2.0,
        "alpha = -0.1": [0.96237, 0.83780, 0.81818],
        "alpha = -0.3": [0.93749, 0.68461, 0.53846],
        "initial stiffness 0.9 K, Omega = 10": 1.6488,
    },
    tolerance=absolute(1e-4),
    reason="alpha-OS is cited, not written out; this is its usual form",
)
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


@THEORY.of(
    "C20",
    "Broyden's update: K dx = dr, no change across dx, none at all for dx = 0 (relative)",
    paper="eq. (4)",
    target={"along": 1e-12, "across": 1e-12, "without step": 0.0},
    tolerance={"along": AT_MOST, "across": AT_MOST, "without step": EXACT},
)
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
