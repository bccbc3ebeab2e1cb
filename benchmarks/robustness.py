"""How often the bound of the robust answer covers the truth.

    coverage = share of repetitions whose bound is not below P(k > k_c(τ))                     (1)
    D(z) = m (z - 2 + 1/z)/h² + c (z - 1/z)/2h + k_n,   L(z) = (1 - s) z^-n + s z^-(n+1)        (2)
    k_c = -D(z)/L(z),   z = exp(jθ) with the smallest θ at which this is real and positive      (3)

The rig of [wallace2005] with a lognormal delay τ = (n + s) h and a normal stiffness k that go
together. (2) is its characteristic equation D + k L = 0 under central differences, with a delay
line that interpolates between ticks: the critical stiffness (3) of a delay is exact to round-off,
and owes nothing to the loop that the answer is taken from. The truth is an integral over τ of the
conditional distribution of k, which for the Gaussian copula is known.
"""

from __future__ import annotations

from math import log

import numpy as np

from rths.assembly.hybrid_test import HybridTest
from rths.loop.block import Vector
from rths.registry import find
from rths.stability.correlation import draw_numbers
from rths.stability.distribution import LogNormal, Normal
from rths.stability.robustness import clopper_pearson

DELAY, STIFFNESS, CORRELATION = LogNormal(5.5e-3, 1.15), Normal(2250.0, 200.0), 0.7
CONFIDENCE = 0.95
TICK = 1e-3
MASS, DAMPING, NUMERICAL = 2.2, 15.0, 2250.0
"""m, c and k_n of (2)."""
HALVINGS = 60
"""Of an interval of θ, to round-off."""


def rig(stiffness: float, delay: float = 0.0) -> HybridTest:
    """The rig with an actuator that is late."""
    return HybridTest(
        excitation=find("excitation", "sine")(amplitude=0.005, frequency=1.5),
        structure=find("structure", "linear")(mass=MASS, damping=DAMPING, stiffness=NUMERICAL),
        integrator=find("integrator", "central_difference")(),
        compensator=find("compensator", "none")(),
        transfer=find("transfer", "dead_time")(delay=delay),
        specimen=find("specimen", "spring")(stiffness=stiffness),
        feedback=find("feedback", "direct")(),
        tick=TICK,
        duration=1.0,
    )


def critical_stiffness(delays: Vector) -> Vector:
    """k_c of (3) for each delay, N/m.

    At the resonance θ_0 of the structure alone the imaginary part of -D/L is that of its damping,
    below 0; where the spring is a quarter of a turn late it is m (θ/h)² - k_n, above 0 beyond θ_0.
    """
    whole = np.floor(delays / TICK)
    share = delays / TICK - whole
    resonance = TICK * np.sqrt(NUMERICAL / MASS)
    low, high = np.full(delays.shape, resonance), 0.5 * np.pi * TICK / delays
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        before = _stiffness(middle, whole, share).imag < 0
        low, high = np.where(before, middle, low), np.where(before, high, middle)
    return np.asarray(_stiffness(low, whole, share).real)


def _stiffness(theta: Vector, whole: Vector, share: Vector) -> Vector:
    """-D/L of (2) on the unit circle."""
    z = np.exp(1j * theta)
    own = MASS * (z - 2 + 1 / z) / TICK**2 + DAMPING * (z - 1 / z) / (2 * TICK) + NUMERICAL
    return np.asarray(-own / (((1 - share) + share / z) * z**-whole))


def is_lost(drawn: Vector) -> Vector:
    """Tell which rows of (delay, stiffness) are not stable."""
    return np.asarray(drawn[:, 1] > critical_stiffness(drawn[:, 0]))


def truth() -> float:
    """P of (1), by integration over the normal number behind τ."""
    from scipy.special import ndtr

    g = np.linspace(-6.0, 6.0, 4001)
    delays = DELAY.median * np.exp(log(DELAY.factor) * g)
    at = (critical_stiffness(delays) - STIFFNESS.mean) / STIFFNESS.deviation
    beyond = ndtr(-(at - CORRELATION * g) / np.sqrt(1 - CORRELATION**2))
    density = np.exp(-0.5 * g**2) / np.sqrt(2 * np.pi)
    return float(np.trapezoid(beyond * density, g))


def coverage(repetitions: int, samples: int, seed: int) -> float:
    """Share (1) of repetitions."""
    uncertain = {"transfer.delay": DELAY, "specimen.stiffness": STIFFNESS}
    together = {("transfer.delay", "specimen.stiffness"): CORRELATION}
    rng, exact, covered = np.random.default_rng(seed), truth(), 0
    for _ in range(repetitions):
        lost = int(is_lost(draw_numbers(uncertain, together, rng, samples)).sum())
        covered += clopper_pearson(lost, samples, CONFIDENCE) >= exact
    return covered / repetitions
