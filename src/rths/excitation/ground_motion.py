"""A recorded motion, linear between its samples and zero after its end.

    e(t) = s a(t - t_0) for t_0 <= t <= t_0 + T, 0 elsewhere                                     (1)

The record is sampled at the integrator's stages when the loop is built, so that a stage costs one
look-up whatever the step of the record.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np

from rths.excitation.base import Excitation, described, register
from rths.loop.block import Block, Vector, kernel
from rths.loop.site import Site
from rths.quantity import BesidePlan, Duration, Real, Seconds, Wanted
from rths.records.motion import read_motion

BUILT_IN = Path(__file__).parent / "data"


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # p = samples e_0, e_1, ... (with support motion e_0, e'_0, e_1, e'_1, ...);   x = calls so far
    k = int(x[0]) * y.size
    x[0] += 1.0
    for i in range(y.size):
        y[i] = p[k + i] if k + i < p.size else 0.0


@register
@described
class GroundMotion(Excitation):
    """An earthquake record from a file, or the built-in El Centro 1940 NS."""

    motion: Annotated[str, BesidePlan(), Wanted("", "a built-in motion or a file")] = (
        "el_centro_1940_ns"
    )
    """Name of a built-in motion, or a file (CSV, AT2, COSMOS V2, MAT) beside the plan."""
    scale: Real = 1.0
    """Factor s on the record."""
    start: Seconds = 0.0
    """Quiet time t_0 before the record, s."""
    length: Duration | None = None
    """Time T after which the record is cut off, s; all of it if not given."""

    def samples(self, interval: float) -> Vector:
        """Sample (1) at whole multiples of ``interval``."""
        built_in = BUILT_IN / f"{self.motion}.csv"
        series = read_motion(built_in if built_in.exists() else Path(self.motion))
        duration = series.duration if self.length is None else min(self.length, series.duration)
        times = np.arange(int(np.floor((self.start + duration) / interval + 1e-9)) + 1) * interval
        inside = times >= self.start - 1e-9 * interval
        values = np.where(inside, series.at(np.maximum(times - self.start, 0.0)), 0.0)
        return self.scale * values

    def block(self, site: Site) -> Block:
        """Yield the block that plays the samples."""
        e = self.samples(site.interval)
        if self.outputs == 2:
            e = np.column_stack([e, np.gradient(e, site.interval)]).ravel()
        return Block(step, e, states=1, outputs=self.outputs, counters=(0,))
