from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import signal

from rths.errors import InputError
from rths.feedback.filter import Filter
from rths.loop.solo import frequency_response, respond
from rths.site import Site

H = 1 / 1024
SITE = Site(H, H)
BUTTERWORTH = Filter(edge=30.0, order=4)
ELLIPTIC = Filter(family="elliptic", edge=20.0, stop=30.0)  # [wu2013] section 5.1


def gain(made, f):
    return abs(frequency_response(made.block(SITE), f, H))


def test_butterworth_has_half_the_power_at_its_edge_and_falls_by_its_order():
    assert_allclose(gain(BUTTERWORTH, 30.0), np.sqrt(0.5), rtol=1e-9)
    w = np.tan(np.pi * np.array([5.0, 60.0]) * H) / np.tan(np.pi * 30.0 * H)  # bilinear transform
    assert_allclose([gain(BUTTERWORTH, f) for f in (5.0, 60.0)], 1 / np.sqrt(1 + w**8), rtol=1e-9)


def test_elliptic_keeps_its_ripple_up_to_the_edge_and_its_attenuation_from_the_stop_on():
    in_band = [gain(ELLIPTIC, f) for f in np.linspace(0.5, 20.0, 14)]
    assert min(in_band) >= 10 ** (-0.5 / 20) * (1 - 1e-9)
    assert max(in_band) <= 1 + 1e-9
    assert max(gain(ELLIPTIC, f) for f in np.linspace(30.0, 300.0, 14)) <= 0.01 * (1 + 1e-6)


def test_the_order_that_follows_from_the_stop_is_the_lowest_that_will_do():
    made = Filter(edge=20.0, stop=60.0, ripple=1.0, attenuation=40.0)
    assert gain(made, 60.0) <= 0.01 * (1 + 1e-6)
    assert gain(made, 20.0) >= 10 ** (-1 / 20) * (1 - 1e-6)
    n = round(np.count_nonzero(made.sections(H)[:, 1:3]) / 2)
    lower = Filter(edge=20.0 * 10 ** (1 / 20), order=n - 1)
    assert gain(lower, 60.0) > 0.01


@pytest.mark.parametrize("made", [BUTTERWORTH, ELLIPTIC], ids=["butterworth", "elliptic"])
def test_the_reported_delay_is_the_slope_of_the_phase_of_the_running_block(made):
    for f in (2.0, 10.0, 18.0):
        a, b = (np.angle(frequency_response(made.block(SITE), f + d, H)) for d in (-0.05, 0.05))
        slope = -(b - a) / (2 * np.pi * 0.1)
        assert_allclose(made.group_delay([f], H), slope, rtol=1e-3)


def test_the_delay_of_four_poles_is_known_in_closed_form():
    """At low frequency (sum of 1/Q) / omega_c, with Q = 1/(2 cos(pi/8)) and 1/(2 cos(3 pi/8))."""
    fast = 1e-6  # without the warping of the bilinear transform
    expected = 2 * (np.cos(np.pi / 8) + np.cos(3 * np.pi / 8)) / (2 * np.pi * 30.0)
    assert_allclose(BUTTERWORTH.group_delay([0.01], fast), expected, rtol=1e-4)


@given(st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=50))
def test_it_is_the_filter_of_an_independent_implementation(values):
    u = np.array(values)
    for made in (BUTTERWORTH, ELLIPTIC):
        y = respond(made.block(SITE), u, "interpreted")[:, 0]
        assert_allclose(y, signal.sosfilt(made.sections(H), u), atol=1e-9)


def test_a_filtered_displacement_starts_settled():
    made = Filter(edge=30.0, order=5, displacement=True)
    block = made.displacement_block(Site(H, H, displacement=0.02))
    assert_allclose(respond(block, np.full(50, 0.02)), 0.02, rtol=1e-12)
    assert BUTTERWORTH.displacement_block(SITE) is None


def test_the_loops_agree_bit_for_bit():
    u = np.random.default_rng(0).normal(size=200)
    runs = [respond(ELLIPTIC.block(SITE), u, e) for e in ("interpreted", "table")]
    assert_array_equal(runs[0], runs[1])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"edge": 30.0}, "both missing"),
        ({"edge": 30.0, "order": 2, "stop": 60.0}, "beside stop"),
        ({"edge": 30.0, "stop": 20.0}, "not above the edge"),
    ],
)
def test_an_order_given_twice_or_not_at_all_is_refused(given, message):
    with pytest.raises(InputError, match=message):
        Filter(**given)


def test_an_edge_beyond_half_the_rate_is_refused():
    with pytest.raises(InputError, match="half the rate"):
        Filter(edge=600.0, order=2).block(SITE)
