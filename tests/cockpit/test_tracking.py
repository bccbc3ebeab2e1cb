"""Delay and gain of the last seconds against motions whose delay and gain are known."""

from __future__ import annotations

import numpy as np
import pytest

from rths.cockpit.tracking import estimate_tracking, track_windows

STEP = 1 / 1024
T = np.arange(0, 2.0, STEP)


def motion(t):  # two modes, as of a structure
    return 0.01 * np.sin(2 * np.pi * 1.3 * t) + 0.003 * np.sin(2 * np.pi * 4.7 * t + 0.4)


@pytest.mark.parametrize("delay", [-0.004, 0.0, 0.00037, 0.0094, 0.03])
@pytest.mark.parametrize("gain", [0.8, 1.0, 1.1])
def test_a_delayed_and_scaled_motion_is_found(delay, gain):
    found = estimate_tracking(motion(T), gain * motion(T - delay), STEP)
    # rounds end when the gain changes by 0.003: what is left of it shifts the delay by less
    assert found.delay == pytest.approx(delay, abs=2e-6 if gain == 1.0 else 2e-5)
    assert found.gain == pytest.approx(gain, abs=1e-3)


@pytest.mark.parametrize("rate", [256, 1024, 4096])
def test_the_rate_does_not_matter(rate):
    t = np.arange(0, 2.0, 1 / rate)
    assert estimate_tracking(motion(t), motion(t - 0.01), 1 / rate).delay == pytest.approx(
        0.01, abs=2e-5  # cubic splines at 4.7 Hz and 256 Hz
    )  # fmt: skip


def test_noise_widens_the_interval_and_holds_the_truth():
    rng = np.random.default_rng(7)
    noisy = motion(T - 0.01) + 1e-3 * rng.standard_normal(T.size)
    found = estimate_tracking(motion(T), noisy, STEP)
    assert abs(found.delay - 0.01) < 2 * found.spread < 2e-3


@pytest.mark.parametrize(
    "target", [np.zeros(2048), np.full(2048, np.nan), motion(T)[:20], np.full(2048, 1e300)]
)
def test_nothing_is_said_of_what_says_nothing(target):
    assert estimate_tracking(target, target, STEP) is None


def test_windows_of_a_rehearsal():
    t = np.arange(0, 6.0, STEP)
    found = track_windows(motion(t), motion(t - 0.005), STEP)
    assert len(found) == 3
    assert [w.delay for w in found] == pytest.approx([0.005] * 3, abs=2e-6)
