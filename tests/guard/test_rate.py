"""The rate is that of two samples."""

from __future__ import annotations

from math import nextafter

from rths.guard.rate import Rate


def test_rate_is_that_of_two_samples_and_none_at_the_first(judged):
    g = Rate(signal="feedback.force", trip=1024.0)
    found = judged(g, [5.0, 6.0, nextafter(7.0, 8), nextafter(6.0, 5) - 1])
    assert found[:, 0].tolist() == [0, 0, 2, 2]
    assert found[1, 1] == 1024.0
