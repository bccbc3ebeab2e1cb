"""The table loop on the clock.

    tick k is due at t_0 + (k + s_k) T,   s_k periods slipped so far                             (1)

The loop sleeps until an absolute time, runs the rows of the tick, and puts the recorded signals
with its own timing into the shared ring. Whole periods by which it is late slip and are counted: it
never bursts to catch up. What is late by less than a period starts at once, so that the clock of
the model stays with the clock of the rig. The loop ends at its last tick, at a block's
word, when it is asked to, when too many periods slipped, or when the supervisor's heart has
stopped.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from rths.loop.machine_code import translate_function


@cache
def load_paced() -> Callable[..., int]:
    """Load the paced loop, or compile it."""
    return translate_function("rths.realtime.compiled.pace", "pace").make_callable()
