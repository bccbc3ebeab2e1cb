"""A recorded motion, linear between its samples and zero after its end.

    e(t) = s a(t - t_0) for t_0 <= t <= t_0 + T, 0 elsewhere                                  (1)

The record is sampled at the integrator's stages when the loop is built, so that a stage costs one
look-up whatever the step of the record. Nothing is filtered: the samples of the file are met
exactly wherever a stage falls on one.

Use it for recorded earthquakes; with ``acting = "support_displacement"`` the file holds
displacements, and their velocity is taken from differences.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from rths.excitation.base import Excitation, describe, read_recorded, register, sample_series
from rths.loop.block import Block, Vector
from rths.quantity import Amplitude, Duration, PlanFile, Real, Seconds, Words
from rths.site import Site

BUILT_IN = Path(__file__).parent / "data"
"""Where the motions lie that come with the package."""


@register
@describe
class GroundMotion(Excitation):
    """An earthquake record from a file, or the built-in El Centro 1940 NS."""

    example = {"motion": "el_centro_1940_ns", "scale": 0.5}

    motion: Annotated[str, PlanFile(), Words("a built-in motion or a file")] = "el_centro_1940_ns"
    """Name of a built-in motion, or a file (CSV, AT2, COSMOS V2, MAT) beside the plan."""
    column: str | None = None
    """Name of the signal, if the file has several."""
    peak: Amplitude | None = None
    """Largest absolute value to which the whole record is scaled first, in the unit it acts in."""
    scale: Real = 1.0
    """Factor s on the record."""
    start: Seconds = 0.0
    """Quiet time t_0 before the record, s."""
    length: Duration | None = None
    """Time T after which the record is cut off, s; all of it if not given."""

    def samples(self, interval: float) -> Vector:
        """Sample (1) at whole multiples of ``interval``."""
        built_in = BUILT_IN / f"{self.motion}.csv"
        file = built_in if built_in.exists() else Path(self.motion)
        series = read_recorded(file, self.acting, self.column)
        if self.peak is not None:
            series = series.scale_to_peak(self.peak)
        return self.scale * sample_series(series, interval, self.start, self.length)

    def block(self, site: Site) -> Block:
        """Yield the block that plays the samples."""
        return self.play(self.samples(site.interval), site.interval)
