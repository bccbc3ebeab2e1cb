"""Frequency response and coherence from the averaged spectra of overlapping segments (Welch).

    S_xy = Σ_s conj(X_s) Y_s,   H = S_xy/S_xx,   γ² = |S_xy|²/(S_xx S_yy)                     (1)

with X_s, Y_s the spectra of segment s after its mean is taken out and a Hann window put on. H is
free of bias from noise on the measured signal. The coherence γ² is 1 where the measured signal
follows from the target alone; noise, nonlinearity and a delay that is not short against the segment
lower it. With one segment it would be 1 for any data, so at least two are asked for.

P. D. Welch, IEEE Trans. Audio Electroacoust. 15(2), 1967, 70-73.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rths.errors import InputError
from rths.identification.signal_pair import Array, signal_pair


@dataclass(frozen=True, eq=False)
class FrequencyResponse:
    """Complex response and coherence at the frequencies (Hz), from that many segments."""

    frequencies: Array
    response: NDArray[np.complex128]
    coherence: Array
    segments: int

    @property
    def gain(self) -> Array:
        """|H|."""
        return np.abs(self.response)

    @property
    def phase(self) -> Array:
        """Unwrapped phase in radians, from the lowest frequency on."""
        return np.unwrap(np.angle(self.response))

    @property
    def delay(self) -> Array:
        """Phase delay in seconds; not a number at zero frequency."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(
                self.frequencies > 0.0, -self.phase / (2.0 * np.pi * self.frequencies), np.nan
            )

    def select_band(self, lowest: float, highest: float) -> FrequencyResponse:
        """The part between two frequencies (Hz), ends included."""
        inside = (self.frequencies >= lowest) & (self.frequencies <= highest)
        if not inside.any():
            remedy = f"The data reach from {self.frequencies[0]:g} to {self.frequencies[-1]:g} Hz."
            raise InputError("band", (lowest, highest), "holds no point of the response", remedy)
        return FrequencyResponse(
            self.frequencies[inside], self.response[inside], self.coherence[inside], self.segments
        )


def frequency_response(
    target: ArrayLike, measured: ArrayLike, step: float, *, segment: float | None = None
) -> FrequencyResponse:
    """Response from target to measured; ``segment`` in seconds (an eighth of the record)."""
    x, y = signal_pair(target, measured, step)
    length = x.size // 8 if segment is None else round(segment / step)
    if not 8 <= length <= x.size // 3 * 2:
        raise InputError(
            "segment",
            segment,
            f"does not part {x.size * step:g} s into two segments or more of 8 samples or more",
            "Give a shorter segment or a longer record.",
        )
    starts = np.arange(0, x.size - length + 1, length - length // 2)
    window = 0.5 - 0.5 * np.cos(2.0 * np.pi * np.arange(length) / length)
    shape = (length // 2 + 1,)
    s_xx, s_yy, s_xy = np.zeros(shape), np.zeros(shape), np.zeros(shape, np.complex128)
    for start in starts:
        a, b = x[start : start + length], y[start : start + length]
        spectrum_x = np.fft.rfft(window * (a - a.mean()))
        spectrum_y = np.fft.rfft(window * (b - b.mean()))
        s_xx += np.abs(spectrum_x) ** 2
        s_yy += np.abs(spectrum_y) ** 2
        s_xy += np.conj(spectrum_x) * spectrum_y
    tiny = np.finfo(np.float64).tiny
    response = s_xy / np.maximum(s_xx, tiny)  # (1)
    coherence = np.abs(s_xy) ** 2 / np.maximum(s_xx * s_yy, tiny)
    frequencies = np.arange(length // 2 + 1, dtype=np.float64) / (length * step)
    return FrequencyResponse(frequencies, response, coherence, starts.size)
