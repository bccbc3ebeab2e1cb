"""The one step of a column of times, or an error that names the sample where it breaks.

Times t_k = t_0 + k h, printed with a last decimal r, may each be off by r/2; a column is uniform if

    |t_k - t_0 - k h| <= r,   h = (t_N - t_0)/N                                              (1)

for all k. A time that does not grow and a gap of more than half a step get their own messages.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rths.errors import InputError
from rths.motions.time_series import Array


@np.errstate(over="ignore", invalid="ignore")  # times near the largest number: no step is finite
def uniform_step(time: Array, resolution: float, place: Callable[[int], str]) -> float:
    """Step of ``time``; ``place(k)`` says in words where sample k stands in the user's file."""
    bad = np.flatnonzero(~np.isfinite(time))
    if bad.size:
        remedy = "Repair or cut out the damaged samples."
        raise InputError(place(int(bad[0])), float(time[bad[0]]), "is not finite", remedy)
    steps = np.diff(time)
    middle = np.sort(steps)[(len(steps) - 1) // 2 : len(steps) // 2 + 1]
    usual = float(middle.mean())  # np.median would import masked arrays
    step = float((time[-1] - time[0]) / (len(time) - 1))

    def refuse(k: int, problem: str, remedy: str) -> InputError:
        return InputError(place(k + 1), float(time[k + 1]), problem, remedy)

    if steps.min() <= 0.0:
        k = int(np.argmax(steps <= 0.0))
        remedy = "Sort the samples, remove double ones, or print the time with more digits."
        raise refuse(k, f"does not grow from {time[k]:g}", remedy)
    if steps.max() > max(1.5 * usual, usual + 2.0 * resolution):
        k = int(np.argmax(steps))
        remedy = f"Fill the gap of {steps[k]:g} so that the step {usual:g} holds throughout."
        raise refuse(k, f"comes after a gap; the sample before has {time[k]:g}", remedy)
    drift = np.abs(time - time[0] - step * np.arange(len(time)))
    if drift.max() > resolution + 1e-6 * step + 1e-15 * np.abs(time).max():  # (1)
        k = int(np.argmax(np.abs(steps - usual)))
        remedy = "Resample the record to one constant step."
        raise refuse(k, f"is {steps[k]:g} after the last, elsewhere it is {usual:g}", remedy)
    return float(f"{step:.15g}")  # drops the round-off of the division
