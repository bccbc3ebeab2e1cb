"""Dampers behind a delay: lobes of the linear one, limit cycles of friction and of the power law.

[londono2011] sections 3 and 4, targets L1 to L14.
"""

from __future__ import annotations

from functools import cache
from math import inf

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
from rths.studies.target import EXACT, Targets, Value, absolute, relative
from rths.theory.scalar.delayed_simulation import Cycle, Response, settled_cycle, simulate
from rths.theory.scalar.equation import ScalarEquation
from rths.theory.scalar.friction_cycle import FrictionCycle, damper_number, friction_cycle
from rths.theory.scalar.hopf import critical_delay, hopf_points
from rths.theory.scalar.lobes import harmless_damping

THEORY = Targets()
ONLY_ODD = "only odd multiples of pi in (11) belong to p > 0; the even ones are spurious"


def damper_equation(zeta: float, p: float) -> ScalarEquation:
    """Give the delayed linear damper, eq. (8)."""
    return ScalarEquation(zeta, specimen_damping=p)


def cycle(delay: float = DELAY) -> FrictionCycle:
    """Give the limit cycle of the friction model."""
    return friction_cycle(ZETA, FRICTION, delay)


@THEORY.of(
    "L1",
    "critical delay at 3 % damping and p = 0.1, 0.5, 1, 2, 3",
    paper="Fig. 5a, curve",
    target=[2.12750, 1.32268, 1.00872, 0.66328, 0.48173],
    tolerance=absolute(1e-5),
    reason=ONLY_ODD,
)
def over_damper() -> Value:
    """L1."""
    return [critical_delay(damper_equation(0.03, p)) for p in (0.1, 0.5, 1.0, 2.0, 3.0)]


@THEORY.of(
    "L2",
    "critical delay at p = 2 and 1, 5, 10, 50, 90 % damping",
    paper="Fig. 5b, curve",
    target=[0.65481, 0.67196, 0.69460, 0.95682, 1.76227],
    tolerance=absolute(1e-5),
    reason="(14) is spurious for positive damping; (15) with n = 1 is the boundary",
)
def over_damping() -> Value:
    """L2."""
    return [critical_delay(damper_equation(z, 2.0)) for z in (0.01, 0.05, 0.1, 0.5, 0.9)]


@THEORY.of(
    "L3",
    "all crossings at p = 0.5, 3 %; -1 restabilises",
    paper="Fig. 5a",
    target={
        "delays": [1.3227, 5.8712, 6.2370, 11.1514, 13.9044],
        "directions": [1, -1, 1, 1, -1],
    },
    tolerance=absolute(1e-4),
    reason=ONLY_ODD,
)
def crossings() -> Value:
    """L3."""
    points = hopf_points(damper_equation(0.03, 0.5), 14.0)
    return {"delays": [h.delay for h in points], "directions": [h.direction for h in points]}


@THEORY.of(
    "L4",
    "stable for every delay if p <= 2 zeta",
    paper="not stated",
    target={"bound at 3 %": 0.06, "at the bound": "always stable", "0.01 % above": "loses it"},
    tolerance=absolute(1e-15),
)
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


@THEORY.of(
    "L5",
    "number p_n of the example, its omega_n in rad/s, and the delay for 0.224 in ms",
    paper="2.03",
    target={"p_n": 2.0338, "omega_n": 22.3607, "delay, ms": 10.018},
    tolerance={"p_n": absolute(1e-4), "omega_n": absolute(1e-4), "delay, ms": absolute(1e-3)},
    reason="the length x_0 is not printed; p_s = 2 makes it 0.05 m",
)
def example() -> Value:
    """L5."""
    return {
        "p_n": damper_number(MASS, RATE, SCALE, COEFFICIENT, POWER),
        "omega_n": RATE,
        "delay, ms": 1e3 * DELAY / RATE,
    }


@THEORY.of(
    "L6",
    "corner of the zone of fast oscillation, (35) and (36)",
    paper="(-1.86, 0.87)",
    target=[-1.85496, 0.87228],
    tolerance=absolute(1e-5),
    reason="rounded in print",
)
def corner() -> Value:
    """L6."""
    return list(cycle().corner)


@THEORY.of(
    "L7",
    "friction cycle: switching point, period, switching line",
    paper="not stated",
    target={
        "x_1": 4.585e-4,
        "x_2": 0.452443,
        "period": 0.889960,
        "slope": -0.226273,
        "offset": 0.452546,
    },
    tolerance=absolute(1e-6),
    reason="the centre of rotation is (-p_s u, 0), printed (0, -p_s u)",
)
def friction() -> Value:
    """L7."""
    c = cycle()
    return {"x_1": c.x1, "x_2": c.x2, "period": c.period, "slope": c.slope, "offset": c.offset}


@THEORY.of(
    "L8",
    "peak velocity of the cycle, m/s",
    paper="0.505 m/s",
    target=0.50585,
    tolerance=relative(1e-4),
)
def peak_velocity() -> Value:
    """L8."""
    return cycle().peak_velocity * SCALE * RATE


@THEORY.of(
    "L9",
    "force of the damper at that velocity, kN",
    paper="45.13 kN",
    target=45.141,
    tolerance=relative(1e-4),
    reason="the paper takes the rounded velocity",
)
def peak_force() -> Value:
    """L9."""
    return 1e-3 * COEFFICIENT * (cycle().peak_velocity * SCALE * RATE) ** POWER


@THEORY.of(
    "L10",
    "period of the cycle, s",
    paper="0.039 s",
    target=0.039800,
    tolerance=relative(1e-5),
    reason="cut off in print, not rounded",
)
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


def measure_cycle(law: str) -> Cycle:
    """Measure the second half of that run."""
    return settled_cycle(trajectory(law))


@THEORY.of(
    "L11",
    "the simulated friction model reaches L8 and L10: m/s, s",
    paper="not stated",
    target=[0.5055, 0.03980],
    tolerance=relative(2e-3),
)
def simulated_friction() -> Value:
    """L11."""
    c = measure_cycle("friction")
    return [c.peak_velocity * SCALE * RATE, c.period / RATE]


@THEORY.of(
    "L12",
    "the simulated nonlinear damper: m/s, kN, s, amplitude over x_0",
    paper="0.39 m/s, 43.4 kN, 0.039 s",
    target=[0.3868, 43.36, 0.03982, 0.0415],
    tolerance=relative(5e-3),
    reason="0.0415 is the largest displacement while the middle of the oscillation still creeps to "
    "zero, from 50 to 100 in time",
)
def simulated_power_law() -> Value:
    """L12."""
    c = measure_cycle("power")
    v = c.peak_velocity * SCALE * RATE
    return [v, 1e-3 * COEFFICIENT * v**POWER, c.period / RATE, c.amplitude]


@THEORY.of(
    "L13",
    "small-delay limits T -> 4 tau, x_2 -> p_s tau at tau = 0.05, 0.4, 1",
    paper="not stated",
    target={
        "T/4 tau": [0.99850, 0.98765, 0.95904],
        "x_2": [0.099933, 0.833782, 2.842434],
    },
    tolerance=absolute(1e-5),
)
def small_delays() -> Value:
    """L13."""
    delays = (0.05, 0.4, 1.0)
    found = [cycle(d) for d in delays]
    return {
        "T/4 tau": [c.period / (4 * d) for c, d in zip(found, delays, strict=True)],
        "x_2": [c.x2 for c in found],
    }


@THEORY.of(
    "L14",
    "whether the zone of fast oscillation exists (37) at tau = 0.05, 0.224, 0.4, 1",
    paper="not stated",
    target=[True, True, True, False],
    tolerance=EXACT,
    reason="(31)-(34) and (35)-(36) use one symbol for two points; (37) compares the two",
)
def fast_zone() -> Value:
    """L14."""
    return [cycle(d).has_fast_zone for d in (0.05, 0.224, 0.4, 1.0)]
