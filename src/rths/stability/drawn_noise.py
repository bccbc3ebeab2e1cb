"""Whether a block that injects noise does nothing else with time: then what it counts is no clock.

    y(t + T) = y(t)   of the silenced block, with inputs of period T, when its memory is full    (1)

A block draws its noise by a count or a state of its own, whose course is none of the loop's. But
one that is late from some time on, or drops out, counts as well: what does not declare that it only
draws is run by itself, for as long as the loop is followed.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rths.loop.block import Block
from rths.loop.solo import respond
from rths.stability.linearisation import any_numbers

PERIOD = 97
"""T of (1) in calls: no round number, which a window might be a multiple of."""
SECONDS = 600.0
"""For how long it is run."""
FULL = 0.05
"""Part of that time in which its memory is filled."""
SAME = 1e-9
"""Share of its output by which (1) may be off: a filter hardly forgets its first inputs."""

_known: dict[tuple[object, ...], bool] = {}
"""What was found before: of each block once, as it takes as long as a release."""


def only_draws(block: Block, inputs: int, interval: float) -> bool:
    """Tell whether a block says so, or (1) holds; it is called once in an interval, s."""
    if block.draws or not block.injects:
        return block.draws
    own = block.params.tobytes(), block.states.tobytes(), block.injects
    key = (block.kernel, *own, inputs, interval)
    if key not in _known:
        _known[key] = _is_periodic(block, inputs, interval)
    return _known[key]


def _is_periodic(block: Block, inputs: int, interval: float) -> bool:
    """(1)."""
    silent = block.params.copy()
    silent[list(block.injects)] = 0.0
    turns = max(3, round(SECONDS / (interval * PERIOD)))
    u = np.tile(any_numbers(PERIOD * inputs).reshape(PERIOD, -1), (turns, 1))
    y = respond(replace(block, params=silent), u)
    if len(y) < len(u):
        return False
    each = y.reshape(turns, PERIOD, -1)[max(1, round(FULL * turns)) :]
    return bool(np.ptp(each, axis=0).max() <= SAME * np.abs(each).max())
