"""Delay in windows that slide over the test.

In each window of length W the delay is that of least squares,

    min over τ of  Σ (x_c(t_i) - x_m(t_i + τ))²,   t_i within W of the window's middle         (1)

Windows in which the target hardly moves (less than a thousandth of its rms over the test) or in
which no delay up to ``longest`` fits give not-a-number, so that gaps in a picture are gaps in the
data.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from rths.errors import InputError
from rths.identification.least_squares_delay import delay_by_least_squares
from rths.identification.signal_pair import Array, signal_pair
from rths.metrics._declaration import Declaration, declare


class DelayOverTime(NamedTuple):
    """Middle of each window (s) and the delay there (s)."""

    times: Array
    delays: Array


@declare(Declaration(units={"delays": "s", "times": "s"}, axis="times", spread=True))
def delay_over_time(
    target: ArrayLike,
    measured: ArrayLike,
    step: float,
    *,
    window: float = 1.0,
    hop: float | None = None,
    longest: float = 0.1,
) -> DelayOverTime:
    """Delays of windows of that many seconds, a new one every ``hop`` (half a window)."""
    c, m = signal_pair(target, measured, step)
    length = round(window / step) if np.isfinite(window) else 0
    if not 16 <= length <= c.size:
        remedy = "Give 16 steps or more and no more than the record."
        raise InputError("window", window, f"does not fit {c.size * step:g} s", remedy)
    if not 0.0 < longest < 0.25 * window - step:
        remedy = "Give less than a quarter of the window, or a longer window."
        raise InputError("longest", longest, f"is too long for a window of {window:g} s", remedy)
    stride = max(1, round((0.5 * window if hop is None else hop) / step))
    starts = np.arange(0, c.size - length + 1, stride)
    quiet = 1e-3 * float(np.std(c))
    delays = np.full(starts.size, np.nan)
    for i, start in enumerate(starts):
        part = slice(start, start + length)
        if np.std(c[part]) <= quiet:
            continue
        try:
            delays[i] = float(delay_by_least_squares(c[part], m[part], step, longest=longest))
        except InputError:
            continue  # no delay up to the longest fits this window
    return DelayOverTime(np.asarray((starts + 0.5 * (length - 1)) * step), delays)
