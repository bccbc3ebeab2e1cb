"""Tracking error as a share of the target, root mean square.

    RMS = sqrt( Σ (c_i - m_i)² / Σ c_i² )                                                     (1)

The root covers the quotient. [chen2010] equation (4b).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from rths.errors import InputError
from rths.identification.signal_pair import signal_pair
from rths.metrics._declaration import Declaration, declare


@declare(Declaration(unit="share"))
def rms_tracking_error(target: ArrayLike, measured: ArrayLike, step: float) -> float:
    """RMS as a number (0.02 is 2 %)."""
    c, m = signal_pair(target, measured, step)
    if not np.any(c):
        remedy = "Choose a stretch with motion, or use the maximum tracking error."
        raise InputError("target", 0.0, "is zero throughout, so no share of it exists", remedy)
    # divided by the largest value first, so that squares of tiny signals do not vanish
    size = np.abs(c).max()
    return float(np.sqrt(np.sum(((c - m) / size) ** 2) / np.sum((c / size) ** 2)))
