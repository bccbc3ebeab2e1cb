"""Two ways to judge a compensator: the roots of a whole loop, and how a given target is tracked."""

from __future__ import annotations

from collections.abc import Callable
from math import lcm

import numpy as np
import pytest

from rths.assembly.hybrid_test import HybridTest
from rths.loop.block import Block, kernel
from rths.loop.cycle import Cycle
from rths.loop.layout import Layout
from rths.loop.solo import play
from rths.loop.wiring import Wiring
from rths.site import Site

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


@kernel
def added(x, p, u, y):
    y[0] = u[0] + u[1]


def driven(compensator, transfer, motion, h, noise=0.0):
    """Give the measured displacement and what the compensator writes, for (target, velocity)."""
    w, site = Wiring(), Site(tick=h, interval=h)
    block = compensator.block(site)
    w.signal("motion", 2)
    w.signal("moved")
    w.signal("disturbance")
    w.signal("measured", 1)
    w.signal("written", block.outputs)
    z = noise * np.random.default_rng(5).standard_normal(len(motion))
    w.place("motion", Block(play, motion.ravel(), 1, outputs=2), [], "motion")
    w.place("compensator", block, ["motion", "measured"], "written")
    w.place("transfer", transfer.block(site), ["written[0]"], "moved")
    w.place("disturbance", Block(play, z, 1), [], "disturbance")
    w.place("sensor", Block(added), ["moved", "disturbance"], "measured")
    record = np.empty((len(motion), 2 + block.outputs))
    cycle = Cycle(Layout.of(w, ["moved", "measured", "written"]), h, "table")
    assert cycle.advance(len(motion), record) == len(motion)
    return record.T


def shaken(seconds, h, size=3e-3, seed=1, frequencies=(0.7, 1.9, 3.6, 6.1, 9.7)):
    """A target of several sines with its velocity."""
    t = np.arange(round(seconds / h)) * h
    rng = np.random.default_rng(seed)
    d, v = np.zeros_like(t), np.zeros_like(t)
    for f in frequencies:
        w, phase = 2 * np.pi * f, rng.uniform(0, 6)
        d += size / len(frequencies) * np.sin(w * t + phase)
        v += size / len(frequencies) * w * np.cos(w * t + phase)
    ramp = np.minimum(t, 1.0)
    return np.column_stack([ramp * d, ramp * v + (t < 1.0) * d])


@pytest.fixture(scope="session")
def drive():
    return driven


@pytest.fixture(scope="session")
def shake():
    return shaken
