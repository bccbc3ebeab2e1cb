"""Growth rate and frequency of the strongest oscillation in a free response.

    y_k = Σ_j a_j z_j^k,   z = exp((σ + iω) h)                                                (1)

The z_j are the eigenvalues of the shift between the columns of the signal's Hankel matrix, within
the space of its largest singular vectors (matrix pencil). Of all the terms the one with the most
energy counts. Exact for sums of exponentials without noise: A e^(σt) cos(ωt + φ) returns σ and ω to
round-off. Of a long record the end with more energy is used: the late one of a growing response,
the early one of a decaying.

Y. Hua, T. K. Sarkar, IEEE Trans. Acoust. Speech Signal Process. 38(5), 1990, 814-824.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from rths.errors import InputError
from rths.identification.signal_pair import Array, signal
from rths.metrics._declaration import Declaration, declare

ROWS = 400  # samples the pencil works on; more would only cost time


class GrowthRate(NamedTuple):
    """σ (1/s, negative for decay) and frequency ω/2π (Hz)."""

    rate: float
    frequency: float


@declare(Declaration(units={"rate": "1/s", "frequency": "Hz"}))
def growth_rate(response: ArrayLike, step: float, *, threshold: float = 1e-9) -> GrowthRate:
    """Rate of the strongest term; singular values below ``threshold`` of the largest are noise."""
    y = signal("response", response)
    if not 0.0 < step < np.inf:
        raise InputError("step", step, "is no time step", "Give seconds above zero.")
    size = np.abs(y).max()
    if size == 0.0 or y.size < 8:
        remedy = "Choose a stretch of 8 samples or more with free motion."
        raise InputError("response", y.size, "samples show no motion", remedy)
    stride = _stride(y)
    z, share = _strongest_term(y[::stride] / size, threshold)
    if share < 1e-6:
        remedy = "Choose a stretch of free motion, without the load."
        raise InputError("response", y.size, "samples show no exponential motion", remedy)
    exponent = np.log(z) / (stride * step)
    return GrowthRate(float(exponent.real), abs(float(exponent.imag)) / (2.0 * np.pi))


def _stride(y: Array) -> int:
    """Every how many samples are enough: ten in the strongest period of a long record."""
    spectrum = np.abs(np.fft.rfft(y * np.hanning(y.size)))
    turns = max(int(np.argmax(spectrum[1:])) + 1, 1)
    per_period = y.size / turns
    return int(max(1, min(per_period // 10, max(1, y.size // 32)))) if y.size > ROWS else 1


def _strongest_term(y: Array, threshold: float) -> tuple[complex, float]:
    """The z of the term with most energy, and its share of the energy."""
    half = y.size // 2
    grows = np.sum(y[half:] ** 2) > np.sum(y[:half] ** 2)
    y = y[-3 * ROWS :] if grows else y[: 3 * ROWS]
    width = y.size // 2 if y.size <= ROWS else ROWS // 2
    hankel = np.lib.stride_tricks.sliding_window_view(y, width + 1)
    _, s, vh = np.linalg.svd(hankel, full_matrices=False)
    order = int(np.clip(np.count_nonzero(s > threshold * s[0]), 1, width // 2))
    v = vh[:order].T
    z = np.linalg.eigvals(np.linalg.lstsq(v[:-1], v[1:], rcond=None)[0]).astype(np.complex128)
    z = z[np.abs(z) > 0.0]
    k = np.arange(y.size)[:, None]
    # terms counted from the end where they are largest, so that no power overflows
    anchor = np.where(np.abs(z) > 1.0, y.size - 1, 0)
    terms = np.exp((k - anchor) * np.log(z))  # a power of a tiny z would be 1/0
    a = np.linalg.lstsq(terms, y.astype(np.complex128), rcond=None)[0]
    energy = np.sum(np.abs(a * terms) ** 2, axis=0)
    best = int(np.argmax(energy))
    return complex(z[best]), float(energy[best] / np.sum(y**2))
