"""The share of the force that is measured, and the estimate that gives the rest.

f = (1 - SR) f_n + SR f_m                                                                (1)
SR constant, on a ramp from SR_0 to SR, or set by the operator                             (2)
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar, Literal

from rths.feedback.base import Feedback, describe
from rths.loop.block import Block, Vector
from rths.loop.fields import fields
from rths.loop.port import Port
from rths.quantity import Ratio, Seconds
from rths.registry import build_nested
from rths.site import Site

P = fields(
    operated="whether the operator sets SR",
    first="SR_0",
    last="SR",
    start="first tick of the ramp",
    length="ticks of the ramp",
    force_scale="force of the test for one of the estimate",
    length_scale="length of the estimate for one of the test",
)
X = fields(tick="ticks so far")


def ratio(x: Vector, p: Vector, u: Vector) -> float:
    """Give SR of (2) and count the tick; x and p begin with X and P, u[2] is the operator's."""
    k, r = x[X.tick], p[P.first]
    if p[P.operated] != 0.0:
        r = min(max(u[2], 0.0), 1.0)
    elif k >= p[P.start] + p[P.length]:
        r = p[P.last]
    elif k > p[P.start]:
        r += (p[P.last] - p[P.first]) * (k - p[P.start]) / p[P.length]
    x[X.tick] += 1.0
    return float(r)


@describe
class Blend(Feedback):
    """Base of feedbacks that blend (1) the measured force with that of a model of the specimen."""

    cites: ClassVar[tuple[str, ...]] = ("londono2011",)
    ports = (Port("substructuring_ratio"), Port("computed_share", "N"))

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

    def model_block(self, site: Site) -> Block:
        """Yield the block of the estimate, at rest where the actuator stands."""
        d = site.displacement / self.model.length_scale
        made: Block = self.model.block(Site(**{**vars(site), "displacement": d}))
        return made

    def shares(self, tick: float) -> dict[str, float]:
        """Give the parameters of (2) and the scales of the estimate, by their names in P."""
        return {
            "operated": float(bool(self.operated)),
            "first": self.initial_ratio if self.change == "ramp" else self.ratio,
            "last": self.ratio,
            "start": self.ramp_start / tick,
            "length": self.ramp_duration / tick,
            "force_scale": self.model.force_scale * self.model.count,
            "length_scale": 1 / self.model.length_scale,
        }
