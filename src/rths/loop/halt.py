"""A block that did not go on, with the loop as it left it: from this it explains its stop code."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rths.loop.block import Vector
from rths.loop.stop import Reason, Stop

if TYPE_CHECKING:
    from rths.loop.layout import Layout
    from rths.loop.wiring import Placed


@dataclass(frozen=True, eq=False)
class Halt:
    """Which block answered with which code, when, and what stood in the arena."""

    layout: Layout
    arena: Vector
    placed: Placed
    code: int
    """The stop code k > 0 that its step returned."""
    tick: int
    """First tick that is not whole."""
    interval: float
    """Time between two ticks, s."""

    @property
    def time(self) -> float:
        """Time of the tick, s."""
        return self.tick * self.interval

    @property
    def when(self) -> str:
        """Tick and time in words."""
        return f"at tick {self.tick} (t = {self.time:.6g} s)"

    @property
    def outputs(self) -> Vector:
        """What the block has written last."""
        return self.arena[list(self.placed.output_slots)]

    def stop(self, reason: Reason, message: str, **numbers: Any) -> Stop:
        """Say why the test stopped; all other fields of a stop may be given by name."""
        return Stop(reason, self.tick, self.time, message, **numbers)


Explain = Callable[[Halt], Stop]


def explain_code(halt: Halt) -> Stop:
    """Say no more than which block stopped the test, and with which code."""
    label = halt.placed.label
    text = f"stopped {halt.when}: {label} answered with its stop code {halt.code}"
    return halt.stop("block", text, block=label, code=halt.code)
