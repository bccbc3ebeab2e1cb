"""Simulation of one mass with a delayed specimen force, linear or not.

    z'' + c z' + k z + f(z_d, z_d') = 0,   z_d = Σ_j w_j z(t - τ_j)                            (1)

    spring:      f = p z_d                    saturating spring: f = p clip(z_d, -1, 1)        (2)
    friction:    f = p sign z_d'              power law:         f = p |z_d'|^α sign z_d'      (3)

Fourth-order Runge-Kutta with fixed step; delayed values by linear interpolation between steps, so
the error is of second order in the step. Several taps with weights are a prediction. Before t = 0
the mass rests at z(0). Any consistent units; the limit of the saturating spring is the unit of z.

[londono2011], eqs (17), (18); [wallace2005], eqs (14), (16), (17).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from rths.errors import InputError
from rths.theory.compilation import compile_lazily
from rths.theory.delay.equation import Reals

LAWS = ("spring", "saturating", "friction", "power")


@dataclass(frozen=True, eq=False)
class Response:
    """Displacement and velocity at every step."""

    step: float
    displacement: Reals
    velocity: Reals

    @property
    def time(self) -> Reals:
        """Times of the samples."""
        return np.asarray(np.arange(self.displacement.size) * self.step, np.float64)


@dataclass(frozen=True)
class SettledCycle:
    """What a settled oscillation looks like."""

    amplitude: float
    peak_velocity: float
    period: float


def simulate(
    law: str,
    strength: float,
    delays: float | Sequence[float],
    *,
    damping: float,
    stiffness: float,
    start: tuple[float, float],
    step: float,
    steps: int,
    weights: ArrayLike = 1.0,
    power: float = 1.0,
) -> Response:
    """Run (1) from `start` = (z, z'); `damping` and `stiffness` are per unit mass."""
    if law not in LAWS:
        raise InputError("law", law, "is not known", f"Choose one of {', '.join(LAWS)}")
    late = np.atleast_1d(np.asarray(delays, float))
    w = np.atleast_1d(np.asarray(weights, float))
    if late.size != w.size:
        raise InputError("weights", w.tolist(), "do not match the delays", "Give one per delay")
    if not (late >= step).all():
        problem = f"is shorter than the step {step:g}, which needs values not yet computed"
        raise InputError("delays", late.tolist(), problem, "Take a smaller step")
    z, v = np.empty(steps + 1), np.empty(steps + 1)
    z[0], v[0] = start
    _run(LAWS.index(law), strength, power, late / step, w, damping, stiffness, step, z, v)
    return Response(step, z, v)


def settled_cycle(response: Response, since: float = 0.5) -> SettledCycle:
    """Amplitude, peak velocity and mean period after the share `since` of the run."""
    first = int(since * response.displacement.size)
    z, v = response.displacement[first:], response.velocity[first:]
    up = np.flatnonzero((v[:-1] < 0) & (v[1:] >= 0))
    if up.size < 2:
        problem = "does not oscillate in the part looked at"
        raise InputError("since", since, problem, "Simulate longer, or expect no cycle")
    moments = up + v[up] / (v[up] - v[up + 1])
    period = response.step * float(moments[-1] - moments[0]) / (up.size - 1)
    return SettledCycle(float(np.abs(z).max()), float(np.abs(v).max()), period)


@compile_lazily
def _force(law: int, strength: float, power: float, z: float, v: float) -> float:
    if law == 0:
        return strength * z
    if law == 1:
        return strength * min(max(z, -1.0), 1.0)
    size = 1.0 if law == 2 else abs(v) ** power
    return float(strength * size * np.sign(v))


@compile_lazily
def _delayed_state(
    place: float, now: int, late: Reals, w: Reals, z: Reals, v: Reals
) -> tuple[float, float]:
    # weighted delayed state at `place` (in steps); rest at z[0] before zero
    z_d, v_d = 0.0, 0.0
    for j in range(late.size):
        at = place - late[j]
        if at < 0.0:
            z_d += w[j] * z[0]
            continue
        i = min(int(at), max(now - 1, 0))
        share = at - i
        if share == 0.0:
            z_d += w[j] * z[i]
            v_d += w[j] * v[i]
        else:
            z_d += w[j] * ((1.0 - share) * z[i] + share * z[i + 1])
            v_d += w[j] * ((1.0 - share) * v[i] + share * v[i + 1])
    return z_d, v_d


@compile_lazily
def _run(
    law: int,
    strength: float,
    power: float,
    late: Reals,
    w: Reals,
    c: float,
    k: float,
    h: float,
    z: Reals,
    v: Reals,
) -> None:
    for i in range(z.size - 1):
        z_d, v_d = _delayed_state(i, i, late, w, z, v)
        f0 = _force(law, strength, power, z_d, v_d)
        z_d, v_d = _delayed_state(i + 0.5, i, late, w, z, v)
        f1 = _force(law, strength, power, z_d, v_d)
        z_d, v_d = _delayed_state(i + 1.0, i, late, w, z, v)
        f2 = _force(law, strength, power, z_d, v_d)
        v1, a1 = v[i], -c * v[i] - k * z[i] - f0
        v2 = v[i] + 0.5 * h * a1
        a2 = -c * v2 - k * (z[i] + 0.5 * h * v1) - f1
        v3 = v[i] + 0.5 * h * a2
        a3 = -c * v3 - k * (z[i] + 0.5 * h * v2) - f1
        v4 = v[i] + h * a3
        a4 = -c * v4 - k * (z[i] + h * v3) - f2
        z[i + 1] = z[i] + h / 6.0 * (v1 + 2.0 * v2 + 2.0 * v3 + v4)
        v[i + 1] = v[i] + h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4)
