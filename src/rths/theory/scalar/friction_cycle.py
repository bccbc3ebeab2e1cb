"""Limit cycle of a structure with a delayed friction damper, and its zone of fast oscillation.

    z'' + 2ζz' + z + p_s sign z'(t - τ) = 0                                                    (1)

Between switchings the state turns about (∓p_s, 0) with the linear flow E(t) of natural frequency
w = √(1-ζ²). If the force switches at 0 and h and the motion is symmetric, z(t + h) = -z(t), then

    z'(t) = -A e^(-ζ(t-t_0)) sin w(t-t_0),   A = 2p_s e^(-ζt_0)/(w√D),   0 ≤ t ≤ h             (2)
    D = 1 + 2e^(-ζh) cos wh + e^(-2ζh),   (x_1*, x_2*) = (z, z')(0)
    x_1* = 2p_s e^(-ζh) (sinh ζh - ζ sin(wh)/w)/D,   x_2* = 2p_s e^(-ζh) sin(wh)/(wD)

and the velocity must have changed sign once, one delay before the switching, t_0 = h - τ:

    e^(ζh) sin w(h-τ) = sin wτ                                                                 (3)

One sign per half cycle needs x_2* > 0 and so τ < h < π/w. There the left side of (3) rises and then
at most falls, is too small at h = τ and too large at h = min(2τ, π/w): exactly one root if ζ > 0,
for every τ < π/w; if ζ = 0, h = 2τ for τ < π/2 and none above, where the motion grows without
bound. The paper's (31)-(34) have further roots, whose velocity has the wrong sign, and cycles with
several switchings within one delay (h < τ) are not looked for.

The velocity peaks at the switching, or a quarter turn after its zero if that is earlier,

    peak velocity = A e^(-ζq) sin wq,   q = min(τ, arccos(ζ)/w),   amplitude = wA - p_s        (4)

For small delay T = 2h → 4τ and x_2* → p_s τ: any delay makes a cycle. Switching happens on the
lines x_2 = m x_1 ± b, m = E_21(τ)/E_11(τ), b = -p_s m. The zone of fast oscillation has corners
(±p_s, 0) and ±(x_1, x_2), where the flow touches these lines,

    x_1 = -(b(m+2ζ) + p_s)/(m(m+2ζ) + 1),   x_2 = m x_1 + b                                    (5)

and exists if -x_1 of the corner exceeds |x_1*|. If only the share SR of the force is delayed and
the rest acts at once,

    peak velocity ≈ (2 SR - 1) p_s τ for SR > 1/2, none below                                  (6)

Non-dimensional: time in 1/ω_n, displacement in x_0, p_s = c_d/(m x_0 ω_n²).

[londono2011], eqs (18)-(37); the centre of rotation is (-p_s u, 0), printed (0, -p_s u), and their
x_2* is the peak velocity only up to a quarter turn of delay.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import acos, cos, exp, expm1, hypot, pi, sin, sinh, sqrt

import numpy as np

from rths.errors import InputError
from rths.theory.delay.equation import Reals


@dataclass(frozen=True)
class FrictionCycle:
    """Switching point `x1`, `x2`, what the cycle reaches, and the line x_2 = slope x_1 + offset."""

    x1: float
    x2: float
    period: float
    peak_velocity: float
    amplitude: float
    slope: float
    offset: float
    corner: tuple[float, float]

    @property
    def has_fast_zone(self) -> bool:
        """Condition (37): the corner of (5) lies outside the cycle."""
        return -self.corner[0] > abs(self.x1)


def friction_cycle(damping_ratio: float, friction: float, delay: float) -> FrictionCycle:
    """The cycle of (1) for ζ, p_s and τ, all non-dimensional; refuses where there is none."""
    if not 0 <= damping_ratio < 1:
        raise InputError("damping_ratio", damping_ratio, "must lie in [0, 1)", "Check its unit")
    if not 0 < friction < np.inf:
        raise InputError("friction", friction, "must be positive", "Give c_d/(m x_0 ω_n²)")
    h, half_cosine = _half_period(damping_ratio, delay)
    z, w = damping_ratio, sqrt(1 - damping_ratio**2)
    decay, s = exp(-z * h), 2 * half_cosine * sin(w * h / 2) / w
    root = hypot(expm1(-z * h), 2 * sqrt(decay) * half_cosine)  # √D
    unit = 2 * friction * decay / root
    swing, quarter = 2 * friction * exp(-z * (h - delay)) / (w * root), min(delay, acos(z) / w)
    turn = linear_flow(z, delay)
    along, across = turn[0, 0], turn[1, 0]
    lean = across * (across + 2 * z * along)  # E_11² m (m + 2ζ): (5) also where E_11 = 0
    share = 2 * friction * along / (along**2 + lean)
    return FrictionCycle(
        x1=unit * ((sinh(z * h) - z * s) / root),
        x2=unit * (s / root),
        period=2 * h,
        peak_velocity=swing * exp(-z * quarter) * sin(w * quarter),  # (4)
        amplitude=w * swing - friction,
        slope=float(across / along),
        offset=float(-friction * across / along),
        corner=(float(friction - share * along), float(-share * across)),  # (5)
    )


def linear_flow(damping_ratio: float, time: float) -> Reals:
    """E(t) of z'' + 2ζz' + z = 0 for the state (z, z')."""
    w, z = sqrt(1 - damping_ratio**2), damping_ratio
    c, s, decay = cos(w * time), sin(w * time) / w, exp(-z * time)
    return np.array([[c + z * s, s], [-s, c - z * s]]) * decay


def shared_friction_peak(friction: float, delay: float, ratio: float) -> float:
    """Peak velocity of self-oscillation at substructuring ratio SR, equation (6)."""
    if not 0 <= ratio <= 1:
        raise InputError("ratio", ratio, "must lie in [0, 1]", "Give the share that is measured")
    return max(0.0, 2 * ratio - 1) * friction * delay


def damper_number(
    mass: float, rate: float, scale: float, coefficient: float, power: float
) -> float:
    """p_n of a damper c_d |v|^α in SI: c_d (x_0 ω_n)^α/(m x_0 ω_n²); α = 0 gives p_s."""
    return float(coefficient * (scale * rate) ** power / (mass * scale * rate**2))


def _half_period(damping_ratio: float, delay: float) -> tuple[float, float]:
    # the root h of (3) and cos(wh/2), which vanishes with ζ for delays above a quarter turn: hence
    # the gap below the upper bound is bisected, to its last bit, and not h
    z, w = damping_ratio, sqrt(1 - damping_ratio**2)
    longest = pi / w if z > 0 else pi / 2
    if not 0 < delay < longest:
        problem = f"must lie in (0, {longest:g}): beyond, no cycle switches once per half period"
        raise InputError("delay", delay, problem, "Give ω_n τ, not seconds, or simulate (1)")
    short = 2 * delay < pi / w
    bound = 2 * delay if short else pi / w
    low, high = 0.0, bound - delay
    while low < (gap := 0.5 * (low + high)) < high:
        # sin w(h-τ) - sin wτ as a product of the gap
        rest = -cos(w * (delay - gap / 2)) if short else cos(w * (delay + gap / 2))
        late = 2 * sin(w * gap / 2) * rest
        wide = late < sin(w * delay) * expm1(-z * (bound - gap))
        low, high = (low, gap) if wide else (gap, high)
    h = bound - low
    return h, cos(w * h / 2) if short else sin(w * low / 2)
