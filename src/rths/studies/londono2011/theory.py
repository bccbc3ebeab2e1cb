"""Dampers behind a delay: lobes of the linear one, limit cycles of friction and of the power law.

[londono2011] sections 3 and 4, targets L1 to L14.
"""

from __future__ import annotations

from functools import cache
from math import inf

from rths.studies.claims import read_claims
from rths.studies.londono2011.dampers import (
    COEFFICIENT,
    DELAY,
    FRICTION,
    MASS,
    POWER,
    RATE,
    SCALE,
    ZETA,
)
from rths.studies.target import Targets, Value
from rths.theory.scalar.delayed_simulation import Response, SettledCycle, settled_cycle, simulate
from rths.theory.scalar.equation import ScalarEquation
from rths.theory.scalar.friction_cycle import FrictionCycle, damper_number, friction_cycle
from rths.theory.scalar.hopf import critical_delay, hopf_points
from rths.theory.scalar.lobes import harmless_damping

THEORY = Targets(claims=read_claims(__package__))


def damper_equation(zeta: float, p: float) -> ScalarEquation:
    """Give the delayed linear damper, eq. (8)."""
    return ScalarEquation(zeta, specimen_damping=p)


def cycle(delay: float = DELAY) -> FrictionCycle:
    """Give the limit cycle of the friction model."""
    return friction_cycle(ZETA, FRICTION, delay)


@THEORY.of("L1")
def limits_over_damper() -> Value:
    """L1."""
    return [critical_delay(damper_equation(0.03, p)) for p in (0.1, 0.5, 1.0, 2.0, 3.0)]


@THEORY.of("L2")
def limits_over_damping() -> Value:
    """L2."""
    return [critical_delay(damper_equation(z, 2.0)) for z in (0.01, 0.05, 0.1, 0.5, 0.9)]


@THEORY.of("L3")
def crossings() -> Value:
    """L3."""
    points = hopf_points(damper_equation(0.03, 0.5), 14.0)
    return {"delays": [h.delay for h in points], "directions": [h.direction for h in points]}


@THEORY.of("L4")
def harmless_bound() -> Value:
    """L4."""
    bound = harmless_damping(ZETA)

    def word(p: float) -> str:
        return "always stable" if critical_delay(damper_equation(ZETA, p)) == inf else "loses it"

    return {
        "bound at 3 %": bound,
        "at the bound": word(bound),
        "0.01 % above": word(1.0001 * bound),
    }


@THEORY.of("L5")
def example() -> Value:
    """L5."""
    return {
        "p_n": damper_number(MASS, RATE, SCALE, COEFFICIENT, POWER),
        "omega_n": RATE,
        "delay, ms": 1e3 * DELAY / RATE,
    }


@THEORY.of("L6")
def corner() -> Value:
    """L6."""
    return list(cycle().corner)


@THEORY.of("L7")
def friction() -> Value:
    """L7."""
    c = cycle()
    return {"x_1": c.x1, "x_2": c.x2, "period": c.period, "slope": c.slope, "offset": c.offset}


@THEORY.of("L8")
def peak_velocity() -> Value:
    """L8."""
    return cycle().peak_velocity * SCALE * RATE


@THEORY.of("L9")
def peak_force() -> Value:
    """L9."""
    return 1e-3 * COEFFICIENT * (cycle().peak_velocity * SCALE * RATE) ** POWER


@THEORY.of("L10")
def period() -> Value:
    """L10."""
    return cycle().period / RATE


@cache
def trajectory(law: str, start: tuple[float, float] = (1.0, 0.0)) -> Response:
    """Simulate the friction model (18) or the power law (17)."""
    strength = FRICTION if law == "friction" else damper_number(MASS, RATE, SCALE, 50e3, POWER)
    return simulate(
        law, strength, DELAY, damping=2 * ZETA, stiffness=1.0, start=start, step=1e-3,
        steps=100_000, power=POWER,
    )  # fmt: skip


def measure_cycle(law: str) -> SettledCycle:
    """Measure the second half of that run."""
    return settled_cycle(trajectory(law))


@THEORY.of("L11")
def simulated_friction() -> Value:
    """L11."""
    c = measure_cycle("friction")
    return [c.peak_velocity * SCALE * RATE, c.period / RATE]


@THEORY.of("L12")
def simulated_power_law() -> Value:
    """L12."""
    c = measure_cycle("power")
    v = c.peak_velocity * SCALE * RATE
    return [v, 1e-3 * COEFFICIENT * v**POWER, c.period / RATE, c.amplitude]


@THEORY.of("L13")
def small_delays() -> Value:
    """L13."""
    delays = (0.05, 0.4, 1.0)
    found = [cycle(d) for d in delays]
    return {
        "T/4 tau": [c.period / (4 * d) for c, d in zip(found, delays, strict=True)],
        "x_2": [c.x2 for c in found],
    }


@THEORY.of("L14")
def fast_zone() -> Value:
    """L14."""
    return [cycle(d).has_fast_zone for d in (0.05, 0.224, 0.4, 1.0)]
