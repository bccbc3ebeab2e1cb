"""A history of forces from a file or a list, linear between its samples and zero after its end.

    e(t) = s F(t - t_0) for t_0 <= t <= t_0 + T, 0 elsewhere                                     (1)

Use it for measured or designed loads on one degree of freedom: waves, gusts, a hammer blow.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np

from rths.errors import InputError
from rths.excitation.base import (
    Acting,
    Excitation,
    describe,
    read_recorded,
    register,
    sample_series,
)
from rths.loop.block import Block
from rths.motions.time_series import TimeSeries
from rths.quantity import Duration, PlanFile, Real, RealVector, Seconds, Words
from rths.site import Site


@register
@describe
class ForceHistory(Excitation):
    """Forces as they were measured or designed."""

    example = {"values": [0.0, 3.0, -2.0, 1.0], "step": 0.05}

    acting: Acting = "force"
    """How the signal drives the structure: a force unless said otherwise."""
    file: Annotated[str | None, PlanFile(), Words("a file beside the plan")] = None
    """File (CSV, MAT, ...) with the history, in place of ``values``."""
    column: str | None = None
    """Name of the signal, if the file has several."""
    values: RealVector | None = None
    """Samples F_0, F_1, ..., N, in place of ``file``."""
    step: Duration | None = None
    """Time between two of the ``values``, s."""
    scale: Real = 1.0
    """Factor s on the history."""
    start: Seconds = 0.0
    """Quiet time t_0 before the history, s."""

    def __post_init__(self) -> None:
        """Check that there is one source, and that it is complete."""
        if (self.file is None) == (self.values is None):
            raise InputError(
                "excitation.file",
                self.file,
                "and values: one of the two is wanted",
                "Name a file, or give values and step.",
            )
        if self.values is not None and (self.step is None or len(self.values) < 2):
            raise InputError(
                "excitation.step",
                self.step,
                f"with {len(self.values)} value(s) makes no history",
                "Give two values or more and the time between them in seconds.",
            )

    def series(self) -> TimeSeries:
        """Give the samples of F, from the file or the list."""
        if self.values is None:
            return read_recorded(Path(str(self.file)), self.acting, self.column)
        return TimeSeries(float(self.step or 0.0), np.array(self.values))

    def block(self, site: Site) -> Block:
        """Yield the block that plays (1) sampled at the integrator's stages."""
        F = self.scale * sample_series(self.series(), site.interval, self.start, None)
        return self.play(F, site.interval)
