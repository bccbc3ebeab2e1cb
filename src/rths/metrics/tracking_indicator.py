"""Area enclosed in the plane of target and measured displacement, as it grows with time.

    A_(i+1)  = A_i  + (c_(i+1) + c_i)(m_(i+1) - m_i)/2                                        (1)
    TA_(i+1) = TA_i + (m_(i+1) + m_i)(c_(i+1) - c_i)/2                                        (2)
    TI = (A - TA)/2,   so that  TI_(i+1) - TI_i = (c_i m_(i+1) - c_(i+1) m_i)/2               (3)

It grows while the measured displacement lags and falls while it leads. A sine of amplitudes C and M
with lag φ adds C M sin(ωh) sin(φ)/2 at each step, near π C M sin(φ) in a cycle. It has the unit of
displacement squared.

[chen2010] equations (3), there printed with A_(i+1) on the right of (1) and dTA_i in (2);
O. Mercan, Lehigh University, 2007.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from rths.identification.signal_pair import Array, signal_pair
from rths.metrics._declaration import Declaration, declare


@declare(Declaration("m²"))
def tracking_indicator(target: ArrayLike, measured: ArrayLike, step: float) -> Array:
    """TI at every sample, zero at the first."""
    c, m = signal_pair(target, measured, step)
    increments = 0.5 * (c[:-1] * m[1:] - c[1:] * m[:-1])  # (3)
    return np.concatenate([[0.0], np.cumsum(increments)])
