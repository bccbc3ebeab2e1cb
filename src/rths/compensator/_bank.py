"""A bank of high-passes of bounded gain, and the inverses of plausible actuators in it.

    q = g (1 - z^-1)/(1 - p z^-1),   p = exp(-h/T),   g = (1 + p)/2,   |q(jω)| <= 1           (1)
    C = L sum_i w_i q^i,   i = 0...n,   L = 1/(1 + s/ω_L) (Tustin),   |C(jω)| <= sum |w_i|    (2)
    w = arg min sum_(ω <= ω_b) |C G - 1|² + ρ sum_(ω > ω_b) |C|²,   |C| <= γ                 (3)

At low frequency q is T s, so that (2) is a series in derivatives; at high frequency it is one,
where a series in derivatives grows without limit, and C falls with the lag L. (3) is the inverse of
an actuator G within the band ω_b: ρ is the least power of ten, by halves, that keeps the gain. A
delay known to a fifth belongs to many actuators, from a dead time over n equal lags to a single
one; the mean of their inverses is the first guess, their spread says in which directions, and how
far, the truth may lie.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import exp, inf, pi

import numpy as np
from numpy.typing import NDArray

from rths.loop.block import Vector

Complex = NDArray[np.complex128]
WRONG = (0.8, 1.0, 1.2)
"""True delays over the told one: cross-correlation of a short record is right to a fifth."""
LAGS = (0, 1, 2, 4)
"""Numbers of equal lags that share the delay; 0 is a dead time."""
GAIN_SPREAD = 0.03
"""Uncertainty of the actuator's static gain, as calibration leaves it."""
POINTS = 30
"""Frequencies in each of the two sums of (3)."""
LOWEST = 0.02
"""Lowest frequency of the first sum of (3) over ω_b: below it a delay turns by less than a fiftieth
of what it does at the edge, and every inverse is 1."""
LOWEST_GAIN = 0.1
"""Lowest frequency at which |C| <= γ is looked at, over ω_b: the gain rises towards the edge of the
band and beyond."""
REGULAR = 1e-10
"""Added to the second sum of (3), where all q^i come near 1 and are hardly told apart."""
POWERS = np.arange(-7.0, 3.0, 0.5)
"""Powers of ten that are tried for ρ, each for less gain: from one without effect on the fit to one
where little else counts. If none keeps the gain the last is taken."""
FLOOR = 1e-6
"""Share of all uncertainty that each weight has of its own, so that none is taken for known."""


@dataclass(frozen=True)
class Bank:
    """High-passes (1) with n + 1 taps."""

    size: int
    """n + 1, how many taps there are."""
    time: float
    """Time constant T, s."""
    interval: float
    """Time h between two calls, s."""
    rolled: float = inf
    """Edge of L, rad/s; infinite if there is none."""

    @property
    def keep(self) -> float:
        """Give p of (1)."""
        return exp(-self.interval / self.time)

    @property
    def difference_gain(self) -> float:
        """Give g of (1)."""
        return (1 + self.keep) / 2

    @property
    def slope(self) -> float:
        """Give dq/ds at s = 0, s."""
        return self.difference_gain * self.interval / (1 - self.keep)

    def respond(self, w: Vector) -> Complex:
        """Give L q^0...L q^n at the frequencies w, rad/s, a row each."""
        back = np.exp(-1j * w * self.interval)
        q = self.difference_gain * (1 - back) / (1 - self.keep * back)
        low = np.ones_like(back)
        if self.rolled < inf:
            low = (1 + back) / (1 + back + 2 / (self.rolled * self.interval) * (1 - back))
        return np.stack([low * q**i for i in range(self.size)], axis=1)


def spread_taps(y: Vector, keep: float, difference_gain: float, value: float) -> None:
    """Take a bank (1) one tick further: y_i = q^i of the values so far."""
    old = y[0]
    y[0] = value
    for i in range(1, y.size):
        kept = y[i]
        y[i] = difference_gain * (y[i - 1] - old) + keep * kept
        old = kept


def plausible_actuators(delay: float, w: Vector) -> Iterator[Complex]:
    """Give the responses of the actuators that a told delay may belong to."""
    s = 1j * w
    for share in WRONG:
        for n in LAGS:
            lag = share * delay / max(n, 1)
            yield np.asarray(np.exp(-s * lag) if n == 0 else (1 + s * lag) ** -n, complex)


def invert_plausible(bank: Bank, delay: float, band: float, gain: float) -> Vector:
    """Solve (3) for every plausible actuator; a row of weights each."""
    nyquist = pi / bank.interval
    top = min(band, nyquist / 2)
    w = np.geomspace(LOWEST * top, top, POINTS)
    inside, beyond = bank.respond(w), bank.respond(np.geomspace(top, nyquist, POINTS))
    everywhere = bank.respond(np.geomspace(LOWEST_GAIN * top, nyquist, 2 * POINTS))
    high = (beyond.conj().T @ beyond).real + REGULAR * np.eye(bank.size)
    found = []
    for response in plausible_actuators(delay, w):
        A = inside * response[:, None]
        square, right = (A.conj().T @ A).real, A.real.sum(axis=0)
        for power in POWERS:
            weights = np.linalg.solve(square + 10**power * high, right)  # (3)
            if np.abs(everywhere @ weights).max() <= gain:
                break
        found.append(weights)
    return np.array(found)


def guess_weights(
    bank: Bank, delay: float, band: float, gain: float, wider: float
) -> tuple[Vector, Vector]:
    """Give the mean of the plausible inverses, and the inverse of their covariance times wider²."""
    found = invert_plausible(bank, delay, band, gain)
    mean = found.mean(axis=0)
    covariance = wider**2 * np.cov(found.T) + np.outer(mean, mean) * GAIN_SPREAD**2
    covariance += FLOOR * np.trace(covariance) * np.eye(bank.size)
    return np.asarray(mean, float), np.asarray(np.linalg.inv(covariance), float)
