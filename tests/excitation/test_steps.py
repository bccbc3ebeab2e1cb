from __future__ import annotations

from numpy.testing import assert_allclose

from rths.excitation.steps import Steps


def test_each_level_is_reached_by_a_straight_line_and_held(signal):
    e = signal(Steps(levels=(2.0, -1.0), rise=0.2, hold=0.3, start=0.1), 0.1, 13)
    assert_allclose(e[:, 0], [0, 0, 1, 2, 2, 2, 2, 0.5, -1, -1, -1, -1, -1], atol=1e-6)


def test_without_a_rise_it_jumps_when_the_quiet_time_is_over(signal):
    e = signal(Steps(levels=(1.0, 0.0), hold=0.2), 0.1, 6)
    assert_allclose(e[:, 0], [1, 1, 0, 0, 0, 0])


def test_the_velocity_of_a_support_is_that_of_the_line(signal):
    e = signal(Steps(levels=(2.0, 0.0), rise=0.2, hold=0.3, acting="support_displacement"), 0.1, 8)
    assert_allclose(e[:, 1], [10, 10, 0, 0, 0, -10, -10, 0], atol=1e-9)
