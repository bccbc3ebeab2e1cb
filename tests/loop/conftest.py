"""A loop of a few blocks without any role: what the engine promises by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rths.loop.block import Block, kernel
from rths.loop.cycle import Cycle
from rths.loop.layout import Layout
from rths.loop.wiring import Wiring

ENGINES = ("interpreted", "table", "fused")


@kernel
def count(x, p, u, y):
    # x = calls so far
    x[0] += 1.0
    y[0] = x[0]


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> Any:
    return request.param


@pytest.fixture(scope="session")
def behind_a_counter() -> Callable[..., Cycle]:
    """Wire a counter (1, 2, 3, ...), then a block that reads it and writes ``out``."""

    def make(block: Block, engine: Any, tick: float = 0.1, record: Any = ("count", "out")) -> Cycle:
        w = Wiring()
        w.signal("count")
        w.signal("out", max(block.outputs, 1))
        w.place("counter", Block(count, states=1), [], "count")
        w.place("the block", block, ["count"], "out" if block.outputs else None)
        return Cycle(Layout.of(w, record), tick, engine)

    return make


@pytest.fixture(scope="session")
def advanced() -> Callable[[Cycle, int], np.ndarray]:
    """Advance a cycle and give the rows that are whole."""

    def go(cycle: Cycle, ticks: int) -> np.ndarray:
        rows = np.full((ticks, len(cycle.layout.record_slots)), np.nan)
        return rows[: cycle.advance(ticks, rows)]

    return go
