"""Frames on the clock: the bench has the frames that it names."""

import pytest

from benchmarks.frames_live import frame_tests, run_once


def test_the_frames_have_the_sizes_and_rates_that_they_are_named_by():
    tests = frame_tests(1.0)
    assert [test.equation.size for test in tests.values()] == [122, 122, 162]
    for name, test in tests.items():
        assert f"{test.equation.size} degrees" in name
        assert f"{round(1 / test.tick)} Hz" in name
        assert test.step == test.tick or test.step is None


@pytest.mark.realtime
def test_every_tick_has_a_busy_time():
    test = next(iter(frame_tests(0.5).values()))
    busy = run_once(test)
    assert busy.size == test.clock.ticks
    assert (busy > 0.0).all()
