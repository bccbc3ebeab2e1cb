"""Oil of all actuators together."""

from __future__ import annotations

import pytest

from rths.guard.flow import Flow


def test_it_is_the_sum_of_what_each_piston_sweeps(judged):
    rows = [[0.0, 0.0], [0.001, -0.002], [0.002, -0.002]]
    guard = Flow(areas=[0.01, 0.02], trip=0.045)
    level, value = judged(guard, rows, interval=0.001).T
    assert value.tolist() == pytest.approx([0.0, 0.01 * 1.0 + 0.02 * 2.0, 0.01])
    assert level.tolist() == [0.0, 2.0, 0.0]
