"""A block that did not go on, with the loop as it left it: from this it explains its stop code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from rths.loop.block import Block, Vector
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
    block: Block
    """The block itself, or the one inside of it that answered."""
    states: Vector
    """Its states."""
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
        """What has been written last to its place in the loop."""
        return self.arena[list(self.placed.output_slots)]

    def stop(self, reason: Reason, message: str, **numbers: Any) -> Stop:
        """Say why the test stopped; all other fields of a stop may be given by name."""
        return Stop(reason, self.tick, self.time, message, **numbers)


Explain = Callable[[Halt], Stop]


def explain_inside(own: Explain | None, inside: Sequence[tuple[int, Block]], halt: Halt) -> Stop:
    """Let the block inside that answered with the code say what it means.

    ``inside`` gives each with the place of its first state; its code stands behind the last.
    """
    for first, block in inside:
        after = first + block.states.size
        if halt.states[after] == halt.code:
            states = halt.states[first:after]
            return (block.explains or explain_code)(replace(halt, block=block, states=states))
    return (own or explain_code)(halt)


def explain_code(halt: Halt) -> Stop:
    """Say no more than which block stopped the test, and with which code."""
    label = halt.placed.label
    text = f"stopped {halt.when}: {label} answered with its stop code {halt.code}"
    return halt.stop("block", text, block=label, code=halt.code)
