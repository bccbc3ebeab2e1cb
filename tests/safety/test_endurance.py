"""A structure that is lost while the command is led to safety does not end that way."""

from __future__ import annotations

import json
from typing import get_args

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from rths.assembly.hybrid_test import HybridTest
from rths.assembly.safety import Safety
from rths.loop.block import Block, kernel
from rths.loop.cycle import Engine
from rths.registry import find
from rths.run.virtual import simulate
from rths.safety.endurance import keep_going
from rths.safety.rig_file import RigFile

MASS, HEIGHT = 1e4, 3.0
COLLAPSING = {
    "nodes": {"base": [0.0, 0.0], "top": [0.0, HEIGHT], "anchor": [4.0, HEIGHT]},
    "supports": {"base": "fixed", "anchor": "fixed"},
    "materials": {"mild": {"kind": "bilinear", "modulus": 2e11, "yield_stress": 1e8,
                           "hardening": 1e-6}},
    "sections": {"thin": {"kind": "elastic", "modulus": 2e11, "area": 0.01, "inertia": 1e-7}},
    "elements": {
        "column": {"kind": "elastic_beam", "nodes": ["base", "top"], "section": "thin",
                   "geometry": "p_delta"},
        "brace": {"kind": "truss", "nodes": ["top", "anchor"], "material": "mild", "area": 1e-4},
    },
    "masses": {"top": [MASS, MASS, 10.0]},
    "loads": {"top": [0.0, -9.81 * MASS, 0.0]},
}  # fmt: skip
"""A column that only its brace keeps upright: once it has yielded the column leans ever faster."""


@pytest.fixture
def collapse(tmp_path):
    def make(**changes) -> HybridTest:
        path = tmp_path / "collapsing.json"
        path.write_text(json.dumps(COLLAPSING), "utf-8")
        structure = find("structure", "frame")
        return HybridTest(
            excitation=find("excitation", "sine")(amplitude=3.0, frequency=1.0),
            structure=structure(model=str(path), interface=("top.x",), rayleigh=(0.02, 0.02)),
            integrator=find("integrator", "kr_alpha")(),
            compensator=find("compensator", "none")(),
            transfer=find("transfer", "dead_time")(delay=0.0),
            specimen=find("specimen", "spring")(stiffness=1e3),
            feedback=find("feedback", "direct")(),
            tick=1 / 256,
            duration=20.0,
            **changes,
        )

    return make


def guarded(limit=0.1):
    return {
        "limits": {"compensator.command": limit},
        "safety": Safety(rate=0.005),
        "rig": RigFile(file="emulated"),
    }


def test_without_a_way_to_safety_a_lost_frame_ends_the_test_in_clear_words(collapse):
    stop = simulate(collapse()).stop
    assert stop.reason == "limit"
    assert "a node of the frame moved beyond 100000 m" in stop.message


def test_a_structure_that_collapses_after_the_trip_does_not_end_the_way_to_safety(collapse):
    records = [simulate(collapse(**guarded()), engine=loop) for loop in get_args(Engine)]
    record = records[0]
    assert record.stop.reason == "trip"
    assert (record.stop.guard, record.stop.signal) == ("limit", "compensator.command")
    assert "at the safe position" in record.stop.message
    assert not np.isfinite(record["integrator.target"][-1]).any()  # it was lost on the way
    command = record["safety.command"][:, 0]
    assert command[-1] == 0.0
    assert np.abs(command).max() <= 0.1
    for other in records[1:]:
        assert other.stop == record.stop
        assert_array_equal(other.rows, record.rows)


def test_a_structure_that_is_lost_before_anything_tripped_trips_the_command(collapse, monkeypatch):
    monkeypatch.setattr("rths.frame.block.FARTHEST", 0.02)
    record = simulate(collapse(**guarded()), engine="interpreted")
    assert (record.stop.reason, record.stop.guard) == ("trip", "finite_a")
    assert record["safety.command"][-1, 0] == 0.0
    assert np.isfinite(record["safety.command"]).all()


@kernel
def stop_at_two(x, p, u, y):
    y[0] = 3.0
    return 5 if u[0] == 2.0 else 0


@kernel
def never_stop(x, p, u, y):
    y[0] = 3.0


@pytest.mark.parametrize(("step", "given", "found"), [
    (stop_at_two, 1.0, 3.0), (stop_at_two, 2.0, np.nan), (never_stop, 2.0, 3.0),
])  # fmt: skip
def test_what_would_stop_gives_no_number_and_all_else_stays(step, given, found):
    block = keep_going(Block(step, [7.0], 2))
    y = np.zeros(1)
    assert not block.kernel(block.states, block.params, np.array([given]), y)
    assert_array_equal(y, [found])
    assert (block.params.tolist(), block.states.size) == ([7.0], 2)
