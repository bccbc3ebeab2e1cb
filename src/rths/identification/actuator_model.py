"""Linear models of an actuator, from command to measured motion, fitted to spectra or to time data.

    H(s) = gain · exp(-s delay) / (1 + a_1 s + a_2 s²)                                        (1)

Each model says which of these it has and how a_1 and a_2 follow from its parameters. A response in
frequency is fitted in the complex plane, each point weighted by its spread

    var H = |H|² (1 - γ²)/(2 γ² n)                                                            (2)

for coherence γ² and n segments; data without noise (γ² = 1) are weighted alike. Time data are
compared with the response of (1) from rest to the command, a straight line between samples.

Bendat & Piersol, Random Data, 4th ed. 2010, section 9.1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rths.identification.cross_correlation import delay_by_cross_correlation
from rths.identification.frequency_response import FrequencyResponse
from rths.identification.nonlinear_fit import Fit, nonlinear_fit
from rths.identification.ramp_response import ramp_response
from rths.identification.signal_pair import Array, signal_pair

SHORTEST = 1e-9  # s; keeps the denominator of a vanishing lag of its order


@dataclass(frozen=True)
class ActuatorModel:
    """Ranges of the parameters by name, (gain, delay, a_1, a_2) from them, and starts for a fit."""

    bounds: dict[str, tuple[float, float]]
    terms: Callable[[Array], tuple[float, float, float, float]]
    starts: Callable[[float, float], list[list[float]]]  # from gain and overall delay

    def response(self, parameters: Array, frequencies: ArrayLike) -> NDArray[np.complex128]:
        """H at the frequencies (Hz), equation (1)."""
        gain, delay, a1, a2 = self.terms(parameters)
        s = 2j * np.pi * np.asarray(frequencies, dtype=np.float64)
        return np.asarray(gain * np.exp(-s * delay) / (1.0 + a1 * s + a2 * s**2))

    def simulate(self, parameters: Array, command: Array, step: float) -> Array:
        """Response from rest to the sampled command."""
        gain, delay, a1, a2 = self.terms(parameters)
        times = step * np.arange(command.size)
        delayed: Array = gain * np.interp(times - delay, times, command, left=0.0)
        return ramp_response(delayed, step, a1, a2) if a1 > 0.0 else delayed

    def fit_response(self, measured: FrequencyResponse, confidence: float = 0.95) -> Fit:
        """Parameters from a measured frequency response."""
        f, h = measured.frequencies, measured.response
        spread = (1.0 - measured.coherence) / (2.0 * measured.coherence * measured.segments)
        error = np.sqrt(np.maximum(spread, 1e-12)) * np.abs(h)  # (2)
        weight = np.maximum(np.median(error), 1e-300) / np.maximum(error, 1e-300)
        turns = 2.0 * np.pi * f
        slope = -float(np.sum(weight**2 * turns * measured.phase) / np.sum((weight * turns) ** 2))

        def residuals(p: Array) -> Array:
            off = weight * (self.response(p, f) - h)
            return np.concatenate([off.real, off.imag])

        starts = self.starts(float(np.abs(h[np.argmin(f)])), max(slope, SHORTEST))
        return nonlinear_fit(residuals, starts, self.bounds, confidence)

    def fit_signals(
        self,
        target: ArrayLike,
        measured: ArrayLike,
        step: float,
        *,
        longest: float = 0.1,
        confidence: float = 0.95,
    ) -> Fit:
        """Parameters from the command and the measured motion of one test, from rest."""
        x, y = signal_pair(target, measured, step)
        rough = delay_by_cross_correlation(x, y, step, interpolated=True, longest=longest)
        starts = self.starts(float(np.std(y) / np.std(x)), max(rough, 0.5 * step))
        return nonlinear_fit(
            lambda p: self.simulate(p, x, step) - y, starts, self.bounds, confidence
        )
