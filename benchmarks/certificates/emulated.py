"""How far the emulated test of a plan moves: a truth is measured by it, apart from certificates."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from rths.assembly.hybrid_test import HybridTest
from rths.errors import InputError

LEAST = 1e-3
"""Share of the channel that moves most by which others are measured at least."""
ROOM = 30.0
"""Motion, m, beyond which an emulated test is lost itself."""


def emulated_motion(test: HybridTest) -> NDArray[np.float64] | None:
    """Half the way of the target of each channel, m; None if it cannot be run or is lost."""
    try:
        whole = test.reference_test()
    except InputError:
        return None
    target = "integrator.target"
    cycle = replace(whole, record=(target,), limits={}, hardware=None).cycle("table")
    silent = cycle.layout.initial.copy()
    cycle.layout.silence(silent)
    cycle.restore(silent)
    rows = np.empty((whole.clock.ticks, whole.channels))
    done = cycle.advance(len(rows), rows)
    moved = 0.5 * np.ptp(rows, axis=0)
    most = float(moved.max())
    if done < len(rows) or not 0 < most < ROOM:
        return None
    return np.asarray(np.maximum(moved, LEAST * most))
