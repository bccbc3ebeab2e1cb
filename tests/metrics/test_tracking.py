"""Indices of tracking: identities and closed forms of sines, then H3 and H6."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose

from rths.errors import InputError
from rths.metrics import metric, metric_names
from rths.metrics.delay_over_time import delay_over_time
from rths.metrics.frequency_evaluation_index import frequency_evaluation_index
from rths.metrics.maximum_tracking_error import maximum_tracking_error
from rths.metrics.nrmse import nrmse
from rths.metrics.rms_tracking_error import rms_tracking_error
from rths.metrics.synchronisation_subspace import synchronisation_subspace
from rths.metrics.tracking_error_energy import tracking_error_energy
from rths.metrics.tracking_indicator import tracking_indicator

H = 1 / 1024
CYCLE = 2 * np.pi * np.arange(1025) / 1024  # one period of 1 Hz, both ends
signals = arrays(np.float64, 50, elements=st.floats(-10, 10))


def test_h6_definitions_on_numbers_worked_by_hand():
    c, m = [3.0, 4.0, 0.0], [3.0, 1.0, -4.0]
    assert maximum_tracking_error(c, m, H) == 4.0
    assert rms_tracking_error(c, m, H) == pytest.approx(1.0)  # sqrt(25/25)
    # the printed form without the root over the quotient would give 5/25
    assert rms_tracking_error(c, m, H) != pytest.approx(0.2)


@settings(deadline=None)
@given(c=signals, scale=st.floats(0.1, 10), factor=st.floats(0, 2))
def test_rms_is_free_of_units_and_measures_a_wrong_gain(c, scale, factor):
    c[0] = 5.0
    m = factor * c
    assert rms_tracking_error(c, m, H) == pytest.approx(abs(1 - factor), abs=1e-12)
    again = rms_tracking_error(scale * c, scale * m, H)
    assert again == pytest.approx(rms_tracking_error(c, m, H), abs=1e-12)
    assert nrmse(c, m, H) == rms_tracking_error(c, m, H)


def test_tiny_signals_keep_their_ratio():
    c = 1e-200 * np.sin(CYCLE)
    assert rms_tracking_error(c, 1.5 * c, H) == pytest.approx(0.5)


@settings(deadline=None)
@given(c=signals, m=signals)
def test_the_tracking_indicator_is_the_corrected_recursion(c, m):
    a = ta = 0.0
    expected = [0.0]
    for i in range(len(c) - 1):
        a += 0.5 * (c[i + 1] + c[i]) * (m[i + 1] - m[i])
        ta += 0.5 * (m[i + 1] + m[i]) * (c[i + 1] - c[i])
        expected.append(0.5 * (a - ta))
    assert_allclose(tracking_indicator(c, m, H), expected, atol=1e-9)


@settings(deadline=None)
@given(c=signals, m=signals)
def test_the_tracking_indicator_changes_sign_when_the_signals_change_places(c, m):
    assert_allclose(tracking_indicator(c, m, H), -tracking_indicator(m, c, H), atol=1e-12)
    assert_allclose(tracking_indicator(c, 2 * c, H), 0.0, atol=1e-12)


def test_h3_tracking_indicator_of_a_lagging_sine():
    phi = 2 * np.pi * 0.030
    ti = tracking_indicator(10 * np.sin(CYCLE), 10 * np.sin(CYCLE - phi), H)
    exact = 100 * np.sin(2 * np.pi * H) * np.sin(phi) / 2
    assert_allclose(np.diff(ti), exact, rtol=1e-9)  # the same at every step
    assert exact == pytest.approx(0.0574875, abs=5e-8)
    assert ti[-1] == pytest.approx(58.867, rel=1e-5)
    assert ti[-1] == pytest.approx(np.pi * 100 * np.sin(phi), rel=1e-5)


def test_a_leading_actuator_lowers_the_tracking_indicator():
    ti = tracking_indicator(np.sin(CYCLE), np.sin(CYCLE + 0.1), H)
    assert np.all(np.diff(ti) < 0)


@settings(deadline=None)
@given(c=signals, m=signals, k=st.floats(0.1, 1e3))
def test_the_energy_of_a_spring_is_its_stiffness_times_the_tracking_indicator(c, m, k):
    energy = tracking_error_energy(c, m, H, k * m)
    ends = m * (m - c) / 2
    expected = k * (tracking_indicator(c, m, H) + ends - ends[0])
    assert_allclose(energy, expected, atol=1e-9 * k)


@pytest.mark.parametrize("lag", [0.2, -0.2])
def test_a_lag_adds_the_energy_of_the_closed_form_and_a_lead_takes_it(lag):
    c, m = 0.01 * np.sin(CYCLE), 0.01 * np.sin(CYCLE - lag)
    energy = tracking_error_energy(c, m, H, 5e4 * m)[-1]
    assert energy == pytest.approx(np.pi * 5e4 * 1e-4 * np.sin(lag), rel=1e-5)
    assert np.sign(energy) == np.sign(lag)


def test_no_tracking_error_no_energy():
    c = np.sin(CYCLE)
    assert_allclose(tracking_error_energy(c, c, H, np.cos(7 * CYCLE)), 0.0, atol=1e-15)


@settings(deadline=None)
@given(
    cycles=st.integers(1, 40), gain=st.floats(0.2, 3), turn=st.floats(-3, 3), power=st.floats(1, 4)
)
def test_the_index_of_a_sine_is_its_gain_and_delay(cycles, gain, turn, power):
    t = np.arange(1024) * H
    c, m = np.sin(2 * np.pi * cycles * t), gain * np.sin(2 * np.pi * cycles * t - turn)
    index = frequency_evaluation_index(c, m, H, power=power)
    assert_allclose(index, [gain, turn / (2 * np.pi * cycles), cycles], rtol=1e-6, atol=1e-9)


def test_the_index_of_several_tones_is_the_weighted_mean():
    t, tau = np.arange(4096) * H, 0.004
    tones = [(1.0, 1.0), (0.5, 3.0), (0.2, 7.0)]
    c = sum(a * np.sin(2 * np.pi * f * t) for a, f in tones)
    m = sum(a * np.sin(2 * np.pi * f * (t - tau)) for a, f in tones)
    weights = np.array([a**2 for a, _ in tones])
    weights /= weights.sum()
    f = np.array([f for _, f in tones])
    mean = np.sum(weights * np.exp(-2j * np.pi * f * tau))
    expected = [abs(mean), -np.angle(mean) / (2 * np.pi * np.sum(weights * f)), np.sum(weights * f)]
    found = frequency_evaluation_index(c, m, H)
    assert_allclose(found, expected, rtol=1e-9)
    assert found.delay == pytest.approx(tau, rel=1e-3)


def test_delay_over_time_follows_a_step_of_the_delay_and_leaves_gaps():
    t = np.arange(12 * 1024) * H
    tau = np.where(t < 6.0, 0.010, 0.025)
    envelope = np.where(t < 10.0, 1.0, 1e-5)  # after that hardly any motion
    c = envelope * np.sin(2 * np.pi * 3 * t)
    m = envelope * np.sin(2 * np.pi * 3 * (t - tau))
    found = delay_over_time(c, m, H, longest=0.05)
    assert_allclose(found.delays[found.times < 5.4], 0.010, atol=1e-7)
    late = (found.times > 6.6) & (found.times < 9.4)
    assert_allclose(found.delays[late], 0.025, atol=1e-7)
    assert np.isnan(found.delays[found.times > 10.6]).all()
    assert found.times[0] == pytest.approx(0.5, abs=H)


@pytest.mark.parametrize(("window", "longest"), [(1.0, 0.3), (1e-3, 0.1), (99.0, 0.1), (1.0, 0.0)])
def test_windows_that_do_not_fit_are_refused(window, longest):
    t = np.arange(2048) * H
    with pytest.raises(InputError, match=r"window|longest"):
        delay_over_time(np.sin(t), np.sin(t), H, window=window, longest=longest)


@settings(deadline=None)
@given(amplitude=st.floats(1e-3, 10), tau=st.floats(0, 0.1))
def test_the_loop_of_a_delayed_sine_is_the_test_itself(amplitude, tau):
    t = np.arange(1024) * H
    c = amplitude * np.cos(2 * np.pi * 2 * t)
    m = amplitude * np.cos(2 * np.pi * 2 * (t - tau))
    plane = synchronisation_subspace(c, m, H, delay=tau)
    # every point of the test lies on the ellipse c² + m² - 2 c m cos φ = X² sin² φ of the loop
    phi = 2 * np.pi * 2 * tau
    for x, y in ((c, m), (plane.loop_target, plane.loop_measured)):
        off = x**2 + y**2 - 2 * x * y * np.cos(phi) - amplitude**2 * np.sin(phi) ** 2
        assert_allclose(off, 0.0, atol=1e-9 * amplitude**2)
    width = np.abs(plane.loop_target - plane.loop_measured).max() / np.sqrt(2)
    assert plane.half_width == pytest.approx(width, rel=1e-3)
    shoelace = tracking_indicator(plane.loop_target, plane.loop_measured, H)[-1]
    assert plane.area == pytest.approx(shoelace, rel=1e-3, abs=1e-9)


def test_the_limit_loop_takes_the_frequency_and_amplitude_it_is_given():
    c = np.sin(CYCLE)
    plane = synchronisation_subspace(c, c, H, delay=0.00677, frequency=7.116, amplitude=0.01)
    assert plane.area == pytest.approx(np.pi * 1e-4 * np.sin(2 * np.pi * 7.116 * 0.00677))
    assert np.abs(plane.loop_target).max() == pytest.approx(0.01)


def test_every_file_is_an_index_found_by_its_name():
    assert "nrmse" in metric_names()
    for name in metric_names():
        assert metric(name).__name__ == name
        assert metric(name).__doc__
    with pytest.raises(InputError, match="Use one of"):
        metric("speed")


PAIRS = ["maximum_tracking_error", "rms_tracking_error", "tracking_indicator",
         "frequency_evaluation_index", "delay_over_time"]  # fmt: skip


@pytest.mark.parametrize("name", PAIRS)
def test_damaged_signals_are_refused_by_every_index(name):
    c = np.sin(np.arange(4096) * H)
    with pytest.raises(InputError, match="do not match"):
        metric(name)(c, c[:-1], H)
    with pytest.raises(InputError, match="finite"):
        metric(name)(c, np.where(c > 0.5, np.inf, c), H)
    with pytest.raises(InputError, match="step"):
        metric(name)(c, c, -1.0)


def test_a_target_at_rest_has_no_relative_error():
    rest = np.zeros(100)
    for index in (rms_tracking_error, frequency_evaluation_index):
        with pytest.raises(InputError, match="target"):
            index(rest, rest + 1, H)
    with pytest.raises(InputError, match="reference"):
        nrmse(rest, rest, H)
    with pytest.raises(InputError, match="does not move"):
        synchronisation_subspace(rest, rest, H, delay=0.01)
