"""What a chosen plan must keep, whatever its error.

Certificates: the plan, and the plan with ``delay_margin`` of the actuator's delay more and
``gain_margin`` times the force, both at once, are proved or tested. Perturbed plants: lost with a
probability below ``probability``, with 95 % confidence. Quiet: the command's own motion after the
test, beyond its target, is below ``noise`` of its motion in the test. The limits of the rig's file
and of the plan hold in every rehearsal.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, log, log1p

from rths.errors import InputError

CONFIDENCE = 0.95
RAREST = 1e-4
"""Least probability that is asked for: 30,000 plants have to be run for it. What is rarer is for
the levels of ``rths sweep --instability``."""


@dataclass(frozen=True)
class Requirements:
    """Bounds that a plan must keep to be chosen."""

    delay_margin: float = 0.1
    """More delay, as a share of the actuator's own."""
    gain_margin: float = 1.2
    """Factor on the force of the specimens."""
    probability: float = 0.05
    """Of a perturbed plant with which the test is lost."""
    noise: float = 0.1
    """Speed of the command beyond its target in the quiet, as a share of that in the test."""

    @property
    def fewest_plants(self) -> int:
        """Plants of which none may be lost to show the probability p: (1 - p)^n = 5 %."""
        if self.probability >= 1.0:
            return 1
        return ceil(log(1 - CONFIDENCE) / log1p(-self.probability))

    def stress_words(self, later: bool) -> str:
        """Say what a plan is tried with beyond itself, and of delay only if it is made later."""
        delay = f"{100 * self.delay_margin:.3g} % more delay and " if later else ""
        return f"{delay}{self.gain_margin:g} times the specimen's force"

    def __post_init__(self) -> None:
        """Refuse what nothing could keep, or what asks for nothing."""
        for name, low, high in (
            ("delay_margin", 0.0, 10.0),
            ("gain_margin", 1.0, 20.0),
            ("probability", RAREST, 1.0),
            ("noise", 0.0, 1.0),
        ):
            value = getattr(self, name)
            if not low <= value <= high:
                option = "--" + name.replace("_", "-")
                remedy = f"Give a number from {low:g} to {high:g}."
                raise InputError(option, value, "cannot be kept, or asks for nothing", remedy)
