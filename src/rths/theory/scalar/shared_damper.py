"""A damper of which only a share is measured (late) while the rest is computed (at once): SR.

    z'' + 2ζz' + z + (1 - SR) p |z'|^α sign z' + SR p |z'(t-τ)|^α sign z'(t-τ) = 0             (1)

The computed share is treated implicitly, v⁺ + h(1-SR) p |v⁺|^α sign v⁺ = v*, so that friction
(α = 0) can hold the mass still instead of chattering. With α = 0 self-oscillation appears only for
SR > 1/2: below, the computed share exceeds the late one and stops it
(`friction_cycle.shared_friction_peak`). Beside the cycle any rest with |z| ≤ (1-SR) p stays a rest,
so a slow approach from a large displacement can end stuck; the default start is a push at z = 0.
First order in the step h. Non-dimensional as in `friction_cycle`.

[londono2011], eq. (40).
"""

import numpy as np

from rths.errors import InputError
from rths.theory.compilation import compile_lazily
from rths.theory.delay.equation import Reals
from rths.theory.scalar.delayed_simulation import Response


def simulate_shared(
    ratio: float,
    strength: float,
    delay: float,
    *,
    damping_ratio: float,
    power: float = 0.0,
    start: tuple[float, float] = (0.0, 0.5),
    step: float = 2e-4,
    steps: int = 300_000,
) -> Response:
    """Run (1) at substructuring ratio SR = `ratio`; power 0 is dry friction."""
    if not 0 <= ratio <= 1:
        raise InputError("ratio", ratio, "must lie in [0, 1]", "Give the share that is measured")
    if not delay >= step:
        raise InputError("delay", delay, f"is below the step {step:g}", "Take a smaller step")
    z, v = np.empty(steps + 1), np.empty(steps + 1)
    z[0], v[0] = start
    _run(ratio, strength, power, delay / step, 2 * damping_ratio, step, z, v)
    return Response(step, z, v)


@compile_lazily
def _solve_velocity(free: float, impulse: float, power: float) -> float:
    # v of v + impulse |v|^power sign v = free, by bisection of the monotone left side
    size = abs(free)
    if power == 0.0:
        return float(np.sign(free) * max(size - impulse, 0.0))
    low, high = 0.0, size
    for _ in range(50):
        middle = 0.5 * (low + high)
        if middle + impulse * middle**power > size:
            high = middle
        else:
            low = middle
    return float(np.sign(free) * 0.5 * (low + high))


@compile_lazily
def _run(
    ratio: float,
    strength: float,
    power: float,
    late: float,
    c: float,
    h: float,
    z: Reals,
    v: Reals,
) -> None:
    impulse = h * (1.0 - ratio) * strength
    for i in range(z.size - 1):
        at = i + 1.0 - late
        v_d = 0.0
        if at > 0.0:
            j = min(int(at), max(i - 1, 0))
            v_d = v[j] + (at - j) * (v[j + 1] - v[j])
        size = 1.0 if power == 0.0 else abs(v_d) ** power
        force = ratio * strength * size * np.sign(v_d)
        v[i + 1] = _solve_velocity(v[i] + h * (-c * v[i] - z[i] - force), impulse, power)
        z[i + 1] = z[i] + h * v[i + 1]
