"""Ticks, stages and steps are whole numbers, or the test is refused before it runs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rths.assembly.clock import Clock
from rths.errors import InputError


@given(st.integers(1, 2000), st.integers(1, 4), st.sampled_from([1 / 1024, 1e-4, 0.0002, 1 / 4096]))
def test_whole_steps_are_counted(per_stage, stages, tick):
    clock = Clock.of(tick, per_stage * stages * tick, 1.0, stages)
    assert (clock.stage_ticks, clock.stages) == (per_stage, stages)
    assert clock.step == pytest.approx(per_stage * stages * tick, rel=1e-12)
    assert clock.stage == pytest.approx(per_stage * tick, rel=1e-12)


def test_a_step_is_one_tick_a_stage_if_none_is_given():
    assert Clock.of(1e-3, None, 1.0, 2).stage_ticks == 1
    assert Clock.of(1e-3, None, 1.0, 2).step == 2e-3


def test_record_has_a_row_for_both_ends():
    assert Clock.of(1e-3, None, 1.0, 1).ticks == 1001
    assert Clock.of(0.1, None, 0.3, 1).ticks == 4


def test_sums_of_ticks_are_whole_in_spite_of_round_off():
    assert Clock.of(0.1, 0.1 + 0.1 + 0.1, 3.0, 1).stage_ticks == 3


@pytest.mark.parametrize(
    ("tick", "step", "stages", "problem", "remedy"),
    [
        (1e-3, 2.5e-3, 1, "is 2.5 ticks of 0.001 s", "such as 0.002"),
        (1e-3, 1e-4, 1, "is 0.1 ticks of 0.001 s", "such as 0.001"),
        (1e-3, 1.0001e-3, 1, "is 1.0001 ticks", "such as 0.001"),
        (1e-3, 3e-3, 2, "is 3 tick(s), which 2 stage(s) cannot share", "multiple of 0.002 s"),
        (1e-3, 1e-3, 2, "is 1 tick(s), which 2 stage(s) cannot share", "multiple of 0.002 s"),
    ],
)
def test_step_that_is_not_whole_is_refused(tick, step, stages, problem, remedy):
    with pytest.raises(InputError) as error:
        Clock.of(tick, step, 1.0, stages)
    assert (error.value.field, error.value.value) == ("clock.step", step)
    assert problem in error.value.problem
    assert remedy in error.value.remedy


def test_test_shorter_than_a_tick_is_refused():
    with pytest.raises(InputError, match=r"clock\.duration = 0\.0001: is shorter than one tick"):
        Clock.of(1e-3, None, 1e-4, 1)
