"""An excitation by itself: what its block gives, call by call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from rths.loop.block import Block
from rths.loop.cycle import Cycle, Engine
from rths.loop.layout import Layout
from rths.loop.wiring import Wiring
from rths.site import Site

Signal = Callable[..., NDArray[np.float64]]


@pytest.fixture
def signal() -> Signal:
    """Sample an excitation: a row for each call, a column for each output."""

    def sample(
        excitation: Any,
        interval: float,
        calls: int,
        first: int = 0,
        seed: int = 0,
        engine: Engine = "table",
    ) -> NDArray[np.float64]:
        block = excitation.block(Site(interval, interval, key=(seed,)))
        states = block.states.copy()
        states[0] += first
        block = Block(block.kernel, block.params, states, block.outputs, counters=block.counters)
        w = Wiring()
        w.signal("signal", block.outputs)
        w.place("excitation", block, [], "signal")
        rows = np.empty((calls, block.outputs))
        Cycle(Layout.of(w, ["signal"]), interval, engine).advance(calls, rows)
        return rows

    return sample
