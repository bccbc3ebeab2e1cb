"""What the paper states about critical delays and forward prediction, computed again.

[wallace2005] DETC2005-85010, targets W1 to W17.
"""

from __future__ import annotations

from functools import cache
from math import pi

import numpy as np

from rths.studies.target import AT_MOST, Targets, Value, absolute, relative
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
from rths.theory.scalar.delayed_simulation import Cycle, settled_cycle, simulate
from rths.theory.scalar.describing_function import saturation_cycle
from rths.theory.scalar.equation import ScalarEquation, principal_root
from rths.theory.scalar.growth_rate import growth_rate
from rths.theory.scalar.hopf import critical_delay, hopf_points
from rths.theory.scalar.lobes import harmless_stiffness, perturbation_delay
from rths.theory.step.extrapolation import least_squares_weights
from rths.theory.step.prediction_interval import permissible_prediction

TARGETS = Targets()
MS = 1e3
FIT = "the least-squares fit does not pass through its newest point, so the ends shift a little"


@TARGETS.of(
    "W1",
    "critical delay by perturbation, c/k_s",
    paper="6.67 ms (0.2132)",
    target={"delay, ms": MS * 15 / 2250, "non-dimensional": 15 / (2250 * 2.2) ** 0.5},
    tolerance=relative(1e-9),
)
def by_perturbation() -> Value:
    """W1."""
    delay = perturbation_delay(DAMPING, SPECIMEN)
    return {"delay, ms": MS * delay, "non-dimensional": RATE * delay}


@TARGETS.of(
    "W2",
    "critical delay, exact: the first Hopf point",
    paper="6.77 ms (0.2165)",
    target={"delay, ms": 6.7695498, "non-dimensional": 0.21649093, "frequency": 1.3980506},
    tolerance=relative(1e-7),
)
def exact_critical_delay() -> Value:
    """W2."""
    first = hopf_points(EQUATION, 1.0)[0]
    assert first.delay == critical_delay(EQUATION)
    return {
        "delay, ms": MS * first.delay / RATE,
        "non-dimensional": first.delay,
        "frequency": first.frequency,
    }


@TARGETS.of(
    "W3",
    "the same where the rightmost root of the delay equation crosses, ms",
    paper="6.77 ms",
    target=6.7695,
    tolerance=relative(1e-5),
)
def critical_delay_by_roots() -> Value:
    """W3."""
    from scipy.optimize import brentq

    return MS * float(
        brentq(lambda tau: rightmost_root(delayed_rig(tau)).real, 5e-3, 9e-3, xtol=1e-12)
    )


@TARGETS.of(
    "W4",
    "rightmost roots (real, imaginary, 1/s) at 0, 0.5, 5, 9.4 and 20 ms of delay",
    paper="Fig. 4, curve",
    target=[
        [-3.4091, 45.0980],
        [-3.1530, 45.1138],
        [-0.8628, 44.9324],
        [1.2077, 44.2426],
        [4.8511, 41.3288],
    ],
    tolerance=absolute(1e-3),
)
def roots_over_delay() -> Value:
    """W4."""
    return [rightmost_root(delayed_rig(tau)) for tau in (0.0, 0.5e-3, 5e-3, 9.4e-3, 20e-3)]


@TARGETS.of(
    "W5",
    "crossings at p = 1, all destabilising",
    paper="Fig. 3, curves",
    target={"delays": [0.2165, 4.7107, 9.2050], "directions": [1, 1, 1]},
    tolerance=absolute(1e-4),
    reason="eq. (11) is printed with n pi; only whole turns 2 n pi solve (10)",
)
def crossings_of_the_rig() -> Value:
    """W5."""
    points = hopf_points(EQUATION, 10.0)[:3]
    return {"delays": [h.delay for h in points], "directions": [h.direction for h in points]}


@TARGETS.of(
    "W6",
    "first five crossings at p = 0.5; -1 restabilises",
    paper="Fig. 3, curves",
    target={
        "delays": [0.4475, 3.9047, 5.7015, 10.9556, 12.5809],
        "directions": [1, -1, 1, 1, -1],
    },
    tolerance=absolute(1e-4),
    reason="the inverse of (12) has a second branch for p < 1, which the paper does not mention",
)
def crossings_of_a_softer_specimen() -> Value:
    """W6."""
    points = hopf_points(ScalarEquation(EQUATION.damping_ratio, 0.5), 13.0)[:5]
    return {"delays": [h.delay for h in points], "directions": [h.direction for h in points]}


@TARGETS.of(
    "W7",
    "specimen stiffness p below which no delay destabilises",
    paper="Fig. 3",
    target=0.21199,
    tolerance=absolute(1e-5),
)
def harmless_bound() -> Value:
    """W7."""
    return harmless_stiffness(EQUATION.damping_ratio)


@TARGETS.of(
    "W8",
    "least permissible exact prediction at 9.4 ms of delay, ms",
    paper="2.63 ms",
    target=2.6304502,
    tolerance=relative(1e-6),
)
def least_prediction() -> Value:
    """W8."""
    return MS * (DELAY - critical_delay(EQUATION) / RATE)


@TARGETS.of(
    "W9",
    "permissible prediction, order 2 through 12 points, ms",
    paper="2.63 to about 40 ms",
    target=[2.530, 40.489],
    tolerance=absolute(0.01),
    reason=f"the sampling time is not printed (1 ms fits); {FIT}",
)
def range_of_order_2() -> Value:
    """W9."""
    return [MS * end for end in permissible_prediction(predicted_loop(2))]


@TARGETS.of(
    "W10",
    "permissible prediction, order 3 through 12 points, ms",
    paper="2.63 to about 23 ms",
    target=[2.625, 23.443],
    tolerance=absolute(0.01),
    reason=f"the sampling time is not printed (1 ms fits); {FIT}",
)
def range_of_order_3() -> Value:
    """W10."""
    return [MS * end for end in permissible_prediction(predicted_loop(3))]


@TARGETS.of(
    "W11",
    "rightmost roots (1/s) with the prediction equal to the delay, and emulated",
    paper="Fig. 5",
    target={
        "order 2": [-3.937, 45.238],
        "order 3": [-3.430, 45.014],
        "emulated": [-3.409, 45.098],
    },
    tolerance=absolute(2e-3),
)
def roots_when_compensated() -> Value:
    """W11."""
    found = {f"order {n}": rightmost_root(predicted_loop(n).equation(DELAY)) for n in (2, 3)}
    return {**found, "emulated": rightmost_root(delayed_rig(0.0))}


@TARGETS.of(
    "W12",
    "growth (1/s) of a simulated free response, order 3, predictions of 0, 2.6 and 9.4 ms",
    paper="Fig. 8: slow growth at about 2.6 ms",
    target=[1.2075, 0.0120, -3.4296],
    tolerance=absolute(1e-3),
)
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


@TARGETS.of(
    "W13",
    "growth at an effective delay of 6.8 ms, 1/s",
    paper="slow",
    target=0.01453,
    tolerance=absolute(1e-4),
)
def slow_growth() -> Value:
    """W13."""
    return rightmost_root(delayed_rig(6.8e-3)).real


@TARGETS.of(
    "W14",
    "steady-state error under 1.5 Hz of wall motion, prediction equal to the delay",
    paper="Fig. 7, small",
    target={"order 3": 7.3e-6, "order 2": 2.18e-4, "uncompensated 6.77 ms": 3.34e-2},
    tolerance=relative(0.02),
    reason="the right side of (3) is c r' + k r",
)
def steady_state_error() -> Value:
    """W14."""
    raw = predicted_loop(0, delay=6.77e-3, points=1)
    return {
        "order 3": predicted_loop(3).steady_error(DELAY, 1.5),
        "order 2": predicted_loop(2).steady_error(DELAY, 1.5),
        "uncompensated 6.77 ms": raw.steady_error(0.0, 1.5),
    }


@TARGETS.of(
    "W15",
    "over-compensation by 0.5 ms raises the damping",
    paper="qualitative",
    target={"root, 1/s": [-3.6643, 45.0751], "damping ratio": [0.0754, 0.0810]},
    tolerance={"root, 1/s": absolute(1e-3), "damping ratio": absolute(1e-4)},
    reason="with a negative delay only the root continued from no delay has a meaning",
)
def over_compensation() -> Value:
    """W15."""
    roots = [RATE * principal_root(EQUATION, RATE * tau) for tau in (0.0, -0.5e-3)]
    return {"root, 1/s": roots[1], "damping ratio": [-s.real / abs(s) for s in roots]}


LATE = (8e-3, 9.4e-3, 15e-3)


@TARGETS.of(
    "W16",
    "cycle of the saturating spring at 8, 9.4, 15 ms: amplitude over a, period in s",
    paper="not given",
    target={"amplitude": [1.3535, 1.6519, 2.6883], "period": [0.14663, 0.15229, 0.16675]},
    tolerance=relative(5e-3),
)
def simulated_cycles() -> Value:
    """W16."""
    cycles = [saturated_cycle(tau) for tau in LATE]
    return {
        "amplitude": [c.amplitude for c in cycles],
        "period": [c.period for c in cycles],
    }


@cache
def saturated_cycle(delay: float) -> Cycle:
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


@TARGETS.of(
    "W17",
    "the same cycles by describing function, and how far the simulated ones are from them",
    paper="not given",
    target={
        "amplitude": [1.3456, 1.6339, 2.6479],
        "period": [0.14643, 0.15189, 0.16630],
        "difference": 0.02,
    },
    tolerance={"amplitude": relative(1e-3), "period": relative(1e-3), "difference": AT_MOST},
)
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
