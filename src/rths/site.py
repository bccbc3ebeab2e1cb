"""What a description learns about the place where its block will stand."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rths.equation import EquationOfMotion


@dataclass(frozen=True, eq=False)
class Site:
    """Clock, channel and state at t = 0 of a block's place in the loop."""

    tick: float
    """Base tick h, s."""
    interval: float
    """Time between two calls of this block, s."""
    channel: int = 0
    displacement: float = 0.0
    """Displacement of the channel for t <= 0, m."""
    key: tuple[int, ...] = (0,)
    """What the random numbers of this block alone follow from: seed of the test, channel, role."""
    equation: EquationOfMotion | None = None
    """The equation of motion of the whole test, for those that predict with a model."""
    stage: float = 0.0
    """Time between two targets of the integrator, s."""
    fresh: bool = False
    """Whether feedback.displacement is that of the same tick, as an actuator that holds gives it,
    and not that of the tick before."""

    @cached_property
    def seed(self) -> int:
        """Seed for the random numbers of this block alone; most blocks do not ask for it."""
        from numpy.random import SeedSequence

        return int(SeedSequence(self.key).generate_state(1)[0])
