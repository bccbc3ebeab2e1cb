"""Six sorts of actuator, each with a wanted delay at low frequency.

Their proportions are drawn: how much of the delay is dead time, how light the resonance is, how
fast the valve. The delay is what they have in common, because it is what an operator identifies.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from rths.registry import find

RESERVE = 3.0
"""Force and speed of a hydraulic actuator over what the test asks of it, as one would choose it."""
SUPPLY, BULK = 20.7e6, 0.7e9
"""Usual supply pressure and bulk modulus of the oil, Pa."""


@dataclass(frozen=True)
class Demand:
    """What a test asks of its actuator."""

    delay: float
    """Lag at low frequency, s."""
    speed: float
    """Largest speed of the emulated structure at the interface, m/s."""
    force: float
    """Largest force of the specimen, N."""
    stiffness: float
    """Initial stiffness of the specimen, N/m."""
    mass: float
    """Mass of the structure, kg."""


def dead_time(demand: Demand, _: np.random.Generator) -> Any:
    """A delay and nothing else."""
    return find("transfer", "dead_time")(delay=demand.delay)


def varying_dead_time(demand: Demand, rng: np.random.Generator) -> Any:
    """A delay that swings by a tenth and drifts by up to a fifth."""
    return find("transfer", "varying_dead_time")(
        delay=demand.delay,
        final_delay=demand.delay * rng.uniform(0.8, 1.2),
        drift_time=20.0,
        swing=0.1 * demand.delay,
        swing_frequency=rng.uniform(0.05, 0.5),
    )


def first_order(demand: Demand, _: np.random.Generator) -> Any:
    """A lag without roll-off."""
    return find("transfer", "first_order")(time_constant=demand.delay)


def second_order(demand: Demand, rng: np.random.Generator) -> Any:
    """A resonance that makes up 30 to 90 % of the delay, and a dead time for the rest."""
    share, damping = rng.uniform(0.3, 0.9), rng.uniform(0.5, 1.0)
    frequency = 2 * damping / (share * demand.delay) / (2 * np.pi)
    return find("transfer", "second_order")(
        frequency=frequency, damping=damping, delay=(1 - share) * demand.delay
    )


def pid_actuator(demand: Demand, rng: np.random.Generator) -> Any:
    """An inner loop whose motor or valve takes 10 to 40 % of the delay."""
    derivative = rng.uniform(0.0, 0.3)
    return find("transfer", "pid_actuator")(
        proportional=(1 + derivative) / demand.delay,
        lag=rng.uniform(0.1, 0.4) * demand.delay,
        derivative=derivative,
    )


def servo_hydraulic(demand: Demand, rng: np.random.Generator) -> Any:
    """Valve, oil and piston that feel the specimen; the oil column is 6 to 15 times faster."""
    area, speed = RESERVE * demand.force / SUPPLY, RESERVE * demand.speed
    oil, damping = rng.uniform(6.0, 15.0) / demand.delay, rng.uniform(0.3, 0.6)
    piston = 0.1 * demand.mass
    volume = 4 * BULK * area**2 / (oil**2 * piston)
    return find("transfer", "servo_hydraulic")(
        proportional=1 / (demand.delay * speed),
        flow=speed * area,
        area=area,
        volume=volume,
        mass=piston,
        supply=SUPPLY,
        bulk_modulus=BULK,
        leakage=2 * damping * oil * volume / (4 * BULK),
        valve_lag=0.1 * demand.delay,
        specimen_stiffness=demand.stiffness,
    )


ACTUATORS: tuple[Callable[[Demand, np.random.Generator], Any], ...] = (
    dead_time,
    varying_dead_time,
    first_order,
    second_order,
    pid_actuator,
    servo_hydraulic,
)
