"""Transfer systems in series: each moves what the one before it commands.

    x_0 = u,   x_i = link_i(x_i-1),   displacement = x_n                                      (1)

A lag behind a dead time, a valve before an actuator, a gap behind both. Delays add up, gains
multiply. Whatever else a link reads, as the force of the specimen, it reads as if it stood alone.

Use it for what ``rths identify actuator`` finds and no single kind has: a first-order lag with a
dead time, or a second-order one with a gain.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from typing import Any

from rths.errors import InputError
from rths.loop.block import Block, Vector, kernel
from rths.loop.fields import fields, many
from rths.loop.port import Port
from rths.registry import build_nested
from rths.site import Site
from rths.transfer.base import Transfer, describe, register

P = fields(
    inputs="inputs of the first",
    params="parameters of the first",
    states="states of the first, with its code",
    ports="ports of the first",
    inside=many("p of the first, p of the second"),
)


@kernel
def first(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    """Stand for the first block until it is known."""


@kernel
def second(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    """Stand for the second block until it is known."""


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # u = inputs of the first, those of the second but its command
    # x = inputs of the second, x of the first, x of the second
    own, a = int(p[P.inputs]), P.inside + int(p[P.params])
    width = u.size - own + 1
    b = width + int(p[P.states])
    ports = int(p[P.ports])
    first(x[width:b], p[P.inside : a], u[:own], y[: 1 + ports])
    x[0] = y[0]
    for i in range(1, width):
        x[i] = u[own + i - 1]
    second(x[b:], p[a:], x[:width], y[: y.size - ports])  # (1)


@register
@describe
class Series(Transfer):
    """Several transfer systems, from the command to the specimen."""

    example = {
        "links": [
            {"kind": "dead_time", "delay": 0.004},
            {"kind": "first_order", "time_constant": 0.003},
        ]
    }

    links: tuple[dict[str, Any], ...]
    """The transfer systems in their order, each as a table of its own: kind and fields."""

    def __post_init__(self) -> None:
        """Check the tables: who holds a command stands first, and one alone may have ports."""
        kinds = [link.kind for link in self.members]
        if not self.links:
            remedy = "Use dead_time with delay = 0 for an ideal actuator."
            raise InputError("transfer.links", [], "is empty", remedy)
        if any(link.holds for link in self.members[1:]):
            problem = "has one that holds its command over the tick behind another"
            raise InputError("transfer.links", kinds, problem, "Put that one first.")
        if sum(bool(link.ports) for link in self.members) > 1:
            problem = "has several that report more than the displacement"
            raise InputError("transfer.links", kinds, problem, "Use one of them.")
        for link in self.members:
            if link.inputs[0] != "compensator.command":
                problem = "has one that reads its command behind other signals"
                raise InputError("transfer.links", kinds, problem, "Read the command first.")

    @cached_property
    def members(self) -> tuple[Transfer, ...]:
        """The links as descriptions."""
        return tuple(
            build_nested("transfer", table, f"transfer.links.{i}", True)
            for i, table in enumerate(self.links)
        )

    @property
    def inputs(self) -> tuple[str, ...]:  # type: ignore[override]
        """The command, then what else the links read, in their order."""
        return ("compensator.command", *(i for link in self.members for i in link.inputs[1:]))

    @property
    def ports(self) -> tuple[Port, ...]:  # type: ignore[override]
        """Ports of the one link that has some."""
        return tuple(port for link in self.members for port in link.ports)

    @property
    def holds(self) -> bool:
        """Whether the first link holds its command."""
        return self.members[0].holds

    def block(self, site: Site) -> Block:
        """Yield the block of (1), pair by pair, at rest."""
        made, inputs = self.members[0].block(site), len(self.members[0].inputs)
        for before, link in pairwise(self.members):
            rest = site.displacement * getattr(before, "gain", 1.0)
            site = replace(site, displacement=rest)
            made = _join(made, inputs, link.block(site), len(link.inputs), rest)
            inputs += len(link.inputs) - 1
        return made


def _join(one: Block, inputs: int, other: Block, width: int, rest: float) -> Block:
    """Put a block of some inputs before another one, which has its first input from it."""
    ports = one.outputs - 1
    params = P.pack(
        inputs=inputs, params=one.params.size, states=one.states.size + 1, ports=ports, inside=()
    )
    states = [rest] + [0.0] * (width - 1)
    outputs = 1 + max(ports, other.outputs - 1)
    return Block.around(step, params, states, {"first": one, "second": other}, outputs)
