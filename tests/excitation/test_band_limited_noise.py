from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.errors import InputError
from rths.excitation.band_limited_noise import BandLimitedNoise

H, T = 1 / 256, 40.0
BAND = {"rms": 0.7, "lowest_frequency": 2.0, "highest_frequency": 20.0, "length": T}
N = round(T / H)


def test_the_rms_over_its_length_is_exact(signal):
    e = signal(BandLimitedNoise(**BAND), H, N, seed=3)[:, 0]
    assert_allclose(np.sqrt(np.mean(e**2)), 0.7, rtol=1e-10)


def test_outside_its_band_there_is_nothing(signal):
    spectrum = np.abs(np.fft.rfft(signal(BandLimitedNoise(**BAND), H, N, seed=3)[:, 0]))
    f = np.fft.rfftfreq(N, H)
    inside = (f >= 2.0 - 1e-9) & (f <= 20.0 + 1e-9)
    assert spectrum[~inside].max() < 1e-9 * spectrum.max()
    assert np.all(spectrum[inside] > 0)


def test_inside_its_band_the_spectrum_is_flat_on_average(signal):
    power = 0.0
    for seed in range(20):
        e = signal(BandLimitedNoise(**BAND), H, N, seed=seed)[:, 0]
        power = power + np.abs(np.fft.rfft(e)) ** 2
    inside = power[80:801].reshape(7, -1).mean(axis=1)  # 2 to 20 Hz in seven parts
    # 20 seeds x 103 lines of two normal numbers each: a share scatters by 1/sqrt(2060)
    assert_allclose(inside / inside.mean(), 1.0, atol=4 / np.sqrt(2060))


def test_its_values_are_normally_distributed(signal):
    e = np.concatenate([signal(BandLimitedNoise(**BAND), H, N, seed=s)[::16, 0] for s in range(20)])
    assert abs(np.mean(e**4) / np.mean(e**2) ** 2 - 3) < 0.15
    assert abs(np.mean(e**3)) < 0.1 * 0.7**3


def test_another_step_samples_the_same_noise(signal):
    noise = BandLimitedNoise(**BAND, ramp=3.0, acting="support_displacement")
    coarse, fine = signal(noise, 0.01, 4000, seed=5), signal(noise, 0.002, 20000, seed=5)
    assert_allclose(coarse, fine[::5], atol=1e-9)


def test_the_velocity_is_the_derivative(signal):
    noise = BandLimitedNoise(**BAND, ramp=3.0, acting="support_displacement")
    e = signal(noise, 1e-4, 10000, first=30000)
    slope = (e[2:, 0] - e[:-2, 0]) / 2e-4
    # (w h)²/6 at 20 Hz is 3e-5 of a velocity of some 100
    assert_allclose(e[1:-1, 1], slope, atol=0.01)
    start = signal(noise, 1e-4, 20000)
    assert_allclose(start[1:-1, 1], (start[2:, 0] - start[:-2, 0]) / 2e-4, atol=0.01)


def test_the_ramp_begins_and_ends_at_rest(signal):
    noise = BandLimitedNoise(**BAND, ramp=3.0, acting="support_displacement")
    e = signal(noise, H, N + 1)
    assert_allclose(e[0], 0, atol=1e-12)
    assert_allclose(e[N], 0, atol=1e-10)
    plain = signal(BandLimitedNoise(**BAND), H, N + 1)[:, 0]
    middle = slice(round(3 / H), round(37 / H))
    assert_allclose(e[middle, 0], plain[middle], atol=1e-12)


def test_one_seed_repeats_and_another_differs(signal):
    noise = BandLimitedNoise(**BAND)
    one, same, other = (signal(noise, H, 500, seed=s) for s in (1, 1, 2))
    assert np.array_equal(one, same)
    assert np.abs(np.corrcoef(one[:, 0], other[:, 0])[0, 1]) < 0.5


def test_after_its_length_there_is_nothing(signal):
    assert not signal(BandLimitedNoise(**BAND), H, 100, first=N + 1).any()


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"highest_frequency": 1.0}, "Widen the band"),
        ({"length": 0.04, "lowest_frequency": 26.0, "highest_frequency": 40.0}, "Widen the band"),
        ({"ramp": 21.0}, "Shorten the ramp"),
    ],
)
def test_a_band_or_ramp_that_cannot_be_is_refused(change, complaint):
    with pytest.raises(InputError, match=complaint):
        BandLimitedNoise(**{**BAND, **change})


def test_a_band_above_half_the_sampling_rate_is_refused(signal):
    with pytest.raises(InputError, match="half the sampling rate"):
        signal(BandLimitedNoise(**BAND), 0.05, 10)
