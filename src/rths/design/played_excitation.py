"""An excitation that was sampled once and is played in thousands of rehearsals.

A synthetic earthquake takes longer to sample than to run through. What is played is what the plan's
own excitation gave, with its seed, times a factor.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from rths.assembly.connect import Connection
from rths.assembly.hybrid_test import HybridTest
from rths.excitation.base import Acting, Excitation, describe, play_samples
from rths.loop.block import Block, Vector
from rths.loop.solo import respond
from rths.site import Site


@describe
class PlayedExcitation(Excitation):
    """Samples of another excitation, one row for each stage."""

    kind: ClassVar[str] = "rths.design.played_excitation:PlayedExcitation"

    source: Any
    """The excitation that was sampled."""
    samples: Any
    """Its rows."""

    def initial(self, size: int) -> tuple[Vector, Vector]:
        """Give what the source has at t = 0."""
        first: tuple[Vector, Vector] = self.source.initial(size)
        return first

    def block(self, site: Site) -> Block:
        """Yield the block that plays the samples."""
        return play_samples(self.samples)


def sample_excitation(test: HybridTest) -> Vector | None:
    """Sample the excitation of a test at its stages, to its end; None if it has no signal."""
    stage = test.clock.stage
    site = Connection(test, test.record).site("excitation", 0, stage)
    block = test.excitation.block(site)
    if block is None or not test.excitation.outputs:
        return None
    count = int(np.ceil(test.duration / stage)) + 2
    rows = respond(block, np.zeros((count, 1)))
    return rows[:, 0] if test.excitation.outputs == 1 else rows


def play_excitation(test: HybridTest, factor: float = 1.0) -> Excitation:
    """Give the excitation of a test, sampled, times a factor."""
    samples = sample_excitation(test)
    if samples is None:
        return test.excitation
    return make_played(test.excitation, factor * samples)


def make_played(source: Excitation, samples: Vector) -> PlayedExcitation:
    """Make what plays some samples as the source would act."""
    acting: Acting = source.acting
    return PlayedExcitation(source=source, samples=samples, acting=acting, dof=source.dof)
