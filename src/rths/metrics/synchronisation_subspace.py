"""The plane of target against measured displacement, with the loop of a pure delay.

Perfect tracking is the line of 45°. A sine of amplitude X and angular frequency ω, delayed by τ,
runs through the ellipse

    c = X cos θ,   m = X cos(θ - ωτ),   half axes √2 X cos(ωτ/2) and √2 X sin(ωτ/2)            (1)

of area π X² sin(ωτ). With the critical delay of the test it is the limit loop: a test whose points
leave it sideways has left the range in which theory promises stability. Without a given frequency
and amplitude those of the target are used: X = √2 std(c), and ω from the least squares of

    c_(i+1) + c_(i-1) = 2 cos(ωh) c_i                                                         (2)

which is exact for a sine and the mean of ω² over the power otherwise.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from rths.errors import InputError
from rths.identification.signal_pair import Array, signal_pair


class SynchronisationSubspace(NamedTuple):
    """Points of the test and of the loop, the loop's half width (m) and its area (m²)."""

    target: Array
    measured: Array
    loop_target: Array
    loop_measured: Array
    half_width: float
    area: float


def synchronisation_subspace(
    target: ArrayLike,
    measured: ArrayLike,
    step: float,
    *,
    delay: float,
    frequency: float | None = None,
    amplitude: float | None = None,
    points: int = 181,
) -> SynchronisationSubspace:
    """Both curves; ``delay`` in seconds and ``frequency`` in Hz belong to the loop."""
    c, m = signal_pair(target, measured, step)
    spread = float(np.std(c))
    if spread == 0.0 and (frequency is None or amplitude is None):
        remedy = "Choose a stretch with motion, or state frequency and amplitude."
        raise InputError("target", float(c[0]), "does not move", remedy)
    x = np.sqrt(2.0) * spread if amplitude is None else amplitude
    if frequency is None:
        y = c - c.mean()
        power = max(2.0 * float(y[1:-1] @ y[1:-1]), np.finfo(np.float64).tiny)
        cosine = float(y[1:-1] @ (y[2:] + y[:-2])) / power  # (2)
        omega = np.arccos(np.clip(cosine, -1.0, 1.0)) / step
    else:
        omega = 2.0 * np.pi * frequency
    theta = np.linspace(0.0, 2.0 * np.pi, points)
    turn = float(omega * delay)
    return SynchronisationSubspace(
        c,
        m,
        x * np.cos(theta),
        x * np.cos(theta - turn),  # (1)
        float(np.sqrt(2.0) * x * abs(np.sin(0.5 * turn))),
        float(np.pi * x**2 * np.sin(turn)),
    )
