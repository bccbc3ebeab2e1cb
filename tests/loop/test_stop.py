"""A run that cannot go on says why, where and when; what came before is complete."""

from __future__ import annotations

import inspect
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rths.loop.block import FINITE, Block, Kernel, kernel
from rths.loop.row import RAISED
from rths.loop.wiring import Wiring
from rths.safety.limits import limits_block

WHOLE = np.column_stack([np.arange(1.0, 7.0)] * 2)  # ticks 0...5: count and out alike


def inner(value):
    if value == 7.0:
        raise ValueError("seven is enough")
    return value


@kernel
def refuses_seven(x, p, u, y):
    y[0] = inner(u[0])


@kernel
def raises_at_seven(x, p, u, y):
    if u[0] == 7.0:
        raise ZeroDivisionError("that was seven")
    y[0] = u[0]


@kernel
def answers_at_seven(x, p, u, y) -> int:
    y[0] = u[0]
    if u[0] == 7.0:
        return 42
    return 0


@kernel
def becomes(x, p, u, y):
    # p = what the output becomes when the counter is seven
    y[0] = p[0] if u[0] == 7.0 else u[0]


def line_of(function, text):
    lines, first = inspect.getsourcelines(function)
    return first + next(i for i, line in enumerate(lines) if text in line)


@pytest.mark.parametrize(
    ("block_kernel", "raising", "text"),
    [
        (raises_at_seven, raises_at_seven.function, "ZeroDivisionError: that was seven"),
        (refuses_seven, inner, "ValueError: seven is enough"),
    ],
)
def test_exception_in_a_block_is_told_with_its_line(
    behind_a_counter, advanced, engine, block_kernel, raising, text
):
    cycle = behind_a_counter(Block(block_kernel), engine)
    rows = advanced(cycle, 20)
    np.testing.assert_array_equal(rows, WHOLE)
    assert cycle.stop.reason == "exception"
    assert (cycle.stop.tick, cycle.stop.time) == (6, pytest.approx(0.6))
    assert cycle.stop.block == "the block"
    place = f"({__file__}:{line_of(raising, 'raise ')})"
    assert cycle.stop.message == f"stopped at tick 6 (t = 0.6 s): the block raised {text} {place}"


@pytest.mark.parametrize("portion", [1, 4, 6, 7])
def test_exception_is_found_whatever_the_portion(behind_a_counter, advanced, engine, portion):
    cycle = behind_a_counter(Block(raises_at_seven), engine)
    parts = [advanced(cycle, portion) for _ in range(9)]
    np.testing.assert_array_equal(np.vstack(parts), WHOLE)
    assert (cycle.stop.reason, cycle.stop.tick, cycle.done) == ("exception", 6, 6)


def test_block_stops_the_test_with_its_own_code(behind_a_counter, advanced, engine):
    cycle = behind_a_counter(Block(answers_at_seven), engine)
    np.testing.assert_array_equal(advanced(cycle, 20), WHOLE)
    stop = cycle.stop
    assert (stop.reason, stop.code, stop.block, stop.tick) == ("block", 42, "the block", 6)
    assert stop.message == "stopped at tick 6 (t = 0.6 s): the block answered with its stop code 42"
    assert cycle.signal("out") == 7.0  # what it wrote last can be looked at


def test_block_that_raised_where_python_cannot_repeat_it_has_no_stop_code(behind_a_counter):
    cycle = behind_a_counter(Block(raises_at_seven), "interpreted")
    stop = cycle.stop_of(1, RAISED)  # as the loop on the clock has it
    assert (stop.reason, stop.code, stop.block) == ("exception", None, "the block")
    assert stop.message == "stopped at tick 0 (t = 0 s): the block raised an exception"


def test_block_explains_its_own_code(behind_a_counter, advanced, engine):
    def explain(halt):
        text = f"{halt.placed.label} saw {halt.outputs[0]:g} {halt.when}"
        return halt.stop("block", text, value=float(halt.outputs[0]), code=halt.code)

    cycle = behind_a_counter(Block(answers_at_seven, explains=explain), engine)
    np.testing.assert_array_equal(advanced(cycle, 20), WHOLE)
    stop = cycle.stop
    assert stop.message == "the block saw 7 at tick 6 (t = 0.6 s)"
    assert (stop.reason, stop.tick, stop.value, stop.code) == ("block", 6, 7.0, 42)
    assert stop.time == pytest.approx(0.6)


def guarded(value, limits, engine):
    from rths.loop.cycle import Cycle
    from rths.loop.layout import Layout

    w = Wiring()
    w.signal("other")
    w.signal("out", 2)
    w.place("counter", Block(count, states=1), [], "other")
    w.place("the block", Block(becomes, [value]), ["other"], "out[1]")
    w.place("limits", limits_block(limits), ["out"])
    return Cycle(Layout.of(w, ["other", "out[1]"]), 0.1, engine)


@kernel
def count(x, p, u, y):
    x[0] += 1.0
    y[0] = x[0]


FREE = (-FINITE, FINITE)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_what_is_not_finite_stops_the_test(advanced, engine, value):
    cycle = guarded(value, [FREE, FREE], engine)
    np.testing.assert_array_equal(advanced(cycle, 20), WHOLE)
    stop = cycle.stop
    assert (stop.reason, stop.signal, stop.tick, stop.limit) == ("not finite", "out[1]", 6, None)
    np.testing.assert_equal(stop.value, value)  # for which one NaN is as good as another
    assert stop.message == f"stopped at tick 6 (t = 0.6 s): out[1] is {value}"


@pytest.mark.parametrize(
    ("value", "side"), [(50.0, "above its limit 40"), (-1.0, "below its limit 0")]
)
def test_limit_names_signal_value_limit_and_tick(advanced, engine, value, side):
    cycle = guarded(value, [FREE, (0.0, 40.0)], engine)
    np.testing.assert_array_equal(advanced(cycle, 20), WHOLE)
    stop = cycle.stop
    assert (stop.reason, stop.signal, stop.value) == ("limit", "out[1]", value)
    assert (stop.limit, stop.tick, stop.block) == ((0.0, 40.0), 6, "limits")
    assert stop.message == f"stopped at tick 6 (t = 0.6 s): out[1] = {value:g} is {side}"


def test_at_the_limit_is_inside_and_the_next_number_is_not(advanced, engine):
    cycle = guarded(40.0, [FREE, (-40.0, 40.0)], engine)
    assert len(advanced(cycle, 20)) == 20
    assert cycle.stop is None
    for value in (math.nextafter(40.0, math.inf), math.nextafter(-40.0, -math.inf)):
        cycle = guarded(value, [FREE, (-40.0, 40.0)], engine)
        assert len(advanced(cycle, 20)) == 6
        assert cycle.stop.reason == "limit"


def test_largest_finite_number_is_finite(advanced, engine):
    assert len(advanced(guarded(FINITE, [FREE, FREE], engine), 20)) == 20


def test_stopped_test_does_not_go_on_before_it_is_restored(behind_a_counter, advanced, engine):
    cycle = behind_a_counter(Block(answers_at_seven), engine)
    start = cycle.snapshot()
    advanced(cycle, 20)
    assert len(advanced(cycle, 5)) == 0
    assert cycle.done == 6
    cycle.restore(start)
    assert cycle.stop is None
    np.testing.assert_array_equal(advanced(cycle, 20), WHOLE)


@settings(max_examples=40)
@given(
    value=st.one_of(st.floats(-60, 60), st.sampled_from([math.nan, math.inf, -math.inf])),
    low=st.floats(-50, 0),
    high=st.floats(10, 50),
    portion=st.integers(1, 12),
)
def test_all_loops_stop_alike(value, low, high, portion):
    ends = []
    for engine in ("interpreted", "table", "fused"):
        cycle = guarded(value, [FREE, (low, high)], engine)
        rows = np.zeros((portion * 12, 2))
        done = 0
        for _ in range(12):
            done += cycle.advance(portion, rows[done : done + portion])
        ends.append((str(cycle.stop), rows[:done].tobytes(), cycle.done))
    assert ends[0] == ends[1] == ends[2]


def test_stop_is_words_and_numbers(behind_a_counter, advanced):
    cycle = behind_a_counter(Block(answers_at_seven), "interpreted")
    advanced(cycle, 20)
    assert str(cycle.stop) == cycle.stop.message
    assert cycle.stop.as_dict()["code"] == 42
    assert not cycle.stop.completed
    assert isinstance(answers_at_seven, Kernel)
