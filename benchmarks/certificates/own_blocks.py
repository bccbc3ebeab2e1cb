"""Blocks of a user's own, which travel with the random plans that name them."""

from __future__ import annotations

from typing import Any

from rths import Block, kernel
from rths.compensator.base import Compensator
from rths.compensator.base import describe as describe_compensator
from rths.feedback.base import Feedback
from rths.feedback.base import describe as describe_feedback
from rths.quantity import Delay
from rths.specimen.base import Specimen
from rths.specimen.base import describe as describe_specimen


@kernel
def press(x: Any, p: Any, u: Any, y: Any) -> None:
    """Push beyond the gap."""
    # p = stiffness, gap
    y[0] = p[0] * max(u[0] - p[1], 0.0)


@kernel
def stiffen(x: Any, p: Any, u: Any, y: Any) -> None:
    """Add the cubic part."""
    # p = stiffness at rest, stiffness of the third power
    y[0] = (p[0] + p[1] * u[0] * u[0]) * u[0]


@kernel
def lead(x: Any, p: Any, u: Any, y: Any) -> None:
    """Extend the last two targets."""
    # p = delay / interval;   x = last target
    y[0] = u[0] + p[0] * (u[0] - x[0])
    x[0] = u[0]


@kernel
def smooth(x: Any, p: Any, u: Any, y: Any) -> None:
    """Take the mean of two forces."""
    # x = last force
    y[0] = 0.5 * (u[0] + x[0])
    x[0] = u[0]


@describe_specimen
class Contact(Specimen):
    """A stop that only pushes, beyond a gap."""

    stiffness: float
    gap: float

    def block(self, site: Any) -> Block:
        """Yield the block; a negative gap is a preload."""
        return Block(press, [self.stiffness, self.gap])


@describe_specimen
class Stiffening(Specimen):
    """A spring with a cubic part."""

    stiffness: float
    cubic: float

    def block(self, site: Any) -> Block:
        """Yield the block."""
        return Block(stiffen, [self.stiffness, self.cubic])


@describe_compensator
class Lead(Compensator):
    """Predicts along a straight line."""

    delay: Delay

    def block(self, site: Any) -> Block:
        """Yield the block, at rest."""
        return Block(lead, [self.delay / site.interval], [site.displacement])


@describe_feedback
class Smooth(Feedback):
    """The mean of the last two forces."""

    def block(self, site: Any) -> Block:
        """Yield the block."""
        return Block(smooth, [], 1)
