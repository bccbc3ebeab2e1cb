"""Signals have one name each, references must exist, and what is written must fit."""

from __future__ import annotations

import numpy as np
import pytest

from rths.errors import InputError
from rths.loop.block import Block, kernel
from rths.loop.cycle import Cycle
from rths.loop.layout import Layout
from rths.loop.wiring import Wiring


@kernel
def add(x, p, u, y):
    # p = what is added to each input
    for i in range(y.size):
        y[i] = u[i] + p[0]


@kernel
def push_down(x, p, u, y):
    # the first output is written before the first input is read
    y[0] = 1.0
    for i in range(1, y.size):
        y[i] = u[i - 1]


def test_two_signals_may_not_share_a_name():
    w = Wiring()
    w.signal("force")
    with pytest.raises(InputError, match=r"force.*exists already"):
        w.signal("force")


@pytest.mark.parametrize("reference", ["velocity", "force[2]", "force[-1]", "force[x]", "", "a b"])
def test_unknown_reference_is_refused(reference):
    w = Wiring()
    w.signal("force", 2)
    with pytest.raises(InputError) as error:
        w.place("block", Block(add, [1.0]), [reference], "force[0]")
    assert error.value.value == reference
    assert error.value.remedy


@pytest.mark.parametrize(("outputs", "into"), [(2, "force[0]"), (1, "force"), (1, None)])
def test_outputs_must_fit_the_signal(outputs, into):
    w = Wiring()
    w.signal("force", 2)
    with pytest.raises(InputError, match="must fit the signal"):
        w.place("block", Block(add, [1.0], outputs=outputs), ["force"], into)


def test_elements_and_parts_name_the_same_places():
    w = Wiring()
    w.signal("response", 6, unit="m")
    w.part("velocity", "response", 2, 3, "m/s")
    assert w.slots("velocity") == w.slots("response")[2:5]
    assert w.slots("velocity[1]") == w.slots("response[3]")
    assert (w.signals["velocity"].unit, w.signals["response"].unit) == ("m/s", "m")


def test_period_is_that_of_all_rates_together():
    w = Wiring()
    w.signal("a")
    assert w.period == 1
    for every in (4, 6):
        w.place(f"each {every}", Block(add, [1.0]), ["a"], "a", every=every, phase=1)
    assert w.period == 12
    layout = Layout.of(w, ["a"])
    assert [k for k, tick in enumerate(layout.schedule) if 0 in tick] == [1, 5, 9]
    assert [k for k, tick in enumerate(layout.schedule) if 1 in tick] == [1, 7]


def test_blocks_run_in_their_order_at_their_ticks(engine, advanced):
    w = Wiring()
    w.signal("a", initial=10.0)
    w.signal("b")
    w.place("b follows a", Block(add, [0.0]), ["a"], "b")
    w.place("a grows", Block(add, [1.0]), ["a"], "a", every=3, phase=2)
    rows = advanced(Cycle(Layout.of(w, ["a", "b"]), 1.0, engine), 7)
    np.testing.assert_array_equal(rows[:, 0], [10, 10, 11, 11, 11, 12, 12])
    np.testing.assert_array_equal(rows[:, 1], [10, 10, 10, 11, 11, 11, 12])


def test_inputs_far_apart_and_side_by_side_are_the_same(engine, advanced):
    w = Wiring()
    w.signal("a", 3, initial=[1.0, 2.0, 3.0])
    for name in ("near", "far"):
        w.signal(name, 3)
    w.place("near", Block(add, [1.0], outputs=3), ["a"], "near")
    w.place("far", Block(add, [1.0], outputs=3), ["a[2]", "a[0]", "a[1]"], "far")
    rows = advanced(Cycle(Layout.of(w, ["near", "far"]), 1.0, engine), 1)
    np.testing.assert_array_equal(rows, [[2, 3, 4, 4, 2, 3]])


def test_block_that_writes_what_it_reads_sees_its_inputs_unchanged(engine, advanced):
    w = Wiring()
    w.signal("a", 3, initial=[5.0, 6.0, 7.0])
    w.place("shift", Block(push_down, outputs=3), ["a"], "a")
    rows = advanced(Cycle(Layout.of(w, ["a"]), 1.0, engine), 2)
    np.testing.assert_array_equal(rows, [[1, 5, 6], [1, 1, 5]])


def test_only_what_is_asked_for_is_recorded(engine, advanced):
    w = Wiring()
    w.signal("a", 2)
    w.place("a grows", Block(add, [1.0], outputs=2), ["a"], "a")
    assert advanced(Cycle(Layout.of(w, []), 1.0, engine), 5).shape == (5, 0)
    assert advanced(Cycle(Layout.of(w, ["a[1]"]), 1.0, engine), 5).shape == (5, 1)


def test_a_slot_has_the_last_of_its_names():
    w = Wiring()
    w.signal("response", 4)
    w.part("displacement", "response", 2, 2)
    layout = Layout.of(w, [])
    assert layout.slot_name(w.slots("response[0]")[0]) == "response[0]"
    assert layout.slot_name(w.slots("response[3]")[0]) == "displacement[1]"
    assert layout.slot_name(99) == "bus[99]"


def test_the_count_of_ticks_is_no_signal():
    """It stands still while the loop runs: a record of it would be one of zeros."""
    w = Wiring()
    assert len(w.initial) == 1
    with pytest.raises(InputError, match="is unknown"):
        Layout.of(w, ["tick"])
