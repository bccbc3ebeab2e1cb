"""Actuator as gain and delay: H(s) = gain · exp(-s delay)."""

from __future__ import annotations

import numpy as np

from rths.identification.actuator_model import ActuatorModel

PURE_DELAY = ActuatorModel(
    bounds={"gain": (0.0, np.inf), "delay": (-1.0, 1.0)},
    terms=lambda p: (p[0], p[1], 0.0, 0.0),
    starts=lambda gain, delay: [[gain, delay]],
)
