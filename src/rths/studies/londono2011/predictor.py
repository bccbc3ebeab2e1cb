"""The adaptive filter that predicts the command 15 samples ahead, mended and as printed.

    w <- (1 - mu) w + 2 mu e x,   e = d - y,   x the buffer of the prediction      as printed   (1)

L21: a sine of 2 Hz and unit amplitude at 1 kHz, ten weights from (1, 0, ...).

[londono2011] eqs (1) to (4).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rths.compensator.lms import Lms
from rths.loop.solo import respond
from rths.site import Site

Signal = NDArray[np.float64]
TICK, AHEAD, TAPS = 1e-3, 15, 10
"""Sampling, s, samples of prediction, and number of weights, as above."""


def sine(seconds: float = 10.0, frequency: float = 2.0) -> Signal:
    """Sample the command."""
    t = TICK * np.arange(round(seconds / TICK), dtype=np.float64)
    return np.asarray(np.sin(2 * np.pi * frequency * t))


def sweep(low: float = 0.5, high: float = 4.0) -> Signal:
    """Sweep up in 5 s and back in 5 s, as the laboratory did."""
    t = TICK * np.arange(round(10 / TICK), dtype=np.float64)
    rate = low + (high - low) * (1 - np.abs(t / 5 - 1))
    return np.asarray(np.sin(2 * np.pi * TICK * np.cumsum(rate)))


def predict(target: Signal, rate: float, normalised: bool) -> Signal:
    """Predict with the compensator of the package, as it runs in a test."""
    lms = Lms(delay=AHEAD * TICK, taps=TAPS, rate=rate, normalised=normalised)
    return respond(lms.block(Site(tick=TICK, interval=TICK)), target)[:, 0]


def predict_as_printed(target: Signal, rate: float) -> Signal:
    """Predict by (1)."""
    w = np.append(1.0, np.zeros(TAPS - 1))
    x = np.concatenate([np.zeros(AHEAD + TAPS), target])
    command = np.empty(target.size)
    for k in range(target.size):
        i = k + AHEAD + TAPS
        now, past = x[i : i - TAPS : -1], x[i - AHEAD : i - AHEAD - TAPS : -1]
        command[k] = w @ now
        w = (1 - rate) * w + 2 * rate * (w @ past - x[i]) * now  # (1)
    return command


def delay_command(command: Signal) -> Signal:
    """Delay the command by the 15 samples of the actuator."""
    return np.concatenate([np.zeros(AHEAD), command[:-AHEAD]])


def late_error(command: Signal, target: Signal) -> float:
    """Give the relative rms of what arrives against what was wanted, from 5 s on."""
    late = slice(round(5 / TICK), None)
    off = (delay_command(command) - target)[late]
    return float(np.sqrt(np.mean(off**2) / np.mean(target[late] ** 2)))
