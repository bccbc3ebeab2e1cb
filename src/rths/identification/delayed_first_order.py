"""Actuator as gain, first-order lag and dead time: H(s) = gain · exp(-s dead_time) / (1 + s lag).

Its delay at low frequencies is dead_time + lag: the fit starts from several ways to share the
overall delay between the two.
"""

from __future__ import annotations

import numpy as np

from rths.identification.actuator_model import SHORTEST, ActuatorModel

DELAYED_FIRST_ORDER = ActuatorModel(
    bounds={"gain": (0.0, np.inf), "dead_time": (0.0, 1.0), "lag": (SHORTEST, 10.0)},
    terms=lambda p: (p[0], p[1], p[2], 0.0),
    starts=lambda gain, delay: [
        [gain, share * delay, (1.0 - share) * delay] for share in (0.2, 0.5, 0.8)
    ],
)
