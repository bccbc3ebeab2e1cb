"""A first look at kernels that are not ours, before compiled code runs them unchecked.

Compiled loops do not check the indices of x, p, u and y: a kernel that reaches beyond its arrays
would read or overwrite those of its neighbours. Python does check, so that the first ticks of a
test with a user's kernel are run by Python, on a copy.
"""

from __future__ import annotations

import traceback

import numpy as np

from rths.errors import InputError
from rths.loop.interpreted import interpreted_loop
from rths.loop.layout import Layout

TICKS = 8
"""Ticks looked at, or two periods of the loop if that is more."""
_seen: set[str] = set()


def rehearse_own(layout: Layout) -> None:
    """Run the first ticks in Python if a kernel comes from outside the package."""
    own = [p for p in layout.placed if not p.block.kernel.function.__module__.startswith("rths.")]
    new = [p for p in own if p.block.kernel.digest not in _seen]
    if not new:
        return
    ticks = max(TICKS, 2 * layout.period)
    record, status = np.empty((ticks, len(layout.record_slots))), np.zeros(3, np.int64)
    try:
        interpreted_loop(layout, layout.initial.copy())(0, ticks, record, status)
    except IndexError as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        label = layout.placed[int(status[1])].label
        raise InputError(
            label,
            f"{last.filename}:{last.lineno}",
            f"reaches beyond its arrays ({error})",
            "Give the block as many states, parameters and inputs as its kernel uses.",
        ) from error
    except Exception:
        return  # whatever else it raises is told by the run itself, at its tick
    _seen.update(p.block.kernel.digest for p in new)
