"""Guards in a record: who warned, when first, how often and how far."""

from __future__ import annotations

import numpy as np
import pytest

from rths.records.guard_levels import guard_warnings


class Sampling:
    start, step = 0.5, 0.1


def test_a_guard_tells_when_it_first_warned_how_often_and_how_far():
    levels = {
        "guard.a_level": np.array([[0.0], [1.0], [0.0], [2.0]]),
        "guard.a_value": np.array([[9.0], [3.0], [8.0], [-5.0]]),
        "guard.b_level": np.zeros((4, 1)),
        "feedback.force": np.ones((4, 1)),
    }
    (found,) = guard_warnings(levels, dict.fromkeys(levels, Sampling))
    assert (found.guard, found.samples, found.tripped) == ("a", 2, True)
    assert found.first == pytest.approx(0.6)
    assert found.furthest == -5.0  # among the samples beyond a bound, not the 9 before
