"""A limit warns and trips at the next number beyond its bounds."""

from __future__ import annotations

from math import inf, nan, nextafter

from rths.guard.limit import Limit


def test_a_limit_trips_at_the_next_number_and_not_at_its_own(judged):
    g = Limit(signal="feedback.force", warn=1.0, trip=2.0)
    values = [1.0, nextafter(1.0, 2), 2.0, nextafter(2.0, 3), -1.0, nextafter(-1.0, -2), -2.0,
              nextafter(-2.0, -3), nan, inf, -inf]  # fmt: skip
    assert judged(g, values)[:, 0].tolist() == [0, 1, 1, 2, 0, 1, 1, 2, 2, 2, 2]


def test_a_pair_of_bounds_is_two_bounds(judged):
    g = Limit(signal="feedback.force", trip=(-1.0, 3.0))
    assert judged(g, [3.0, nextafter(3.0, 4), -1.0, nextafter(-1.0, -2)])[:, 0].tolist() == [
        0,
        2,
        0,
        2,
    ]


def test_a_level_to_warn_may_be_that_to_trip(judged):
    g = Limit(signal="feedback.force", warn=(-1.0, 2.0), trip=2.0)
    assert judged(g, [2.0, -1.5, 2.5])[:, 0].tolist() == [0, 1, 2]
