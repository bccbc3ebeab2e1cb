"""Amplitude and delay of the tracking, as means over the spectrum of the target.

    FEI = Σ_j (M_j/C_j) |C_j|^l / Σ_j |C_j|^l,     f_eq = Σ_j f_j |C_j|^l / Σ_j |C_j|^l        (1)
    amplitude = |FEI|,   delay = -arg(FEI)/(2π f_eq)                                          (2)

C_j, M_j are the Fourier coefficients of target and measured displacement at f_j > 0, l = 2. Perfect
tracking gives amplitude 1 and delay 0; a positive delay is a lag. For many frequencies at once (2)
is a mean, good while 2π f τ stays well below one where the target has its power.

T. Guo, C. Chen, W. J. Xu, F. Sanchez, Smart Mater. Struct. 23(4), 2014, 045042.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from rths.errors import InputError
from rths.identification.signal_pair import signal_pair
from rths.metrics._declaration import Declaration, declare


class FrequencyEvaluationIndex(NamedTuple):
    """Amplitude ratio, delay (s) and equivalent frequency (Hz)."""

    amplitude: float
    delay: float
    frequency: float


@declare(Declaration(units={"amplitude": "1", "delay": "s", "frequency": "Hz"}))
def frequency_evaluation_index(
    target: ArrayLike, measured: ArrayLike, step: float, *, power: float = 2.0
) -> FrequencyEvaluationIndex:
    """FEI of two signals; ``power`` is the exponent l of the weights."""
    c, m = signal_pair(target, measured, step)
    spectrum_c, spectrum_m = np.fft.rfft(c - c.mean())[1:], np.fft.rfft(m - m.mean())[1:]
    size = np.abs(spectrum_c)
    if not np.any(size > 0.0):
        remedy = "Choose a stretch of the test with motion."
        raise InputError("target", float(c[0]), "does not move", remedy)
    frequencies = np.arange(1, size.size + 1) / (c.size * step)
    # a line without content in the target is round-off and has no weight
    kept = size > 1e-13 * size.max()
    weights = size[kept] ** power / np.sum(size[kept] ** power)
    index = np.sum(weights * spectrum_m[kept] / spectrum_c[kept])  # (1)
    equivalent = float(np.sum(weights * frequencies[kept]))
    delay = -float(np.angle(index)) / (2.0 * np.pi * equivalent)  # (2)
    return FrequencyEvaluationIndex(float(np.abs(index)), delay, equivalent)
