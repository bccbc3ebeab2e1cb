"""Samples whose times jitter, brought to one constant step.

    |t_(k+1) - t_k - h| <= 0.2 h   and   |t_k - t_0 - k h| <= 0.5 h,   h = (t_N - t_0)/N       (1)

Clocks of recorders that are read by a program waver by a few per cent. Within (1) no sample is
missing or doubled, and the signals are interpolated at t_0 + k h. Beyond it a record is refused:
a jump is more likely a lost sample, and a drift a change of the rate. It is said what was done.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rths.errors import InputError
from rths.motions.time_series import Array
from rths.motions.time_step import uniform_step

LARGEST_JITTER = 0.2
"""Part of a step by which an interval may differ: a lost sample makes it one whole step longer."""
LARGEST_OFFSET = 0.5
"""Part of a step by which a time may be off the even one: beyond it another sample is nearer."""
FEWEST = 10
"""Samples from which on an interval that differs can be told from a change of the rate."""


def even_out(
    time: Array, values: Array, resolution: float, place: Callable[[int], str]
) -> tuple[float, Array, tuple[str, ...]]:
    """Step, values at even times, and what was done to them if anything was."""
    try:
        return uniform_step(time, resolution, place), values, ()
    except InputError:
        if not _jitters_within_reason(time):
            raise
    step = float((time[-1] - time[0]) / (len(time) - 1))
    even = time[0] + step * np.arange(len(time))
    columns = [np.interp(even, time, column) for column in values.T]
    worst = 100 * float(np.abs(np.diff(time) / step - 1.0).max())
    told = f"times jitter by up to {worst:.2g} % of a step: resampled every {step:.6g}"
    return step, np.column_stack(columns), (told,)


@np.errstate(over="ignore", invalid="ignore")  # as in time_step.py: it is not within reason
def _jitters_within_reason(time: Array) -> bool:
    """Whether times fulfil (1)."""
    if len(time) < FEWEST or not np.isfinite(time).all() or not time[-1] > time[0]:
        return False
    step = (time[-1] - time[0]) / (len(time) - 1)
    jitter = np.abs(np.diff(time) / step - 1.0).max()
    offset = np.abs((time - time[0]) / step - np.arange(len(time))).max()
    return bool(jitter <= LARGEST_JITTER and offset <= LARGEST_OFFSET)
