from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.errors import InputError
from rths.loop.solo import respond
from rths.site import Site
from rths.transfer.dead_time import DeadTime
from rths.transfer.varying_dead_time import VaryingDeadTime

H = 1 / 1024
SITE = Site(tick=H, interval=H)
T = np.arange(4096) * H
DRIFT = VaryingDeadTime(delay=9e-3, final_delay=25e-3, drift_time=3.0)
SWING = VaryingDeadTime(delay=9e-3, swing=8e-3, swing_frequency=0.7)
BOTH = VaryingDeadTime(
    delay=12e-3, final_delay=30e-3, drift_time=2.0, swing=3e-3, swing_frequency=1.3
)


def tau(transfer: VaryingDeadTime) -> np.ndarray:
    final = transfer.delay if transfer.final_delay is None else transfer.final_delay
    drift = (final - transfer.delay) * np.minimum(T / transfer.drift_time, 1)
    swing = transfer.swing * np.sin(2 * np.pi * transfer.swing_frequency * T)
    return np.asarray(transfer.delay + drift + swing)


@pytest.mark.parametrize("transfer", [DRIFT, SWING, BOTH])
def test_a_straight_motion_is_delayed_exactly_by_the_delay_of_now(transfer):
    y = respond(transfer.block(SITE), 3 * T)[:, 0]
    late = T > 0.1
    assert_allclose((3 * T - y)[late] / 3, tau(transfer)[late], atol=1e-12)


@pytest.mark.parametrize("transfer", [DRIFT, SWING, BOTH])
def test_a_sine_is_delayed_to_the_accuracy_of_straight_interpolation(transfer):
    w = 2 * np.pi * 5
    y = respond(transfer.block(SITE), np.sin(w * T))[:, 0]
    late = T > 0.1
    bound = (w * H) ** 2 / 8  # error of a chord
    assert_allclose(y[late], np.sin(w * (T - tau(transfer)))[late], atol=1.001 * bound)


def test_a_constant_delay_is_that_of_the_plain_dead_time():
    u = np.random.default_rng(1).standard_normal(500)
    constant = VaryingDeadTime(delay=9.4e-3).block(SITE)
    assert_allclose(respond(constant, u), respond(DeadTime(delay=9.4e-3).block(SITE), u), rtol=1e-9)


def test_a_delay_that_swings_down_to_zero_is_allowed_and_no_further():
    VaryingDeadTime(delay=9e-3, swing=9e-3)
    with pytest.raises(InputError, match=r"transfer\.swing.*negative"):
        VaryingDeadTime(delay=9e-3, swing=9.1e-3)
    with pytest.raises(InputError, match=r"transfer\.swing"):
        VaryingDeadTime(delay=20e-3, final_delay=5e-3, swing=6e-3)
