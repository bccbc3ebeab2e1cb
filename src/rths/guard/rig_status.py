"""What the rig says of itself.

    value = 1 if a bit of the actuator's status is set, else 0                                (1)

The bit rig_does_not_follow stands for three of them: on the way to the safe position, at it, and on
the way to the first command.

A test with a rig and a way to safety always listens for the bits that mean that the rig does not
follow any more: see ``SERIOUS``. Use it to be warned of others, as of an actuator that saturates.
"""

from __future__ import annotations

from typing import Literal

from rths.guard.base import BOUNDS, describe, judge, register
from rths.guard.limit import Limit
from rths.hardware.wire import status
from rths.loop.block import Block, Vector, kernel
from rths.loop.fields import fields
from rths.site import Site

Bit = Literal[
    "oil_pressure_lost",
    "saturated",
    "sensor_fault",
    "stopped_at_the_rig",
    "rig_heard_nothing",
    "beyond_limits_of_the_rig",
    "rig_does_not_follow",
    "link_lost",
]
BITS: dict[Bit, int] = {
    "oil_pressure_lost": status.PRESSURE,
    "saturated": status.SATURATED,
    "sensor_fault": status.SENSOR,
    "stopped_at_the_rig": status.STOPPED,
    "rig_heard_nothing": status.SILENCE,
    "beyond_limits_of_the_rig": status.BEYOND,
    "rig_does_not_follow": status.RAMPING | status.SAFE | status.APPROACHING,
    "link_lost": status.LINK_LOST,
}
SERIOUS = tuple(name for name in BITS if name != "saturated")
"""What trips a test: from its first tick on the rig has to follow."""
UNREADY = status.LATCHED + sum(
    BITS[name] for name in SERIOUS if name not in ("rig_does_not_follow", "link_lost")
)
"""Bits that refuse a rig before a test: there it may still be on its way to the first command."""
P = fields(**BOUNDS.meaning, bits="bits of which one is enough")


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # u = status
    judge(1.0 if int(u[0]) & int(p[P.bits]) else 0.0, p, y)  # (1)


@register
@describe
class RigStatus(Limit):
    """Bounds on one bit of a rig's status."""

    example = {"bit": "saturated", "warn": 0}

    bit: Bit
    """The bit; link_lost is set by the loop when too many replies in a row are missing."""
    signal: str = "hardware.status"
    """The signal with the status bits."""

    def block(self, site: Site) -> Block:
        """Yield the block of (1)."""
        return Block(step, P.pack(**self.bounds, bits=BITS[self.bit]), outputs=2)
