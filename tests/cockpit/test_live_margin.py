"""The margin while it runs: what is left, and when it is gone if it grows."""

from __future__ import annotations

import numpy as np
import pytest

from rths.cockpit.live_margin import Limits, LiveMargin
from rths.cockpit.tracking import Tracking

LIMITS = Limits("proved", "", delay=0.008, gain=3.0, planned_delay=0.001, planned_gain=0.9)


def follow(course, times=None, noise=0.0):
    rng, margin = np.random.default_rng(1), LiveMargin(LIMITS)
    for t in np.arange(0.0, 10.0, 0.2) if times is None else times:
        last = Tracking(course(t) + noise * rng.standard_normal(), 1e-5, 1.0)
        margin.add(float(t), last)
    return margin, last


def test_what_is_extra_counts_from_the_rehearsal():
    margin, last = follow(lambda t: 0.003)
    told = margin.describe(last)
    assert told["extra"] == pytest.approx(0.002)
    assert told["relative_gain"] == pytest.approx(1 / 0.9)
    assert told["growth"] is None
    assert "seconds_left" not in told


def test_a_growth_leads_to_the_limit_when_it_says():
    margin, last = follow(lambda t: 0.001 + 0.0004 * t, noise=2e-5)
    told = margin.describe(last)
    left = (0.008 - 0.0004 * 9.8) / 0.0004
    assert told["growth"] == pytest.approx(0.0004, rel=0.05)
    assert told["seconds_left"] == pytest.approx(left, rel=0.1)


def test_noise_is_no_growth():
    # three standard errors: one in 740 by chance, for errors that are normal
    grown = sum(
        follow(lambda t, p=p: 0.002 + 1e-4 * np.sin(9 * t + p))[0].growth() is not None
        for p in range(50)
    )
    assert grown == 0


def test_a_delay_that_falls_does_not_grow():
    margin, last = follow(lambda t: 0.006 - 0.0004 * t)
    assert margin.describe(last)["growth"] is None


def test_beyond_the_limit_no_time_is_left():
    margin, last = follow(lambda t: 0.009 + 0.001 * t)
    assert margin.describe(last)["seconds_left"] == 0.0


def test_little_is_kept():
    margin, _ = follow(lambda t: 0.0, times=np.arange(0.0, 1000.0, 0.2))
    assert len(margin._seen) <= 62


def test_without_a_certificate_the_delay_is_told_all_the_same():
    told = LiveMargin().describe(Tracking(0.002, 1e-5, 1.0))
    assert told == {"known": False, "delay": 0.002, "spread": 1e-5, "gain": 1.0, "growth": None}
