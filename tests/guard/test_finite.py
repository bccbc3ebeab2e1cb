"""What is not a finite number trips, whatever its size would have been."""

from __future__ import annotations

from math import inf, nan

from rths.guard.finite import Finite


def test_without_bounds_only_what_is_not_finite_trips(judged):
    g = Finite(signal="feedback.force")
    assert judged(g, [0.0, 1e308, -1e308, nan, inf])[:, 0].tolist() == [0, 0, 0, 2, 2]
