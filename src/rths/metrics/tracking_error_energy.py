"""Energy that tracking errors put into the structure.

    E(t) = ∫ f d(x_m - x_t),   E_(i+1) = E_i + (f_(i+1) + f_i)/2 · (Δx_m - Δx_t)              (1)

f is the measured restoring force that the structure feels. The structure believes that it gives
the specimen ∫ f dx_t; the specimen takes ∫ f dx_m. The difference comes from the actuator and ends
up in the structure: E grows when the actuator lags (negative damping) and falls when it leads.

For a spring k and a sine of amplitude X with lag φ it is π k X² sin(φ) in a cycle; for any motion
of a spring it is k times the tracking indicator plus the change of k m (m - c)/2, exactly.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from rths.identification.signal_pair import Array, signal, signal_pair
from rths.metrics._declaration import Declaration, declare


@declare(Declaration("J"))
def tracking_error_energy(
    target: ArrayLike, measured: ArrayLike, step: float, force: ArrayLike
) -> Array:
    """E at every sample in joules, zero at the first; positive is energy added to the structure."""
    c, m = signal_pair(target, measured, step)
    f, _ = signal_pair(signal("force", force), c, step)
    increments = 0.5 * (f[1:] + f[:-1]) * (np.diff(m) - np.diff(c))  # (1)
    return np.concatenate([[0.0], np.cumsum(increments)])
