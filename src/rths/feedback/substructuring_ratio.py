"""Substructuring ratio: one share of the force is measured, the rest computed without delay.

    f = (1 - SR) f_n + SR f_m                                                                (1)
    SR constant, on a ramp from SR_0 to SR, or set by the operator                             (2)

f_n comes from a numerical estimate of the specimen, moved by the target itself. SR = 0 is a purely
numerical test, SR = 1 the full hybrid one; the way from one to the other shows where a loop begins
to oscillate, while there is still a hand on it.

Use it to start a new set-up; for friction and fluid dampers ``substructuring_ratio_implicit``.

[londono2011] eq. (40).
"""

from __future__ import annotations

from functools import cache, cached_property
from typing import Any, ClassVar, Literal

from rths.feedback.base import Feedback, describe, register
from rths.loop.block import Block, Kernel, Ring, Vector, kernel, stop_code
from rths.loop.site import Site
from rths.quantity import Ratio, Seconds
from rths.registry import build_nested

OWN_PARAMS, ROOM = 7, 3
"""Parameters and states before those of the estimate."""


@kernel
def estimate(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    y[0] = 0.0  # stands for the specimen until it is known


def ratio(x: Vector, p: Vector, u: Vector) -> float:
    """Give SR of (2) and count the tick."""
    r = p[1]
    if p[0] != 0.0:
        r = min(max(u[2], 0.0), 1.0)
    elif x[0] >= p[3] + p[4]:
        r = p[2]
    elif x[0] > p[3]:
        r += (p[2] - p[1]) * (x[0] - p[3]) / p[4]
    x[0] += 1.0
    return float(r)


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> int:
    # p = whether operated, SR_0, SR, start and length of the ramp in ticks, force scale,
    #     1/length scale, then p of the estimate;   u = f_m, target, SR if operated
    # x = ticks, input and output of the estimate, then x of the estimate;   y = f, SR, (1 - SR) f_n
    r = ratio(x, p, u)
    x[1] = u[1] * p[6]
    code = stop_code(estimate(x[ROOM:], p[OWN_PARAMS:], x[1:2], x[2:3]))
    y[2] = (1.0 - r) * p[5] * x[2]
    y[0] = y[2] + r * u[0]  # (1)
    y[1] = r
    return int(code)


@cache
def embed_specimen(specimen: Kernel) -> Kernel:
    """Put the kernel of a specimen in the place of the estimate."""
    return step.calling(estimate=specimen)


@register
@describe
class SubstructuringRatio(Feedback):
    """Blends the measured force with that of a model of the specimen."""

    example = {"ratio": 0.7, "estimate": {"kind": "spring", "stiffness": 2000.0}}

    cites: ClassVar[tuple[str, ...]] = ("londono2011",)
    reports: ClassVar[tuple[tuple[str, str], ...]] = (
        ("substructuring_ratio", "1"),
        ("computed_share", "N"),
    )

    estimate: dict[str, Any]
    """Numerical estimate of the specimen, as a table of its own: kind and fields."""
    ratio: Ratio = 1.0
    """SR, the measured share: constant, at the end of the ramp, or before the operator sets it."""
    change: Literal["constant", "ramp", "operator"] = "constant"
    """How SR comes about; the operator writes the signal operator.substructuring_ratio."""
    initial_ratio: Ratio = 0.0
    """SR_0 before a ramp."""
    ramp_start: Seconds = 0.0
    """Time at which a ramp begins, s."""
    ramp_duration: Seconds = 0.0
    """Time that a ramp takes, s; 0 is a jump."""

    def __post_init__(self) -> None:
        """Check the estimate, and ask for the operator's signal if it is needed."""
        _ = self.model
        asked = tuple(f"operator.{name}" for name in self.operated)
        object.__setattr__(self, "inputs", ("specimen.force", "integrator.target", *asked))

    @property
    def operated(self) -> dict[str, float]:
        """Name the operator's signal and its first value."""
        return {"substructuring_ratio": self.ratio} if self.change == "operator" else {}

    @cached_property
    def model(self) -> Any:
        """The estimate as a description."""
        return build_nested("specimen", self.estimate, "feedback.estimate")

    def estimate_block(self, site: Site) -> Block:
        """Yield the block of the estimate, at rest where the actuator stands."""
        d = site.displacement / self.model.length_scale
        made: Block = self.model.block(Site(**{**vars(site), "displacement": d}))
        return made

    def ratio_params(self, tick: float) -> list[float]:
        """Give the parameters of (2) and the scales of the estimate."""
        begin = self.initial_ratio if self.change == "ramp" else self.ratio
        ramp = [self.ramp_start / tick, self.ramp_duration / tick]
        scales = [self.model.force_scale * self.model.count, 1 / self.model.length_scale]
        return [float(bool(self.operated)), begin, self.ratio, *ramp, *scales]

    def block(self, site: Site) -> Block:
        """Yield the block of (1)."""
        inside = self.estimate_block(site)
        return Block(
            embed_specimen(inside.kernel),
            [*self.ratio_params(site.tick), *inside.params],
            [0.0, 0.0, 0.0, *inside.states],
            outputs=3,
            rings=[Ring(r.first + ROOM, r.size, r.position + ROOM) for r in inside.rings],
            counters=[0, *(c + ROOM for c in inside.counters)],
        )
