"""Noise with a flat spectrum between two frequencies and nothing outside.

    e(t) = r(t) sum_k ( a_k cos 2 pi f_k t + b_k sin 2 pi f_k t ),   f_k = k/T in [f_l, f_h]  (1)

a_k, b_k are normal random numbers of one variance, scaled so that the rms of the sum over T is the
wanted one exactly. r(t) grows from 0 to 1 and falls back to 0 as a half cosine over the ramp; after
T the signal is zero. (1) is a function of time: another step of the integrator samples the same
noise, and the seed of the test decides which.

Use it for frequency responses of the whole loop, and for tests of compensators without a favourite
frequency.

[shinozuka1991] Appl. Mech. Rev. 44(4), 191-204.
"""

from __future__ import annotations

import numpy as np

from rths.errors import InputError
from rths.excitation.base import (
    ROUND_OFF,
    Excitation,
    count_samples,
    describe,
    harmonic_sum,
    play_samples,
    register,
)
from rths.loop.block import Block, Vector
from rths.quantity import Amplitude, Duration, Hertz, Seconds
from rths.site import Site


@register
@describe
class BandLimitedNoise(Excitation):
    """Seeded Gaussian noise of a given rms."""

    cites = ("shinozuka1991",)
    example = {"rms": 1.0, "lowest_frequency": 1.0, "highest_frequency": 20.0, "length": 0.2}

    rms: Amplitude
    """Root mean square of the noise without its ramps, in m/s², N or m, as the signal acts."""
    lowest_frequency: Hertz
    """Lower end f_l of the band, Hz."""
    highest_frequency: Hertz
    """Upper end f_h of the band, Hz."""
    length: Duration
    """Length T of the noise, s; zero after."""
    ramp: Seconds = 0.0
    """Time in which the noise grows at the start and fades at the end, s."""

    def __post_init__(self) -> None:
        """Check that there is something in the band."""
        if self.lines().size == 0:
            raise InputError(
                "excitation.highest_frequency",
                self.highest_frequency,
                f"leaves no multiple of 1/length above {self.lowest_frequency:g} Hz",
                "Widen the band or lengthen the noise.",
            )
        if 2 * self.ramp > self.length:
            raise InputError(
                "excitation.ramp",
                self.ramp,
                f"does not fit twice into {self.length:g} s",
                "Shorten the ramp.",
            )

    def lines(self) -> Vector:
        """Give the frequencies f_k of (1)."""
        T = self.length
        first, last = self.lowest_frequency * T - ROUND_OFF, self.highest_frequency * T + ROUND_OFF
        return np.arange(max(1, np.ceil(first)), np.floor(last) + 1) / T

    def samples(self, interval: float, seed: int) -> Vector:
        """Sample (1), for a support motion with its derivative, at multiples of the interval."""
        f, T = self.lines(), self.length
        if 2 * f[-1] * interval > 1:
            raise InputError(
                "excitation.highest_frequency",
                self.highest_frequency,
                f"is above half the sampling rate of the integrator, {0.5 / interval:g} Hz",
                "Lower it or shorten the step.",
            )
        c = np.random.default_rng(seed).normal(size=(f.size, 2)) @ np.array([1, -1j])
        c *= self.rms * np.sqrt(2 / np.sum(np.abs(c) ** 2))
        count = count_samples(T, interval)
        t = interval * np.arange(count)
        inside = np.clip(np.minimum(t, T - t) / self.ramp, 0, 1) if self.ramp else np.ones(count)
        r = (1 - np.cos(np.pi * inside)) / 2
        e = harmonic_sum(c, f, interval, count)
        if self.outputs == 1:
            return r * e
        slope = harmonic_sum(2j * np.pi * f * c, f, interval, count)
        rate = np.where(t < T / 2, 1, -1) * np.sin(np.pi * inside) * np.pi / 2
        rate = rate / self.ramp if self.ramp else np.zeros(count)
        return np.column_stack([r * e, r * slope + rate * e])

    def block(self, site: Site) -> Block:
        """Yield the block that plays the samples."""
        return play_samples(self.samples(site.interval, site.seed))
