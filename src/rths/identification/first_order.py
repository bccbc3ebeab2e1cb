"""Actuator as gain and first-order lag: H(s) = gain / (1 + s lag).

The lag T is the delay at low frequencies; at ω it is atan(ωT)/ω.
"""

from __future__ import annotations

import numpy as np

from rths.identification.actuator_model import SHORTEST, ActuatorModel

FIRST_ORDER = ActuatorModel(
    bounds={"gain": (0.0, np.inf), "lag": (SHORTEST, 10.0)},
    terms=lambda p: (p[0], 0.0, p[1], 0.0),
    starts=lambda gain, delay: [[gain, delay], [gain, 2.0 * delay]],
)
