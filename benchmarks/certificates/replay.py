"""The counterexample of a certificate, run as anybody would run it.

    lost    the run leaves for good, or reaches ten times the plan's limit and thirty motions   (1)
    moves   with nothing that drives, in the last of four quarters by a twentieth of the motion, and
            by 9/10 of the quarter before                                                      (2)

A truth is found by pushes that are drawn; a certificate draws others, and may find what they have
missed. What it shows is run here without any of its own analysis: if (1) or (2) holds, the plan
does run away, whoever has found it.
"""

from __future__ import annotations

import numpy as np

from benchmarks.certificates.look import LOST, MATTERS
from benchmarks.certificates.rehearsal import Rehearsal
from benchmarks.certificates.truth import BURST
from rths.assembly.hybrid_test import HybridTest

KEPT = 0.9
"""Ratio of two quarters from which on a motion is kept."""


def confirms(shown: HybridTest, motion: float) -> bool:
    """Run a counterexample, and tell whether it shows the loss of a test with this motion, m."""
    loop = Rehearsal(shown, motion)
    ticks = shown.clock.ticks
    rows, _ = loop.run(loop.start(), ticks)
    if len(rows) < ticks or np.abs(rows).max() > max(BURST * loop.limit, LOST * motion):
        return True
    swings = [0.5 * float(np.ptp(part, axis=0).max()) for part in np.array_split(rows, 4)]
    kept = swings[3] > MATTERS * motion and swings[3] > KEPT * swings[2]
    return kept and shown.excitation.kind == "free_vibration"
