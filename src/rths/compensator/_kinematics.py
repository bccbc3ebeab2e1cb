"""What predictors have that carry the integrator's kinematics on, from the boundary before.

    T = dt + τ                                                                               (1)

The acceleration at the target's time is not known before the force there is measured: they start
at the boundary before the target and look ahead over one interval dt more than the delay.
"""

from __future__ import annotations

from typing import ClassVar

from rths.compensator.base import Compensator, describe
from rths.quantity import Delay
from rths.site import Site


@describe
class KinematicPrediction(Compensator):
    """Base of predictors from displacement, velocity and acceleration of a boundary."""

    cites: ClassVar[tuple[str, ...]] = ("ahmadizadeh2008", "wu2013")
    inputs = ("integrator.displacement", "integrator.velocity", "integrator.acceleration")

    delay: Delay
    """Delay tau to be made up for, s."""

    def horizon(self, site: Site) -> float:
        """Give T of (1), s."""
        return site.stage + self.delay
