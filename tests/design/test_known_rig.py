"""What is known of a rig: its delay and inverse, against what the plan's actuator is by formula."""

from __future__ import annotations

from dataclasses import replace
from math import pi

import numpy as np
import pytest

from rths.design.known_rig import fit_inverse, know_rig, know_rigs
from rths.design.played_excitation import play_excitation
from rths.design.rehearsal_set import emulate
from rths.registry import find


@pytest.fixture(scope="module")
def played(plan):
    return replace(plan, excitation=play_excitation(plan))


def test_a_dead_time_is_found_to_a_tenth_of_a_tick(played):
    found = know_rig(played, emulate(played))
    assert found.delay == pytest.approx(0.0094, abs=1e-4)
    assert found.stiffness == pytest.approx(2250.0)
    assert found.motion == pytest.approx(np.abs(emulate(played)).max())


def test_a_second_order_actuator_has_its_low_frequency_delay(played):
    w, zeta, dead = 2 * pi * 30.0, 0.7, 0.002
    slow = find("transfer", "second_order")(frequency=30.0, damping=zeta, delay=dead)
    found = know_rig(replace(played, transfer=slow), emulate(played))
    assert found.delay == pytest.approx(2 * zeta / w + dead, rel=0.05)  # sine of 1.5 Hz: w τ = 0.1


def test_the_inverse_of_a_lag_is_one_plus_its_time_times_s():
    tick, lag = 1e-3, 0.01
    t = np.arange(0, 20, tick)
    x = sum(np.sin(2 * pi * f * t + f) for f in (0.7, 1.3, 2.9, 4.1))
    v = np.gradient(x, tick)
    found = fit_inverse(x + lag * v, x, tick, lag)
    # central differences: (w h)²/6 of the slope at 4.1 Hz, 1e-4
    assert found[0] == pytest.approx((1.0, lag), rel=1e-3)
    assert found[1][2] == pytest.approx(0.0, abs=1e-2 * lag**2)


def test_each_actuator_has_its_own_delay_and_alike_ones_are_known_once(three):
    lags = (0.0, 2 * 0.8 / (2 * pi * 25.0), 0.02)  # at low frequencies, beside the dead times
    # up to 3 Hz, where a lag of 20 ms is late by atan(w T)/w: 5 % less than T
    delays = [lag + dead for lag, dead in zip(lags, (0.008, 0.004, 0.004), strict=True)]
    assert [r.delay for r in three.rigs] == pytest.approx(delays, rel=0.08)
    assert three.rig is three.rigs[2]
    alike = replace(three.played, transfer=(three.played.transfer[0],) * 3)
    (only,) = know_rigs(alike, emulate(alike))
    assert only.delay == pytest.approx(0.008, abs=1e-4)
