"""The error is counted after the delay that was told, exactly."""

from __future__ import annotations

import numpy as np

from rths.guard.tracking_error import TrackingError

H = 1 / 1024  # a power of two: differences and quotients of short numbers are exact


def test_tracking_error_forgives_exactly_the_delay_it_was_told(judged):
    target = np.sin(0.05 * np.arange(400))
    measured = np.concatenate([np.zeros(12), target[:-12]])
    rows = np.column_stack([measured, target])
    told = TrackingError(trip=0.0, delay=12 * H)
    assert judged(told, rows)[:, 0].max() == 0
    other = TrackingError(trip=0.0, delay=11 * H)
    assert judged(other, rows)[:, 0].max() == 2
    plain = TrackingError(trip=0.5)
    assert np.array_equal(judged(plain, rows)[:, 1], measured - target)
