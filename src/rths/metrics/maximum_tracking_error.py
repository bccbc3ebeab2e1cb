"""Largest distance between target and measured displacement.

    MTE = max_i |c_i - m_i|                                                                   (1)

[chen2010] equation (4a).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from rths.identification.signal_pair import signal_pair
from rths.metrics._declaration import Declaration, declare


@declare(Declaration("m"))
def maximum_tracking_error(target: ArrayLike, measured: ArrayLike, step: float) -> float:
    """MTE in the unit of the signals."""
    c, m = signal_pair(target, measured, step)
    return float(np.max(np.abs(c - m)))
