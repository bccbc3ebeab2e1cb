"""A synthetic earthquake: noise through the ground, under an envelope.

    a(t) = s E(t) sum_k sqrt(G(f_k)) cos(2 pi f_k t + phi_k),   f_k = k/T up to f_max         (1)
    G(f) = (1 + q²)/((1 - r²)² + q²)  *  p⁴/((1 - p²)² + 4 z_h² p²)                           (2)
    r = f/f_g,  q = 2 z_g r,  p = f/f_h
    E = (t/t_1)² up to t_1,   1 up to t_2,   exp(-(t - t_2)/t_3) after                        (3)

The first factor of (2) is the ground layer of Kanai and Tajimi with its frequency f_g and damping
z_g, the second takes away the low frequencies that would let the ground drift (Clough and Penzien).
The phases phi_k are random, the seed of the test decides them; s makes the largest |a| the wanted
peak. (1) is a function of time: another step of the integrator samples the same earthquake.

Use it for ensembles of earthquakes of one kind; firm ground f_g = 2.5 Hz, z_g = 0.6; soft lower.

[kanai1957], [tajimi1960], [clough1993]; envelope [amin1968]; sum [shinozuka1991].
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
    register,
)
from rths.loop.block import Block, Vector
from rths.quantity import Acceleration, Duration, Hertz, Positive
from rths.site import Site

PEAK_STEP = 1e-3
"""Step of the samples among which the peak is looked for, s, whatever the integrator's."""


@register
@describe
class SyntheticGroundMotion(Excitation):
    """Kanai-Tajimi noise with a rise, a strong part and a decay."""

    cites = ("kanai1957", "tajimi1960", "clough1993", "amin1968", "shinozuka1991")
    example = {"peak": 1.0}

    peak: Acceleration
    """Largest absolute acceleration, m/s²."""
    length: Duration = 30.0
    """Length T of the motion, s; zero after."""
    rise: Duration = 2.0
    """End t_1 of the rise, s."""
    strong: Duration = 10.0
    """End t_2 of the strong part, s."""
    decay: Duration = 4.0
    """Time constant t_3 of the decay, s."""
    ground_frequency: Hertz = 2.5
    """Frequency f_g of the ground layer, Hz."""
    ground_damping: Positive = 0.6
    """Damping ratio z_g of the ground layer."""
    high_pass_frequency: Hertz = 0.25
    """Frequency f_h below which the motion is taken away, Hz."""
    high_pass_damping: Positive = 0.6
    """Damping ratio z_h of that filter."""
    highest_frequency: Hertz = 25.0
    """Frequency f_max at which the spectrum is cut off, Hz."""

    def __post_init__(self) -> None:
        """Check the order of the times and that there is something in the band."""
        if not self.rise <= self.strong <= self.length:
            raise InputError(
                "excitation.strong",
                self.strong,
                f"does not lie between the rise {self.rise:g} s and the length {self.length:g} s",
                "Give rise <= strong <= length.",
            )
        if self.highest_frequency * self.length < 1:
            raise InputError(
                "excitation.highest_frequency",
                self.highest_frequency,
                "is below 1/length: no wave fits in",
                "Raise it or lengthen the motion.",
            )

    def spectrum(self, f: Vector) -> Vector:
        """Give the power spectrum G of (2), up to a factor."""
        q = (2 * self.ground_damping * f / self.ground_frequency) ** 2
        p = (f / self.high_pass_frequency) ** 2
        layer = (1 + q) / ((1 - (f / self.ground_frequency) ** 2) ** 2 + q)
        high_pass: Vector = p**2 / ((1 - p) ** 2 + 4 * self.high_pass_damping**2 * p)
        return layer * high_pass

    def envelope(self, t: Vector) -> Vector:
        """Give E of (3)."""
        after = np.exp(-np.maximum(t - self.strong, 0) / self.decay)
        return np.asarray(np.where(t < self.rise, (t / self.rise) ** 2, after), float)

    def samples(self, interval: float, seed: int) -> Vector:
        """Sample (1) at whole multiples of the interval."""
        peak = np.max(np.abs(self._shape(PEAK_STEP, seed)))
        return np.asarray(self.peak / peak * self._shape(interval, seed))

    def _shape(self, interval: float, seed: int) -> Vector:
        f = np.arange(1, int(self.highest_frequency * self.length + ROUND_OFF) + 1) / self.length
        phases = np.random.default_rng(seed).uniform(0, 2 * np.pi, f.size)
        count = count_samples(self.length, interval)
        a = harmonic_sum(np.sqrt(self.spectrum(f)) * np.exp(1j * phases), f, interval, count)
        return self.envelope(interval * np.arange(count, dtype=float)) * a

    def block(self, site: Site) -> Block:
        """Yield the block that plays the samples."""
        return self.play(self.samples(site.interval, site.seed), site.interval)
