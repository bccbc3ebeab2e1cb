"""Blocks of our own for the campaign: an actuator that is later, one with a port, who reads it."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from rths.loop.block import Block, Ring, Vector, inside, kernel
from rths.loop.port import Port
from rths.quantity import Delay, NewtonsPerMetre, Positive
from rths.site import Site
from rths.specimen.base import Specimen
from rths.transfer.base import Transfer, describe


@kernel
def step_later(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # p = delay in ticks, length of a line, p of the actuator
    # x = place of the newest, a line for each output, x of the actuator
    size, outputs = int(p[1]), y.size
    inside(x[1 + outputs * size :], p[2:], u, y)
    now, whole = (int(x[0]) + 1) % size, int(p[0])
    x[0] = now
    for i in range(outputs):
        line = x[1 + i * size : 1 + (i + 1) * size]
        line[now] = y[i]
        share = p[0] - whole
        y[i] = (1.0 - share) * line[(now - whole) % size] + share * line[(now - whole - 1) % size]


@describe
class Later(Transfer):
    """Any actuator, and everything that it writes, some time later; see `make_later`."""

    kind = "benchmarks:later"
    inner: ClassVar[Any]

    extra: Delay

    @property
    def holds(self) -> bool:
        """As the actuator does."""
        return bool(self.inner.holds)

    def block(self, site: Site) -> Block:
        """Yield the actuator with a line behind each of its outputs."""
        ticks, outputs = self.extra / site.tick, 1 + len(self.ports)
        size = int(ticks) + 3
        states = np.zeros(1 + outputs * size)
        rings = [Ring(1 + i * size, size, 0) for i in range(outputs)]
        inside = {"inside": self.inner.block(site)}
        return Block.around(step_later, [ticks, size], states, inside, outputs, rings)


def make_later(inner: Any, extra: float) -> Transfer:
    """Put a delay behind an actuator, whatever it is."""
    made = type(
        "LaterOne", (Later,), {"inner": inner, "ports": inner.ports, "inputs": inner.inputs}
    )
    return made(extra=extra)  # type: ignore[no-any-return]


@kernel
def step_telling(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # p = share, h;   x = displacement
    old = x[0]
    x[0] += p[0] * (u[0] - old)
    y[0], y[1] = x[0], (x[0] - old) / p[1]


@describe
class Telling(Transfer):
    """A lag of first order that also tells its velocity."""

    kind = "benchmarks:telling"
    ports = (Port("velocity", "m/s"),)

    lag: Positive
    """Time constant in ticks."""

    def block(self, site: Site) -> Block:
        """Yield the block."""
        return Block(step_telling, [1 / (1 + self.lag), site.tick], 1, outputs=2)


@kernel
def step_reading(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    y[0] = p[0] * u[0] + p[1] * u[1]


@describe
class Reading(Specimen):
    """A spring and a dashpot that take the velocity from the actuator's port."""

    kind = "benchmarks:reading"
    inputs = ("transfer.displacement", "transfer.velocity")

    stiffness: NewtonsPerMetre
    damping: NewtonsPerMetre

    def block(self, site: Site) -> Block:
        """Yield the block."""
        return Block(step_reading, [self.stiffness, self.damping])
