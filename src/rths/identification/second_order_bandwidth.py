"""Second order and dead time from a bandwidth plot: two gains and the slope of the phase.

    |H(f)|^-2 = (1 - u)² + 4 ζ² u,   u = (f/f_0)²                                             (1)

With 1/f_0⁴ = a and (4ζ² - 2)/f_0² = b, equation (1) reads 1 + b f² + a f⁴: linear in a and b, so
that two gains fix f_0 and ζ. The slope of the phase is that of the least-squares line through the
origin from zero to the cut-off ω_c; the dead time makes up what the second order leaves of it:

    T = S - 3/ω_c³ ∫ φ(ω) ω dω,   φ = atan2(2ζ ω/ω_0, 1 - (ω/ω_0)²),   0 <= ω <= ω_c          (2)

[carrion2006] figure 4: -3 dB at 28.7 Hz, 0.94 at 15 Hz, slope 12.4 ms.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rths.errors import InputError


@dataclass(frozen=True)
class SecondOrder:
    """Natural frequency (Hz), damping ratio and dead time (s) of an actuator."""

    frequency: float
    damping: float
    dead_time: float

    def response(self, frequencies: np.typing.ArrayLike) -> np.typing.NDArray[np.complex128]:
        """H at the frequencies (Hz), dead time included."""
        f = np.asarray(frequencies, dtype=np.float64)
        u = f / self.frequency
        h = np.exp(-2j * np.pi * f * self.dead_time) / (1 - u**2 + 2j * self.damping * u)
        return np.asarray(h, dtype=np.complex128)


def second_order_from_bandwidth(
    cutoff: float, frequency: float, gain: float, slope: float, cutoff_gain: float = 0.5**0.5
) -> SecondOrder:
    """Actuator with ``cutoff_gain`` at ``cutoff``, ``gain`` at ``frequency`` and that phase slope.

    Frequencies in Hz, gains relative to the static one, slope in seconds (a delay is positive).
    """
    if not 0.0 < frequency < cutoff < np.inf:
        remedy = "Read the second gain between zero and the cut-off."
        raise InputError("frequency", frequency, f"is not below the cut-off {cutoff:g} Hz", remedy)
    f2 = np.array([cutoff**2, frequency**2])
    wanted = np.array([cutoff_gain, gain]) ** -2.0 - 1.0
    b, a = np.linalg.solve(np.column_stack([f2, f2**2]), wanted)
    damping2 = (b / np.sqrt(a) + 2.0) / 4.0 if a > 0.0 else -1.0
    if damping2 <= 0.0:
        remedy = "Check both gains: they are relative to the static one."
        raise InputError("gain", gain, "fits no second-order system with that cut-off", remedy)
    natural, damping = float(a**-0.25), float(np.sqrt(damping2))
    dead_time = slope - _slope(natural, damping, cutoff)
    if dead_time < 0.0:
        problem = "is less than the second order alone gives"
        raise InputError("slope", slope, problem, "Check the slope of the phase, in seconds.")
    return SecondOrder(natural, damping, dead_time)


def _slope(natural: float, damping: float, cutoff: float) -> float:
    """The integral of equation (2), by Gauss' rule."""
    nodes, weights = np.polynomial.legendre.leggauss(60)
    v = 0.5 * (nodes + 1.0)  # ω/ω_c
    u = v * cutoff / natural
    phase = np.arctan2(2.0 * damping * u, 1.0 - u**2)
    return float(3.0 * np.sum(0.5 * weights * phase * v) / (2.0 * np.pi * cutoff))
