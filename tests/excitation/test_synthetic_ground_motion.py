from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.errors import InputError
from rths.excitation.synthetic_ground_motion import SyntheticGroundMotion


def test_its_peak_is_the_wanted_one(signal):
    for seed in range(5):
        a = signal(SyntheticGroundMotion(peak=3.2), 1e-3, 30000, seed=seed)
        assert_allclose(np.abs(a).max(), 3.2, rtol=1e-12)


@pytest.mark.parametrize("seed", [5, 6, 7])
def test_another_step_samples_the_same_earthquake(signal, seed):
    quake = SyntheticGroundMotion(peak=3.0)
    coarse, fine = signal(quake, 0.01, 3000, seed=seed), signal(quake, 0.0025, 12000, seed=seed)
    assert_allclose(coarse, fine[::4], atol=1e-9)


def test_one_seed_repeats_and_another_differs(signal):
    quake = SyntheticGroundMotion(peak=3.0)
    one, same, other = (signal(quake, 0.01, 2000, seed=s) for s in (1, 1, 2))
    assert np.array_equal(one, same)
    assert np.abs(np.corrcoef(one[:, 0], other[:, 0])[0, 1]) < 0.3


def test_the_spectrum_is_that_of_the_ground():
    """With an envelope of one throughout, the lines have exactly the power G."""
    quake = SyntheticGroundMotion(peak=1.0, length=20.0, rise=1e-9, strong=20.0)
    a = quake.samples(0.01, seed=4)[:2000]
    power = np.abs(np.fft.rfft(a)) ** 2
    f = np.fft.rfftfreq(2000, 0.01)
    inside = slice(1, 501)
    G = quake.spectrum(f[inside])
    # the envelope is 0 at t = 0 and 1 from the next sample on: one sample is missing
    assert_allclose(power[inside] / power[inside].sum(), G / G.sum(), rtol=0.2, atol=1e-4)
    assert power[502:].max() < 1e-3 * power.max()


def test_the_ground_layer_has_its_closed_form_peak():
    """Kanai-Tajimi alone peaks at r² = (sqrt(1 + 8 z²) - 1)/(4 z²)."""
    quake = SyntheticGroundMotion(peak=1.0, ground_frequency=4.0, high_pass_frequency=1e-3)
    f = np.linspace(0.01, 10.0, 100001)
    z = quake.ground_damping
    peak = 4.0 * np.sqrt((np.sqrt(1 + 8 * z**2) - 1) / (4 * z**2))
    assert_allclose(f[np.argmax(quake.spectrum(f))], peak, atol=2e-4)
    assert_allclose(quake.spectrum(np.array([4.0])), (1 + 4 * z**2) / (4 * z**2), rtol=1e-6)


def test_low_frequencies_are_taken_away_by_their_fourth_power():
    quake = SyntheticGroundMotion(peak=1.0)
    low = quake.spectrum(np.array([0.001, 0.002]))
    assert_allclose(low[1] / low[0], 16.0, rtol=1e-3)


def test_the_envelope_rises_stays_and_decays():
    quake = SyntheticGroundMotion(peak=1.0, rise=2.0, strong=10.0, decay=4.0)
    t = np.array([0.0, 1.0, 2.0, 6.0, 10.0, 14.0, 18.0])
    assert_allclose(quake.envelope(t), [0, 0.25, 1, 1, 1, np.exp(-1), np.exp(-2)], rtol=1e-12)


def test_the_strong_part_is_the_strong_part(signal):
    power = np.zeros(3000)
    for seed in range(12):
        power += signal(SyntheticGroundMotion(peak=1.0), 0.01, 3000, seed=seed)[:, 0] ** 2
    seconds = power.reshape(30, 100).mean(axis=1)
    assert seconds[0] < 0.3 * seconds[2:10].mean()
    assert seconds[18] < 0.1 * seconds[2:10].mean()


def test_after_its_length_there_is_nothing(signal):
    assert not signal(SyntheticGroundMotion(peak=1.0), 0.01, 100, first=3001).any()


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"rise": 12.0}, "rise <= strong <= length"),
        ({"strong": 40.0}, "rise <= strong <= length"),
        ({"highest_frequency": 0.01}, "no wave fits in"),
    ],
)
def test_times_and_bands_that_cannot_be_are_refused(change, complaint):
    with pytest.raises(InputError, match=complaint):
        SyntheticGroundMotion(peak=1.0, **change)


def test_its_last_bit_does_not_depend_on_the_threads_of_the_linear_algebra():
    program = (
        "from rths.excitation.synthetic_ground_motion import SyntheticGroundMotion as Quake;"
        "print(Quake(peak=1.0, length=20.0).samples(0.004, 3).tobytes().hex())"
    )
    told = [
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "OPENBLAS_NUM_THREADS": threads, "OMP_NUM_THREADS": threads},
            capture_output=True,
            check=True,
        ).stdout
        for threads in ("1", "2")
    ]
    assert told[0] == told[1]
