"""How often the measured displacement met the target within the last interval: J.

    J_i = number of solutions s of  x_m(s) = x_i,   s in [t_i - window, t_i]                  (1)

x_m is a straight line between samples, the interval is closed and a sample that lies on the target
counts once. The optimal feedback of an over-compensated test takes the force at such a solution:
with J = 1 it is exact, with J = 2 the sign of the velocity decides, with J = 0 only the closest
point is left. Samples whose interval reaches back before the record count as J = 0.

[wu2013] section 4, table of J.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from rths.errors import InputError
from rths.identification.signal_pair import signal_pair


class SolutionCounts(NamedTuple):
    """Number of samples with no, one, and two or more solutions."""

    none: int
    one: int
    several: int


def solution_counts(
    target: ArrayLike, measured: ArrayLike, step: float, *, window: float, startup: int = 0
) -> SolutionCounts:
    """Counts of J over the test; the first ``startup`` samples count as J = 0 in any case."""
    x, m = signal_pair(target, measured, step)
    back = round(window / step) if np.isfinite(window) else 0
    if not 1 <= back < x.size:
        remedy = "Give one step or more and less than the record."
        raise InputError("window", window, f"does not fit {x.size * step:g} s", remedy)
    past = np.lib.stride_tricks.sliding_window_view(m, back + 1)  # row i: m_(i) … m_(i+back)
    off = past - x[back:, None]
    met = np.count_nonzero(off == 0.0, axis=1)
    met += np.count_nonzero(off[:, :-1] * off[:, 1:] < 0.0, axis=1)  # (1)
    j = np.concatenate([np.zeros(back, dtype=np.int64), met])
    j[:startup] = 0
    return SolutionCounts(int(np.sum(j == 0)), int(np.sum(j == 1)), int(np.sum(j > 1)))
