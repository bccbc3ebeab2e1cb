"""The acceleration is exact on a parabola."""

from __future__ import annotations

import numpy as np

from rths.guard.acceleration import Acceleration

H = 1 / 1024  # a power of two: differences and quotients of short numbers are exact


def test_acceleration_is_exact_on_a_parabola(judged):
    g = Acceleration(signal="compensator.command", trip=3.0)
    k = np.arange(6.0)
    assert np.array_equal(judged(g, 1.5 * (k * H) ** 2)[2:, 1], np.full(4, 3.0))
    assert judged(g, 1.5 * (k * H) ** 2)[:, 0].max() == 0
    assert judged(g, 1.5 * 1.0000001 * (k * H) ** 2)[:, 0].tolist()[2:] == [2] * 4
