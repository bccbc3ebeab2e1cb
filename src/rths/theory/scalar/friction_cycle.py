"""Limit cycle of a structure with a delayed friction damper, and its zone of fast oscillation.

    z'' + 2ζz' + z + p_s sign z'(t - τ) = 0                                                    (1)

Between switchings the state turns about (∓p_s, 0) with the linear flow E(t); switching happens a
delay τ after z' = 0, on the lines x_2 = m x_1 ± b, m = E_21(τ)/E_11(τ), b = -p_s m. A symmetric
cycle of period 2h satisfies

    x*(h) = (E(h) + I)⁻¹ (I - E(h)) (p_s, 0)ᵀ,   x_2* = m x_1* + b                             (2)

(first root h), which is the paper's (31)-(34) free of complex branches. x* is where the force
changes sign and the velocity peaks. For small delay T → 4τ and x_2* → p_s τ: any delay makes a
cycle. The zone of fast oscillation has corners (±p_s, 0) and ±(x_1, x_2) with

    x_1 = -(b(m+2ζ) + p_s)/(m(m+2ζ) + 1),   x_2 = m x_1 + b                                    (3)

and exists if -x_1 of the corner exceeds |x_1*|. If only the share SR of the force is delayed and
the rest acts at once,

    peak velocity ≈ (2 SR - 1) p_s τ for SR > 1/2, none below                                  (4)

Non-dimensional: time in 1/ω_n, displacement in x_0, p_s = c_d/(m x_0 ω_n²). Valid for τ ≤ π.

[londono2011], eqs (18)-(37); the centre of rotation is (-p_s u, 0), printed (0, -p_s u).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import cos, exp, pi, sin, sqrt

import numpy as np
from scipy.optimize import brentq

from rths.errors import InputError
from rths.theory.delay.equation import Reals


@dataclass(frozen=True)
class FrictionCycle:
    """Switching point `x1`, `x2` (peak velocity), `period`, line x_2 = slope x_1 + offset."""

    x1: float
    x2: float
    period: float
    slope: float
    offset: float
    corner: tuple[float, float]

    @property
    def has_fast_zone(self) -> bool:
        """Condition (37): the corner of (3) lies outside the cycle."""
        return -self.corner[0] > abs(self.x1)


def friction_cycle(damping_ratio: float, friction: float, delay: float) -> FrictionCycle:
    """The cycle of (1) for ζ, p_s and τ, all non-dimensional."""
    if not 0 <= damping_ratio < 1:
        raise InputError("damping_ratio", damping_ratio, "must lie in [0, 1)", "Check its unit")
    if not 0 < delay <= pi:
        problem = "must lie in (0, π]: beyond, switchings overlap"
        raise InputError("delay", delay, problem, "Give ω_n τ, not seconds")
    if not friction > 0:
        raise InputError("friction", friction, "must be positive", "Give c_d/(m x_0 ω_n²)")
    turn = linear_flow(damping_ratio, delay)
    m = turn[1, 0] / turn[0, 0]
    b = -friction * m

    def miss(h: float) -> float:
        x1, x2 = _switching_point(damping_ratio, friction, h)
        return float(x2 - m * x1 - b)

    h = _first_root(miss, delay)
    x1, x2 = _switching_point(damping_ratio, friction, h)
    lean = m + 2 * damping_ratio
    corner = -(b * lean + friction) / (m * lean + 1)  # (3)
    return FrictionCycle(x1, x2, 2 * h, float(m), float(b), (float(corner), float(m * corner + b)))


def linear_flow(damping_ratio: float, time: float) -> Reals:
    """E(t) of z'' + 2ζz' + z = 0 for the state (z, z')."""
    w, z = sqrt(1 - damping_ratio**2), damping_ratio
    c, s, decay = cos(w * time), sin(w * time) / w, exp(-z * time)
    return np.array([[c + z * s, s], [-s, c - z * s]]) * decay


def shared_friction_peak(friction: float, delay: float, ratio: float) -> float:
    """Peak velocity of self-oscillation at substructuring ratio SR, equation (4)."""
    if not 0 <= ratio <= 1:
        raise InputError("ratio", ratio, "must lie in [0, 1]", "Give the share that is measured")
    return max(0.0, 2 * ratio - 1) * friction * delay


def damper_number(
    mass: float, rate: float, scale: float, coefficient: float, power: float
) -> float:
    """p_n of a damper c_d |v|^α in SI: c_d (x_0 ω_n)^α/(m x_0 ω_n²); α = 0 gives p_s."""
    return float(coefficient * (scale * rate) ** power / (mass * scale * rate**2))


def _switching_point(damping_ratio: float, friction: float, h: float) -> tuple[float, float]:
    flow, one = linear_flow(damping_ratio, h), np.eye(2)
    x1, x2 = np.linalg.solve(flow + one, (one - flow) @ np.array([friction, 0.0]))  # (2)
    return float(x1), float(x2)


def _first_root(miss: Callable[[float], float], delay: float) -> float:
    low, step = 1e-9 * delay, delay / 20
    while low < 2 * pi:
        if miss(low) < 0 <= miss(low + step):
            return float(brentq(miss, low, low + step, xtol=1e-15, rtol=1e-14))
        low += step
    raise InputError("delay", delay, "has no symmetric cycle", "Simulate with delayed_simulation")
