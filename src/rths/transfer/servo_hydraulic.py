"""A servo-hydraulic actuator that feels its specimen: control-structure interaction.

    T w' + w = G (c - x),   |w| <= 1         opening of the valve, 1 is fully open              (1)
    Q = Q_0 w sqrt((p_s - sign(w) p)/p_s)    flow, p the pressure across the piston             (2)
    V/(4 B) p' = Q - A x' - C p              oil that is compressed, leaks, moves the piston    (3)
    m x'' + d x' + f = A p                   piston and what moves with it, specimen f          (4)

The -A x' in (3) is the natural velocity feedback: the motion of the specimen draws oil, so that
actuator and specimen have common poles and neither can be identified without the other. About rest
and with a spring k as its specimen

    X/C = G Q_0 A / (G Q_0 A + (T s + 1) [ (m s² + d s + k)(V s/(4 B) + C) + A² s ])            (5)

The unloaded velocity is at most Q_0/A, the force at most A p_s. Solved by the implicit midpoint
rule within each tick, in steps that resolve the oil column sqrt(4 B A²/(V m)), the valve half a
step apart. The force is known at ticks; within one it is f + K (x - x_f) + D (x' - x'_f), with
estimates K and D of the specimen (operator splitting): exact for that spring and dashpot and stable
for softer ones. Without estimates the force is late by half a tick, which costs a damping of k h/2:
enough to lose a stiff specimen. Use it when the actuator works near its limits or against a stiff
or heavy specimen.

[dyke1995] J. Eng. Mech. 121(2), 322-338; [merritt1967].
"""

from __future__ import annotations

from math import ceil, exp, sqrt

from rths.loop.block import Block, Vector, kernel
from rths.loop.fields import fields
from rths.quantity import (
    CubicMetres,
    CubicMetresPerSecond,
    Delay,
    Kilograms,
    NewtonSecondsPerMetre,
    NewtonsPerMetre,
    NonNegative,
    Pascals,
    Positive,
    SquareMetres,
)
from rths.site import Site
from rths.transfer.base import Transfer, describe, register

ROUNDING = 1e-6
"""Share of the supply pressure within which the root in (2) is made smooth."""
RESOLVED = 0.25
"""Largest angle of the oil column in one step within a tick."""


def flow(w: float, p: float, p_s: float) -> tuple[float, float]:
    """Flow (2) over Q_0, and how much it falls with the pressure p."""
    a = 1.0 - p / p_s if w > 0.0 else 1.0 + p / p_s
    b = abs(a) + ROUNDING
    root = sqrt(b)
    return w * a / root, abs(w) * (0.5 * abs(a) + ROUNDING) / (b * root * p_s)


P = fields(
    steps="steps in a tick",
    keep="E, what the valve keeps in a step",
    proportional="G, 1/m",
    flow="Q_0, m³/s",
    supply="p_s, Pa",
    area="A, m²",
    leakage="C, m³/(s Pa)",
    stiffness="B' = 2 B dt/V",
    inertia="2 m/dt, kg/s",
    damping="d, N s/m",
    specimen_stiffness="K, N/m",
    specimen_damping="D, N s/m",
    half="dt/2, s",
)
X = fields(
    displacement="x, m",
    velocity="x', m/s",
    pressure="p, Pa",
    valve="w",
    command="command of the last tick, m",
)


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # u = command, force of the last tick
    steps, A, half, B, Q = int(p[P.steps]), p[P.area], p[P.half], p[P.stiffness], p[P.flow]
    M, d, K, D = p[P.inertia], p[P.damping], p[P.specimen_stiffness], p[P.specimen_damping]
    z, rate, pressure, w = x[X.displacement], x[X.velocity], x[X.pressure], x[X.valve]
    x_f, v_f, last = z, rate, x[X.command]
    for j in range(steps):
        c = last + (u[0] - last) * j / steps
        asked = min(max(p[P.proportional] * (c - z), -1.0), 1.0)
        w += (1.0 - p[P.keep]) * (asked - w)  # (1), half a step ahead
        q, fall = flow(w, pressure, p[P.supply])
        # (3) at the middle of the step: p_m = s - r A v_m
        r = B / (1.0 + B * (p[P.leakage] + Q * fall))
        s = r * (pressure / B + Q * (q + fall * pressure))
        # (4) at the middle of the step, solved for the velocity v_m there
        force = u[1] + K * (z - x_f) - D * v_f
        v = (M * rate + A * s - force) / (M + d + D + half * K + r * A * A)
        pressure = 2.0 * (s - r * A * v) - pressure
        rate = 2.0 * v - rate
        z += 2.0 * half * v
    x[X.displacement], x[X.velocity], x[X.pressure], x[X.valve] = z, rate, pressure, w
    x[X.command] = u[0]
    y[0] = z


@register
@describe
class ServoHydraulic(Transfer):
    """Valve, oil, piston and displacement controller of one actuator."""

    cites = ("dyke1995", "merritt1967")
    example = {
        "proportional": 60.0,
        "flow": 0.0001,
        "area": 0.001,
        "volume": 0.0001,
        "mass": 5.0,
        "specimen_stiffness": 2250.0,
    }
    inputs = ("compensator.command", "specimen.force")

    proportional: Positive
    """Gain G of the controller: opening of the valve for an error of one metre, 1/m."""
    flow: CubicMetresPerSecond
    """Flow Q_0 through the fully open valve without load, m³/s."""
    area: SquareMetres
    """Area A of the piston, m²."""
    volume: CubicMetres
    """Volume V of oil in both chambers together, m³."""
    mass: Kilograms
    """Mass m of the piston and of all that moves with it, kg."""
    damping: NewtonSecondsPerMetre = 0.0
    """Viscous friction d of the piston, N s/m."""
    supply: Pascals = 20.7e6
    """Supply pressure p_s, Pa."""
    bulk_modulus: Pascals = 0.7e9
    """Effective bulk modulus B of the oil, Pa."""
    leakage: NonNegative = 0.0
    """Leakage C past the piston, m³/(s Pa)."""
    valve_lag: Delay = 0.0
    """Time constant T of the valve, s."""
    specimen_stiffness: NewtonsPerMetre = 0.0
    """Estimate K of the specimen's initial stiffness, used between two ticks only, N/m."""
    specimen_damping: NewtonSecondsPerMetre = 0.0
    """Estimate D of the specimen's damping, used between two ticks only, N s/m."""

    def block(self, site: Site) -> Block:
        """Yield the block of (1) to (4), at rest."""
        oil = 4 * self.bulk_modulus * self.area**2 / self.volume
        fastest = sqrt((oil + self.specimen_stiffness) / self.mass)
        steps = max(1, ceil(site.tick * fastest / RESOLVED))
        dt = site.tick / steps
        params = P.pack(
            steps=steps,
            keep=exp(-dt / self.valve_lag) if self.valve_lag > 0 else 0.0,
            proportional=self.proportional,
            flow=self.flow,
            supply=self.supply,
            area=self.area,
            leakage=self.leakage,
            stiffness=2 * self.bulk_modulus * dt / self.volume,
            inertia=2 * self.mass / dt,
            damping=self.damping,
            specimen_stiffness=self.specimen_stiffness,
            specimen_damping=self.specimen_damping,
            half=dt / 2,
        )
        d = site.displacement
        states = X.pack(displacement=d, velocity=0, pressure=0, valve=0, command=d)
        return Block(step, params, states, work=15.0)
