from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.signal import bilinear, lfilter

from rths.compensator.pi_phase_lead import PiPhaseLead
from rths.loop.solo import respond
from rths.site import Site

H = 1 / 4096
SITE = Site(tick=H, interval=H)
b, a = 50.83163360273612, 8570.397339444286


def test_it_is_lead_and_pi_by_tustins_rule():
    rng = np.random.default_rng(1)
    d, x = rng.standard_normal((2, 500))
    led = lfilter(*bilinear([b, a], [1.0, a], 4096), d)
    expected = lfilter(*bilinear([2.0, 95.0], [1.0, 0.0], 4096), led - x)
    got = respond(PiPhaseLead().block(SITE), np.column_stack([d, x]))[:, 0]
    assert_allclose(got, expected, rtol=1e-9, atol=1e-9)


def test_converters_round_what_they_pass():
    q = 2.0**-18
    d = np.cumsum(1e-4 * np.random.default_rng(2).standard_normal(400))
    inputs = np.column_stack([d, 0 * d])
    fine = respond(PiPhaseLead().block(SITE), inputs)[:, 0]
    got = respond(PiPhaseLead(quantum=q).block(SITE), inputs)[:, 0]
    assert_allclose(got / q, np.round(got / q), atol=1e-9)
    assert 0 < np.abs(got - fine).max() < 400 * q


def test_converters_limit_what_they_pass():
    far = np.column_stack([np.full(50, 10.0), np.zeros(50)])
    got = respond(PiPhaseLead(quantum=2.0**-18, limit=3.8).block(SITE), far)
    assert np.abs(got).max() == pytest.approx(3.8, abs=2.0**-18)


def test_the_static_error_vanishes_behind_a_slow_actuator(track):
    from rths.transfer.first_order import FirstOrder

    moved = track(PiPhaseLead(lead=1.0), FirstOrder(time_constant=0.02), np.full(8192, 1e-3), H)[0]
    assert_allclose(moved[-10:], 1e-3, rtol=1e-4)
