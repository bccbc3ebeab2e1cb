"""How far the emulated test of a plan moves: a truth is measured by it, apart from certificates."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from rths.assembly.hybrid_test import HybridTest
from rths.errors import InputError
from rths.registry import find

LEAST = 1e-2
"""Share of the channel that moves most by which others are measured at least."""
ROOM = 30.0
"""Motion, m, beyond which an emulated test is lost itself."""


def emulated_motion(test: HybridTest) -> NDArray[np.float64] | None:
    """Half the way of the target of each channel, m; None if it cannot be run or is lost.

    What moves without the excitation too, as a preloaded damper to its place, is left out.
    """
    try:
        whole = test.reference_test()
    except InputError:
        return None
    rows = _run(whole)
    if rows is None:
        return None
    none = find("excitation", "free_vibration")()
    alone = _run(replace(whole, excitation=none)) if not _begins(whole) else None
    moved = 0.5 * np.ptp(rows if alone is None else rows - alone, axis=0)
    most = float(moved.max())
    return np.asarray(np.maximum(moved, LEAST * most)) if 0 < most < ROOM else None


def _run(test: HybridTest) -> NDArray[np.float64] | None:
    """Targets of a test without its noise; None if it does not come to its end."""
    cycle = replace(test, record=("integrator.target",), limits={}, hardware=None).cycle("table")
    silent = cycle.layout.initial.copy()
    cycle.layout.silence(silent)
    cycle.restore(silent)
    rows = np.empty((test.clock.ticks, test.channels))
    return rows if cycle.advance(len(rows), rows) == len(rows) else None


def _begins(test: HybridTest) -> bool:
    """Tell whether a test begins with a motion of its own."""
    return any(part.any() for part in test.excitation.initial(test.equation.size))
