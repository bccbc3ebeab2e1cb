"""A snapshot at any tick, put back into any loop, goes on as if nothing had happened."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rths.assembly.hybrid_test import HybridTest
from rths.loop import machine_code
from rths.loop.cycle import choose
from rths.registry import find

TICKS = 240


@pytest.fixture(scope="module")
def rig():
    """Two storeys, two actuators; delays, hysteresis, noise and two rates: all have state."""
    test = HybridTest(
        excitation=find("excitation", "sine")(amplitude=5.0, frequency=3.0),
        structure=find("structure", "shear_building")(
            masses=(2.2, 1.5),
            stiffnesses=(2250.0, 1500.0),
            damping_ratios=0.05,
            interface=(0, 1),
            attached="storey",
        ),
        integrator=find("integrator", "central_difference")(),
        compensator=(
            find("compensator", "polynomial")(delay=0.006),
            find("compensator", "forward_prediction")(ahead=0.006),
        ),
        transfer=find("transfer", "dead_time")(delay=0.0064),
        specimen=find("specimen", "bilinear")(
            stiffness=2250.0, yield_displacement=1e-3, hardening=0.1
        ),
        feedback=find("feedback", "noise")(force=0.1),
        tick=1e-3,
        step=4e-3,
        duration=(TICKS - 1) * 1e-3,
        seed=7,
    )
    rows = np.empty((TICKS, len(test.layout.record_slots)))
    assert test.cycle("table").advance(TICKS, rows) == TICKS
    return test, rows


@settings(max_examples=60)
@given(
    at=st.integers(0, TICKS),
    portions=st.lists(st.integers(1, 90), min_size=1, max_size=4),
    one=st.sampled_from(["table", "fused"]),
    other=st.sampled_from(["table", "fused"]),
)
def test_restored_run_is_the_run_that_was_not_interrupted(rig, at, portions, one, other):
    test, whole = rig
    first, second = test.cycle(one), test.cycle(other)
    rows = np.empty_like(whole)
    first.advance(at, rows)
    taken = first.snapshot()
    first.advance(TICKS - at, np.empty_like(whole))  # what happens to the first does not matter
    second.restore(taken)
    done = at
    for portion in [*portions, TICKS]:
        done += second.advance(min(portion, TICKS - done), rows[done:])
    assert done == second.done == TICKS
    assert rows.tobytes() == whole.tobytes()


def test_interpreted_loop_takes_over_too(rig):
    test, whole = rig
    table, plain = test.cycle("table"), test.cycle("interpreted")
    rows = np.empty_like(whole)
    table.advance(101, rows)
    plain.restore(table.snapshot())
    plain.advance(60, rows[101:])
    table.restore(plain.snapshot())
    table.advance(TICKS - 161, rows[161:])
    assert rows.tobytes() == whole.tobytes()


def test_snapshot_is_a_copy(rig):
    test, _ = rig
    cycle = test.cycle("table")
    taken = cycle.snapshot()
    cycle.advance(50, np.empty((50, len(test.layout.record_slots))))
    np.testing.assert_array_equal(taken, test.layout.initial)
    assert cycle.done == 50


def test_signals_can_be_read_while_the_test_stands(rig):
    test, whole = rig
    cycle = test.cycle("table")
    cycle.advance(50, np.empty((50, len(test.layout.record_slots))))
    column = list(test.layout.recorded).index("feedback.force")
    np.testing.assert_array_equal(cycle.signal("feedback.force"), whole[49, -2:])
    assert column == len(test.layout.recorded) - 1


def test_record_too_small_for_the_ticks_is_refused(rig, engine):
    test, whole = rig
    cycle = test.cycle(engine)
    for rows in (np.empty((9, whole.shape[1])), np.empty((10, whole.shape[1] - 1))):
        with pytest.raises(ValueError, match="record"):
            cycle.advance(10, rows)
    assert cycle.done == 0


def test_loop_is_chosen_by_the_size_of_the_work(monkeypatch):
    monkeypatch.delenv("NUMBA_DISABLE_JIT", raising=False)
    assert choose(9_999_999) == "table"
    assert choose(10_000_000) == "fused"
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    assert choose(10_000_000) == "interpreted"


def test_every_loop_is_interpreted_when_the_compiler_is_off(rig, monkeypatch):
    test, whole = rig
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    monkeypatch.setattr(machine_code, "translate_text", None)  # would fail if it were needed
    rows = np.empty_like(whole[:30])
    assert test.cycle("fused").advance(30, rows) == 30
    assert rows.tobytes() == whole[:30].tobytes()
