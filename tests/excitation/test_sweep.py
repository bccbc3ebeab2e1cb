from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.signal import chirp

from rths.errors import InputError
from rths.excitation.sine import Sine
from rths.excitation.sweep import Sweep

H = 1e-3
CASES = [(0.5, 8.0), (8.0, 0.5)]  # up and down


def sweep(f_0, f_1, spacing="linear", **given):
    return Sweep(
        amplitude=3.0, start_frequency=f_0, end_frequency=f_1, length=10.0, spacing=spacing, **given
    )


@pytest.mark.parametrize(("f_0", "f_1"), CASES)
@pytest.mark.parametrize("spacing", ["linear", "logarithmic"])
def test_it_is_the_chirp_of_another_implementation(signal, f_0, f_1, spacing):
    t = H * np.arange(10001)
    e = signal(sweep(f_0, f_1, spacing), H, 10001)[:, 0]
    expected = 3 * chirp(t, f_0, 10.0, f_1, method=spacing, phi=-90)
    assert_allclose(e, expected, atol=1e-9)


@pytest.mark.parametrize(("f_0", "f_1"), CASES)
@pytest.mark.parametrize("spacing", ["linear", "logarithmic"])
@pytest.mark.parametrize("back", [False, True])
def test_the_velocity_is_the_derivative(signal, f_0, f_1, spacing, back):
    e = signal(sweep(f_0, f_1, spacing, back=back, acting="support_displacement"), H, 9000)
    slope = (e[2:, 0] - e[:-2, 0]) / (2 * H)
    # a central difference falls short by (w h)²/6 of the velocity
    assert_allclose(slope, e[1:-1, 1], atol=3 * 2 * np.pi * 8 * (2 * np.pi * 8 * H) ** 2 / 5)


@pytest.mark.parametrize(
    ("spacing", "cycles"), [("linear", 42.5), ("logarithmic", 7.5 * 10 / np.log(16))]
)
def test_there_and_back_is_the_sweep_and_its_mirror(signal, spacing, cycles):
    e = signal(sweep(0.5, 8.0, spacing, back=True), H, 20001)[:, 0]
    only = signal(sweep(0.5, 8.0, spacing), H, 10001)[:, 0]
    assert np.array_equal(e[:10001], only)
    # sin(2 P - Phi), P the phase at the turn: sin and cos of Phi are the sweep's own, run backwards
    t, P = H * np.arange(10001)[::-1], 2 * np.pi * cycles
    sine, cosine = (chirp(t, 0.5, 10.0, 8.0, method=spacing, phi=p) for p in (-90, 0))
    expected = 3 * (np.sin(2 * P) * cosine - np.cos(2 * P) * sine)
    assert_allclose(e[10000:], expected, atol=1e-9)


def crossings(e):
    """Frequencies between upward zero crossings."""
    up = np.flatnonzero((e[:-1] < 0) & (e[1:] >= 0))
    return 1 / (np.diff(up - e[up] / (e[up + 1] - e[up])) * H)


def test_the_frequency_runs_as_it_should(signal):
    f = crossings(signal(sweep(1.0, 9.0), H, 10001)[:, 0])
    assert np.all(np.diff(f) > 0)
    f = crossings(signal(sweep(9.0, 1.0, "logarithmic"), H, 10001)[:, 0])
    assert np.all(np.diff(f) < 0)


@pytest.mark.parametrize("back", [False, True])
def test_after_the_end_there_is_nothing(signal, back):
    e = signal(sweep(1.3, 7.7, back=back), H, 21000)[:, 0]
    end = 20000 if back else 10000
    assert e[end - 3 : end + 1].any()
    assert not e[end + 1 :].any()


@pytest.mark.parametrize("spacing", ["linear", "logarithmic"])
def test_equal_frequencies_are_a_sine(signal, spacing):
    e = signal(sweep(2.0, 2.0, spacing), H, 5000)
    assert_allclose(e, signal(Sine(amplitude=3.0, frequency=2.0), H, 5000), atol=1e-10)


@pytest.mark.parametrize("back", [False, True])
def test_with_a_ramp_it_begins_and_ends_at_rest_and_its_velocity_is_its_slope(signal, back):
    given = {"amplitude": 0.002, "start_frequency": 1.0, "end_frequency": 6.0, "length": 1.0}
    sweep = Sweep(**given, ramp=0.3, back=back, acting="support_displacement")
    h = 1e-4
    e = signal(sweep, h, 22001 if back else 11001)
    end = 20000 if back else 10000
    assert np.abs(e[[0, end]]).max() < 1e-12
    assert not e[end + 1 :].any()
    # a central difference is off by h times the jump of e'' at most, where a ramp or a way ends
    jump = 0.002 * ((np.pi / 0.3) ** 2 + 4 * np.pi * 5)
    slope = (e[2:end, 0] - e[: end - 2, 0]) / (2 * h)
    assert_allclose(e[1 : end - 1, 1], slope, atol=h * jump)
    plain = signal(Sweep(**given, back=back), h, 11001)
    assert_allclose(e[3001:7000, 0], plain[3001:7000, 0], rtol=1e-12)


def test_a_ramp_that_does_not_fit_is_refused():
    with pytest.raises(InputError, match="twice"):
        Sweep(amplitude=1.0, start_frequency=1.0, end_frequency=2.0, length=1.0, ramp=0.6)
