"""A motion that goes on where the emulated structure comes to rest: the loop keeps it up.

    steady:  the mean of m_w in the last quarter of a release is that of the one before, or more,
             but for FALLS of it                                                                (1)
    rests:   m_w of the emulated test, as long after its end, falls to RESTS in the same time    (2)

A motion that keeps its size after one push alone may be that of a structure without damping. If the
same structure, joined with its specimen without a gap, comes to rest meanwhile, it is not. Chatter
is uneven from window to window, and no decay: what decays falls from quarter to quarter.
"""

from __future__ import annotations

from dataclasses import replace

from rths.assembly.hybrid_test import HybridTest
from rths.errors import InputError
from rths.stability.course import amplitude
from rths.stability.quiet_end import Release
from rths.stability.rehearsal import Rehearsal
from rths.stability.yardstick import Yardstick

FALLS = 0.015
"""Share by which (1) may fall: means hardly mind that many a cycle is uneven."""
RESTS = 0.5
"""Share to which (2) must fall, or below the same share of what matters."""


def is_steady(release: Release) -> bool:
    """(1)."""
    return release.kept >= 1.0 - FALLS


def sustain(
    alone: Release, test: HybridTest, yardstick: Yardstick, window: int, windows: int
) -> Release:
    """Mark what a test has left moving if it is steady (1) and its twin comes to rest (2)."""
    if alone.fate != "keeps" or not is_steady(alone):
        return alone
    return replace(alone, sustained=_twin_rests(test, yardstick, window, windows))


def _twin_rests(test: HybridTest, yardstick: Yardstick, window: int, windows: int) -> bool:
    """(2)."""
    try:
        twin = Rehearsal(test.reference_test())
    except InputError:  # a plant that reports its own force has no twin
        return False
    stretch = twin.run(twin.start, twin.ticks, noise=False)
    sizes = list[float]()
    while stretch.whole and len(sizes) < windows:
        stretch = twin.run(stretch.state, window, quiet=True, noise=False)
        sizes.append(amplitude(stretch.rows, yardstick) if stretch.whole else 0.0)
    if not stretch.whole:
        return False
    return sizes[-1] < RESTS * max(sizes[len(sizes) // 2], yardstick.matters)
