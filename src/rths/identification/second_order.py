"""Actuator as gain, second order and dead time.

    H(s) = gain · exp(-s dead_time) / (1 + 2ζ s/ω_0 + s²/ω_0²),   ω_0 = 2π frequency          (1)

Its delay at low frequencies is dead_time + 2ζ/ω_0: the fit starts from several ways to share the
overall delay between the two.
"""

from __future__ import annotations

import numpy as np

from rths.identification.actuator_model import ActuatorModel
from rths.identification.signal_pair import Array


def _terms(p: Array) -> tuple[float, float, float, float]:
    w = 2.0 * np.pi * p[2]
    return p[0], p[1], 2.0 * p[3] / w, 1.0 / w**2  # (1)


def _starts(gain: float, delay: float) -> list[list[float]]:
    shares, dampings = (0.1, 0.4, 0.8), (0.4, 0.8)
    return [
        [gain, share * delay, damping / (np.pi * (1.0 - share) * delay), damping]
        for share in shares
        for damping in dampings
    ]


SECOND_ORDER = ActuatorModel(
    bounds={
        "gain": (0.0, np.inf),
        "dead_time": (0.0, 1.0),
        "frequency": (1e-3, 1e4),
        "damping": (1e-3, 20.0),
    },
    terms=_terms,
    starts=_starts,
)
