"""An actuator that fails does so from its time on, as its formula says."""

from __future__ import annotations

import numpy as np
import pytest

from rths.loop.solo import respond
from rths.site import Site
from rths.transfer.fault import Fault
from rths.trust import grant_trust

H = 1e-3
U = 0.01 * np.sin(0.02 * np.arange(1000))
INSIDE = {"kind": "dead_time", "delay": 0.005}
GOOD = np.concatenate([np.zeros(5), U[:-5]])


def moved(fault, size, engine="table"):
    made = Fault(fault=fault, start=0.3, size=size, actuator=INSIDE)
    return respond(made.block(Site(tick=H, interval=H)), U, engine)[:, 0]


@pytest.mark.parametrize("fault", ["oil_pressure_loss", "saturation", "runaway"])
def test_it_is_the_actuator_inside_until_then(fault):
    assert np.array_equal(moved(fault, 0.001)[:300], GOOD[:300])


def test_without_pressure_it_stands_still_and_with_little_it_creeps():
    assert np.all(moved("oil_pressure_loss", 0.0)[300:] == GOOD[299])
    speed = np.abs(np.diff(moved("oil_pressure_loss", 0.02)[299:])) / H
    assert speed.max() == pytest.approx(0.02, rel=1e-9)


def test_saturation_clips():
    assert np.array_equal(moved("saturation", 0.004)[300:], np.clip(GOOD[300:], -0.004, 0.004))


def test_a_runaway_goes_outwards_whatever_is_commanded():
    x = moved("runaway", 0.5)[299:]
    side = np.sign(GOOD[299])
    np.testing.assert_allclose(x, GOOD[299] + side * 0.5 * H * np.arange(701), rtol=1e-9)


def test_all_loops_agree():
    for engine in ("fused", "interpreted"):
        assert np.array_equal(moved("runaway", 0.5), moved("runaway", 0.5, engine))


OWN = """
from rths.loop.block import Block, kernel
from rths.transfer.base import Transfer, describe

@kernel
def step(x, p, u, y):
    y[0] = u[0]
    return 7 if u[0] > 0.0095 else 0

@describe
class Mine(Transfer):
    def block(self, site):
        return Block(step)
"""


def test_a_stop_code_of_the_actuator_inside_stops_the_test(tmp_path, monkeypatch):
    (tmp_path / "stopping.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    own = {"kind": "stopping.py:Mine"}
    with grant_trust(True):
        made = Fault(fault="saturation", start=9.0, size=1.0, actuator=own)
        block = made.block(Site(tick=H, interval=H))
    found = respond(block, U)[:, 0]
    assert np.array_equal(found, U[: np.argmax(U > 0.0095)])


def test_its_tick_is_no_part_of_the_dynamics():
    made = Fault(fault="runaway", start=0.3, size=0.5, actuator=INSIDE)
    block = made.block(Site(tick=H, interval=H))
    before, after = block.states.copy(), block.states.copy()
    block.kernel(after, block.params, np.zeros(1), np.zeros(1))
    counted = set(np.flatnonzero(before != after).tolist())
    places = {ring.position for ring in block.rings}
    assert counted - places <= set(block.counters)
    assert counted - places
