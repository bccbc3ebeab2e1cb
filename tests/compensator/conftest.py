"""Two ways to judge a compensator: the roots of a whole loop, and how a given target is tracked."""

from __future__ import annotations

from collections.abc import Callable
from math import lcm

import numpy as np
import pytest

from rths.assembly.hybrid_test import HybridTest
from rths.loop.block import Block
from rths.loop.cycle import Cycle
from rths.loop.layout import Layout
from rths.loop.site import Site
from rths.loop.solo import play
from rths.loop.wiring import Wiring

Roots = Callable[[HybridTest], np.ndarray]


def roots_of(test: HybridTest) -> np.ndarray:
    """Characteristic roots (1/s) of a linear loop, rightmost first, from the loop's own map.

    The map of one period, the time after which all ring buffers stand where they stood, is
    differentiated column by column; for a linear loop that is exact.
    """
    cycle = test.cycle("table")
    layout = cycle.layout
    period, states = layout.period, list(range(1, layout.bus))
    for placed, place in zip(layout.placed, layout.places, strict=True):
        block = placed.block
        fixed = {r.position for r in block.rings} | set(block.counters)
        states += [place.x + i for i in range(place.nx) if i not in fixed]
        period = lcm(period, *(r.size for r in block.rings))
    record = np.empty((period, len(layout.record_slots)))
    cycle.advance(period, record)
    rest = cycle.snapshot()
    columns = []
    for change in (None, *states):
        start = rest.copy()
        if change is not None:
            start[change] += 1.0
        cycle.restore(start)
        cycle.advance(period, record)
        columns.append(cycle.arena[states].copy())
    jacobian = np.array(columns[1:]).T - columns[0][:, None]
    z = np.linalg.eigvals(jacobian).astype(complex)
    found = np.log(z[np.abs(z) > 1e-12]) / (period * test.tick)
    return found[np.argsort(-found.real)]


@pytest.fixture(scope="session")
def loop_roots() -> Roots:
    return roots_of


def tracked(compensator, transfer, target, tick, engine="table"):
    """Track a given target: measured displacement, then what the compensator writes."""
    w, site = Wiring(), Site(tick=tick, interval=tick)
    block = compensator.block(site)
    w.signal("target")
    w.signal("measured")
    w.signal("written", block.outputs)
    w.place("target", Block(play, target, 1, counters=(0,)), [], "target")
    inputs = ["target", "measured"][: len(compensator.inputs)]
    w.place("compensator", block, inputs, "written")
    w.place("transfer", transfer.block(site), ["written[0]"], "measured")
    record = np.empty((len(target), 1 + block.outputs))
    done = Cycle(Layout.of(w, ["measured", "written"]), tick, engine).advance(len(target), record)
    assert done == len(target)
    return record.T


@pytest.fixture(scope="session")
def track():
    return tracked
