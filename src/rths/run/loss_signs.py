"""Signs in a record that its loop was about to be lost, though it ran to its end.

    fast      rms of the command's speed > FASTER times that of the target's                     (1)
    content   rms of the command above f_c, late > RISE times early, and > SHARE of the peak     (2)
    error     rms of the tracking error over that of the target, late > RISE times before        (3)

f_c is twice the highest frequency of the structure: what moves faster comes from the loop itself.
Early is the first half of the record, late its last quarter. A record is looked at in some windows
all over it, so that a long one costs no more than a short one. No limit says any of this, and a
certificate of a plan is not one of the rig.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import pi

import numpy as np
from numpy.typing import NDArray

from rths.equation import EquationOfMotion

Array = NDArray[np.float64]
Read = Callable[[slice], Array]
"""Gives some rows of a signal, a column for each channel."""
WINDOWS, MOST_ROWS, LEAST_ROWS = 16, 4096, 64
"""Windows that are looked at, most rows of one, a few periods of a slow test, and least."""
FASTER = 3.0
"""Factor of (1): compensation leads a motion, and does not make it three times as fast."""
RISE = 3.0
"""Factor of (2) and (3): windows of a steady test differ by less than two."""
SHARE, MISSED = 0.01, 0.05
"""Parts of the peak from which (2) matters, and of the target from which (3) does."""


@dataclass(frozen=True)
class LossSign:
    """One sign: the channel, which of them, and what was seen."""

    channel: int
    sign: str
    words: str


def highest_frequency(equation: EquationOfMotion) -> float:
    """Highest frequency of a structure by itself, Hz."""
    squares = np.linalg.eigvals(np.linalg.solve(equation.M, equation.K))
    return float(np.sqrt(np.abs(squares).max(initial=0.0)) / (2 * pi))


def find_loss_signs(
    read: Mapping[str, Read], rows: int, tick: float, highest: float
) -> list[LossSign]:
    """Look for (1) to (3); ``read`` has target, command and measured, ``highest`` is in Hz."""
    length = min(MOST_ROWS, rows // WINDOWS)
    if length < LEAST_ROWS:
        return []
    starts = np.linspace(0, rows - length, WINDOWS).astype(int).tolist()
    parts = {k: np.array([r(slice(s, s + length)) for s in starts]) for k, r in read.items()}
    found = []
    for c in range(parts["target"].shape[2]):
        target, command, measured = (parts[k][:, :, c] for k in ("target", "command", "measured"))
        words = {
            "fast": _speed_words(target, command, tick),
            "content": _content_words(target, command, tick, 2 * highest),
            "error": _error_words(target, measured),
        }
        found += [LossSign(c, sign, text) for sign, text in words.items() if text]
    return found


def _rms(x: Array) -> Array:
    return np.asarray(np.sqrt(np.mean(x * x, axis=-1)))


def _speed_words(target: Array, command: Array, tick: float) -> str:
    """(1)."""
    wanted, sent = (float(_rms(np.diff(x).ravel())) / tick for x in (target, command))
    if not sent > FASTER * wanted > 0:
        return ""
    return f"the command moves {sent / wanted:.3g} times as fast as the target ({sent:.3g} m/s rms)"


def _content_words(target: Array, command: Array, tick: float, edge: float) -> str:
    """(2)."""
    frequencies = np.fft.rfftfreq(command.shape[1], tick)
    above = frequencies > edge
    peak = float(np.abs(target - target.mean()).max())
    if not above.any() or not peak:
        return ""
    window = np.hanning(command.shape[1])
    spectrum = np.fft.rfft((command - command.mean(axis=1, keepdims=True)) * window)[:, above]
    content = np.sqrt(2 * np.sum(np.abs(spectrum) ** 2, axis=1) / (window @ window) / window.size)
    # the median, but NumPy's own brings its masked arrays along: a tenth of the time of a short run
    early, late = float(np.sort(content[: WINDOWS // 2])[WINDOWS // 4]), content[-WINDOWS // 4 :]
    most = float(late.max())
    if most < max(SHARE * peak, RISE * early):
        return ""
    loudest = np.abs(spectrum[-WINDOWS // 4 :]).max(axis=0).argmax()
    at = float(frequencies[above][loudest])
    size = f"{1e3 * most:.3g} mm rms at {at:.4g} Hz"
    return f"the command moves by {size}, above all modes, and more so late"


def _error_words(target: Array, measured: Array) -> str:
    """(3)."""
    floor = MISSED * float(np.abs(target).max())
    share = _rms(measured - target) / np.maximum(_rms(target), max(floor, 1e-300))
    before, late = float(share[: -WINDOWS // 4].max()), float(share[-WINDOWS // 4 :].max())
    if late < max(MISSED, RISE * before):
        return ""
    grown = f"{100 * late:.3g} % of the target, {100 * before:.3g} % before"
    return f"the tracking error grows late: {grown}"
