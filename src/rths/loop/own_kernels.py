"""A first look at kernels that are not ours, before compiled code runs them unchecked.

Compiled loops do not check the indices of x, p, u and y: a kernel that reaches beyond its arrays
would read or overwrite those of its neighbours. Python does check, so that the first ticks of a
test with a user's kernel are run by Python, on a copy. A kernel of ours around one of the user's
is looked at as well.
"""

from __future__ import annotations

import traceback
from collections.abc import Container
from dataclasses import replace

import numpy as np

from rths.errors import InputError
from rths.loop.block import inside as do_nothing
from rths.loop.interpreted import interpreted_loop
from rths.loop.layout import Layout
from rths.loop.wiring import Placed

TICKS = 8
"""Ticks looked at, or two periods of the loop if that is more."""
_seen: set[tuple[str, int, int, bytes]] = set()


def rehearse_own(layout: Layout, outside: Container[str] = ()) -> None:
    """Run the first ticks in Python if a kernel comes from outside the package.

    Blocks of the roles ``outside`` talk to other machines: here they stand still.
    """
    own = [p for p in layout.placed if not p.block.kernel.is_shipped]
    new = [p for p in own if _identity(p) not in _seen]
    if not new:
        return
    ticks = max(TICKS, 2 * layout.period)
    record, status = np.empty((ticks, len(layout.record_slots))), np.zeros(3, np.int64)
    try:
        still = replace(layout, placed=tuple(_hold(p, outside) for p in layout.placed))
        interpreted_loop(still, layout.initial.copy())(0, ticks, record, status)
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
    _seen.update(_identity(p) for p in new)


def _hold(placed: Placed, outside: Container[str]) -> Placed:
    """Let a block of such a role do nothing."""
    if placed.role not in outside:
        return placed
    return replace(placed, block=replace(placed.block, kernel=do_nothing))


def _identity(placed: Placed) -> tuple[str, int, int, bytes]:
    """Tell blocks apart whose step may reach elsewhere: by code, by sizes and by parameters."""
    block = placed.block
    sizes = block.states.size, len(placed.inputs)
    return (block.kernel.digest, *sizes, block.params.tobytes())
