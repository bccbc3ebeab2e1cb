"""The way to safety: what happens to the command when the test is left, and how it begins.

    compensator -> [fade] -> guards on the command -> latch -> path -> actuator
    specimen -> feedback -> guards on what is measured -> trust -> structure                   (1)

A command that a guard objects to is not sent: the path goes on from the last good one in the same
tick. What a guard finds in a measurement takes effect on the next command. Always guarded are the
finiteness of command and measurements, the plan's limits, the heartbeat of the supervisor and what
a rig says of itself; with ``[rig]`` also displacement, velocity, acceleration and force of every
actuator, commanded and measured, and room to brake within the limits. Without ``[rig]`` velocity
and acceleration are guarded only if they are given here. What is sent beside the command is led the
same way.

With an acceleration, of this table or of the rig, the command brakes and moves no harder than that;
without one it stands still within a tick. If the way does not help, a test with ``[rig]`` asks the
rig to release its oil pressure.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, sqrt
from typing import ClassVar, Literal

import numpy as np

from rths.assembly.rig_bounds import COMMAND
from rths.description import describe
from rths.errors import InputError
from rths.loop.block import Vector
from rths.quantity import PositiveAcceleration, PositiveMetresPerSecond, RealVector, Seconds

LONGEST_RAMP = 600.0
"""Seconds that the way to safety may take: who waits longer has mistaken a number."""
QUIET = 0.1
"""Seconds for which a force must be small to count as released: longer than an actuator is late."""
STANDING, ASKING = 0.5, 0.5
"""Seconds that a relief stands still, so that the actuator has come to rest, and then asks: many
hundreds of packets, of which one is enough."""


@describe
class Safety:
    """The way to safety: what happens to the command when the test is left, and how it begins."""

    kind: ClassVar[str] = "safety"

    rate: PositiveMetresPerSecond
    """Safe rate, m/s: never faster after a trip and while ramping out."""
    position: RealVector = (0.0,)
    """Safe position, m: one for all channels, or one for each."""
    hold: Seconds = 0.0
    """Time to hold the last good command before moving, s."""
    fade_in: Seconds = 0.0
    """Time in which the command is faded in at the beginning, s."""
    velocity: PositiveMetresPerSecond | None = None
    """Velocity of the command that trips, m/s; that of the rig if not given."""
    acceleration: PositiveAcceleration | None = None
    """Acceleration with which the command brakes and is led, m/s²; that of the rig if not given."""
    way: Literal["position", "force"] = "position"
    """Where the command is led to: to the safe position, or to where the force is released."""
    patience: Seconds = 0.2
    """Time for which a measurement may be beyond the limits of the rig on the way to safety before
    the rig is asked to release its pressure, s."""

    def __post_init__(self) -> None:
        """Refuse a way to safety that would itself be too fast."""
        if self.velocity is not None and self.rate > self.velocity:
            problem = f"is faster than the velocity {self.velocity:g} that trips"
            raise InputError("safety.rate", self.rate, problem, "Make it slower.")

    def positions(self, channels: int) -> Vector:
        """Give the safe position of each channel."""
        if len(self.position) not in (1, channels):
            problem = f"is given {len(self.position)} times for {channels} actuator(s)"
            raise InputError(
                "safety.position", self.position, problem, "Give one, or one for each."
            )
        return np.broadcast_to(np.asarray(self.position), channels).copy()

    def longest_way(
        self, bounds: Sequence[tuple[float, float]], tick: float, slowing: float | None
    ) -> int:
        """Count the ticks that the way to safety takes at most, from anywhere within the bounds.

        Without an acceleration the distance is that to the safe position. With one, ``slowing``,
        the command may have to brake to the far end first, and then cross the whole stroke.
        """
        low, high = (np.array(ends) for ends in zip(*bounds, strict=True))
        s = self.positions(len(bounds))
        if not (np.all(low <= s) and np.all(s <= high)):
            problem = f"is beyond the limits of the command, {low.max():g} to {high.min():g}"
            raise InputError("safety.position", self.position, problem, "Move it within.")
        way = float(max((high - s).max(), (s - low).max()))
        if way > self.rate * LONGEST_RAMP:
            problem = f"takes {way / self.rate:.3g} s for the way of {way:g} m to safety"
            remedy = f"At most {LONGEST_RAMP:g} s: move at {way / LONGEST_RAMP:.3g} m/s or faster, "
            remedy += f"or narrow limits.{COMMAND}."
            raise InputError("safety.rate", self.rate, problem, remedy)
        if self.hold > LONGEST_RAMP:
            remedy = f"Hold at most {LONGEST_RAMP:g} s."
            raise InputError("safety.hold", self.hold, "never leads to safety", remedy)
        if slowing is None:
            return ceil(self.hold / tick) + ceil(way / (self.rate * tick) * (1 + 1e-9)) + 4
        stroke = float((high - low).max())
        time = self.hold + 2 * sqrt(2 * stroke / slowing) + stroke / self.rate + self.rate / slowing
        return ceil((time + (QUIET if self.way == "force" else 0.0)) / tick) + 8


def longest_relief(tick: float) -> int:
    """Count the ticks that a relief takes."""
    return ceil(STANDING / tick) + ceil(ASKING / tick) + 4
