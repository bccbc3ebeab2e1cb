"""A limit on the difference between the measured force and the one that a model expects.

    value = f_m - f_n(x_m)                                                                    (1)

f_n is a numerical estimate of the specimen, moved by the measured displacement. Use it to see a
load cell that drifts, a specimen that breaks, a connection that slips.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

from rths.guard.base import BOUNDS, Guard, describe, judge, register
from rths.loop.block import Block, Vector, inside, kernel
from rths.loop.fields import fields, many
from rths.registry import build_nested
from rths.site import Site

P = fields(
    **BOUNDS.meaning,
    force_scale="force of the test for one of the estimate",
    length_scale="length of the estimate for one of the test",
    inside=many("p of the estimate"),
)
# The same places as in feedback/substructuring_ratio.py: a guard that imported a feedback would tie
# two families together that plans combine freely, for three names.
X = fields(
    moved="displacement of the estimate, m",
    force="f_n of the estimate, N",
    inside=many("x of the estimate"),
)


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # u = f_m, x_m
    x[X.moved] = u[1] * p[P.length_scale]
    inside(x[X.inside :], p[P.inside :], x[X.moved : X.moved + 1], x[X.force : X.force + 1])
    judge(u[0] - p[P.force_scale] * x[X.force], p, y)  # (1)


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
        model: Block = self.model.block(Site(**{**vars(site), "displacement": d}))
        params = P.pack(
            **self.bounds,
            force_scale=self.model.force_scale * self.model.count,
            length_scale=1 / self.model.length_scale,
            inside=(),
        )
        states = X.pack(moved=0, force=0, inside=())
        return Block.around(step, params, states, {"inside": model}, outputs=2)
