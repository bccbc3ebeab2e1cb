"""A limit on the difference between the measured force and the one that a model expects.

    value = f_m - f_n(x_m)                                                                    (1)

f_n is a numerical estimate of the specimen, moved by the measured displacement. Use it to see a
load cell that drifts, a specimen that breaks, a connection that slips.
"""

from __future__ import annotations

from functools import cache, cached_property
from typing import Any

from rths.guard.base import BOUNDS, Guard, describe, judge, register
from rths.loop.block import Block, Kernel, Ring, Vector, kernel
from rths.loop.site import Site
from rths.registry import build_nested

HEAD, ROOM = BOUNDS + 2, 2
"""Parameters and states before those of the estimate."""


@kernel
def estimate(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    y[0] = 0.0  # stands for the specimen until it is known


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # p = bounds, force scale, 1/length scale, then p of the estimate;   u = f_m, x_m
    # x = input and output of the estimate, then x of the estimate
    x[0] = u[1] * p[BOUNDS + 1]
    estimate(x[ROOM:], p[HEAD:], x[0:1], x[1:2])
    judge(u[0] - p[BOUNDS] * x[1], p, y)  # (1)


@cache
def embed_specimen(specimen: Kernel) -> Kernel:
    """Put the kernel of a specimen in the place of the estimate."""
    return step.calling(estimate=specimen)


@register
@describe
class ForceDisagreement(Guard):
    """Bounds on measured less expected force."""

    example = {"estimate": {"kind": "spring", "stiffness": 2250.0}, "warn": 1e-09, "trip": 1.0}

    estimate: dict[str, Any]
    """Numerical estimate of the specimen, as a table of its own: kind and fields."""
    signal: str = "feedback.force"
    """The measured force."""
    displacement: str = "feedback.displacement"
    """The measured displacement that moves the estimate."""

    def __post_init__(self) -> None:
        """Check the estimate."""
        super().__post_init__()
        _ = self.model

    @property
    def watches(self) -> tuple[str, ...]:
        """Name force and displacement."""
        return (self.signal, self.displacement)

    @cached_property
    def model(self) -> Any:
        """The estimate as a description."""
        return build_nested("specimen", self.estimate, "guard.estimate")

    def block(self, site: Site) -> Block:
        """Yield the block of (1), at rest where the actuator stands."""
        d = site.displacement / self.model.length_scale
        inside: Block = self.model.block(Site(**{**vars(site), "displacement": d}))
        scales = [self.model.force_scale * self.model.count, 1 / self.model.length_scale]
        return Block(
            embed_specimen(inside.kernel),
            [*self.bounds, *scales, *inside.params],
            [0.0, 0.0, *inside.states],
            outputs=2,
            rings=[Ring(r.first + ROOM, r.size, r.position + ROOM) for r in inside.rings],
            counters=[c + ROOM for c in inside.counters],
        )
