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

from rths.feedback import _ratio
from rths.feedback._ratio import Blend, ratio
from rths.feedback.base import describe, register
from rths.loop.block import Block, Vector, inside, kernel
from rths.loop.fields import fields, many
from rths.site import Site

P = fields(**_ratio.P.meaning, inside=many("p of the estimate"))
# The guard force_disagreement declares the same places once more: its estimate has no ratio, and a
# role that imported another could not be replaced alone.
X = fields(
    **_ratio.X.meaning,
    moved="displacement of the estimate, m",
    force="f_n of the estimate, N",
    inside=many("x of the estimate"),
)


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # u = f_m, target, SR if operated;   y = f, SR, (1 - SR) f_n
    r = ratio(x, p, u)
    x[X.moved] = u[1] * p[P.length_scale]
    inside(x[X.inside :], p[P.inside :], x[X.moved : X.moved + 1], x[X.force : X.force + 1])
    y[2] = (1.0 - r) * p[P.force_scale] * x[X.force]
    y[0] = y[2] + r * u[0]  # (1)
    y[1] = r


@register
@describe
class SubstructuringRatio(Blend):
    """Blends the measured force with that of a model of the specimen."""

    example = {"ratio": 0.7, "estimate": {"kind": "spring", "stiffness": 2000.0}}

    def block(self, site: Site) -> Block:
        """Yield the block of (1)."""
        return Block.around(
            step,
            P.pack(**self.shares(site.tick), inside=()),
            X.pack(tick=0, moved=0, force=0, inside=()),
            {"inside": self.model_block(site)},
            outputs=3,
            counters=[X.tick],
        )
