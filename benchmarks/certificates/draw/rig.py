"""The numbers that the tables of a random plan share: sizes, times and how late the actuator is.

    ω_1: slowest mode of structure and specimens,   k: stiffness of a specimen                 (1)
    τ_c = 2 ζ ω_1 / (φ' L' k L φ),   φ' M φ = 1                                               (2)

(2) is the delay at which the negative damping k τ of the specimens has used up that of the slowest
mode. Delays are drawn about it, so that about half of the uncompensated plans are lost.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import exp, log, pi
from typing import Any

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
TICKS = (1 / 512, 0.001, 1 / 1024, 0.0005, 1 / 2048, 1 / 4096)
"""Ticks of laboratory controllers, s."""
FEWEST_TICKS, MOST_TICKS = 60, 1000
"""Ticks in a period of the fastest mode at least, for any integrator, and in one of the slowest at
most, so that a hundred periods are simulated in less than a second."""
LATEST = 0.3
"""Longest delay, in periods of the slowest mode: beyond it even a predictor has lost the motion."""
LONGEST = 0.08
"""Longest delay, s: twice that of the slowest actuators."""
PUBLISHED = {
    "wallace2005": (np.array([2.2]), np.array([2250.0]), 0.1066, (0,)),
    "londono2011_sdof": (np.array([1000.0]), np.array([5e5]), 0.03, (0,)),
}
"""Masses, storeys, damping ratio and interface of structures that plans call by name."""
FRAMES = {
    "frame": (np.array([24_000.0]), np.array([4.81e6]), 0.02, (0,)),
    "reduced_frame": (np.array([24_000.0]), np.array([5.49e6]), 0.02, (0,)),
}
"""The same of the slowest mode of the frames that come with the package, by the kind of each."""
FRAME_FASTEST = 27.9
"""Fastest mode of these frames, Hz: their beam gets shorter and longer."""


class Dice:
    """Random numbers of the shapes that plans need."""

    def __init__(self, seed: int) -> None:
        self.generator = np.random.default_rng(seed)

    def between(self, low: float, high: float) -> float:
        """Draw with equal chances between two ends."""
        return float(self.generator.uniform(low, high))

    def spread(self, low: float, high: float) -> float:
        """Draw a positive number whose logarithm has equal chances: sizes, times, ratios."""
        return exp(self.between(log(low), log(high)))

    def chance(self, share: float) -> bool:
        """Tell whether something happens that does so in a share of all plans."""
        return bool(self.generator.random() < share)

    def choose(self, *of: Any) -> Any:
        """Draw one of several with equal chances."""
        return of[int(self.generator.integers(len(of)))]

    def weigh(self, weights: dict[str, float]) -> str:
        """Draw a name by its weight."""
        names, shares = list(weights), np.array(list(weights.values()), float)
        return str(self.generator.choice(names, p=shares / shares.sum()))

    def whole(self, low: int, high: int) -> int:
        """Draw a whole number, both ends included."""
        return int(self.generator.integers(low, high + 1))


@dataclass(frozen=True, eq=False)
class Rig:
    """What is common to the tables of one plan."""

    masses: Vector
    storeys: Vector
    """Stiffnesses of the storeys, N/m, from the ground up."""
    damping: float
    """Damping ratio of the numerical part."""
    interface: tuple[int, ...]
    """Floors that have an actuator."""
    stiffness: float
    """Stiffness k of each specimen, N/m."""
    tick: float
    stage: float
    """Time between two targets, s."""
    duration: float
    peak: float
    """Displacement that the test is meant to reach, m."""
    critical: float
    """Delay (2), s."""
    lateness: float
    """Delay of the actuators, s."""
    told: float
    """Delay that compensators are told, s."""
    slowest: float
    fastest: float
    """Frequencies of the slowest and the fastest mode with specimens, Hz."""
    named: str = ""
    """Name of the structure in the literature, or kind of a frame of the package, if it is one."""

    @property
    def channels(self) -> int:
        """Number of actuators."""
        return len(self.interface)

    @property
    def rate(self) -> float:
        """Circular frequency of the slowest mode, 1/s."""
        return 2 * pi * self.slowest

    @property
    def force(self) -> float:
        """Force of a specimen at the peak, N."""
        return self.stiffness * self.peak

    @property
    def speed(self) -> float:
        """Speed of the structure at the peak, m/s."""
        return self.rate * self.peak


def make_late(rig: Rig, late: float) -> Rig:
    """Give the same rig with another delay, told rightly."""
    late = min(late, LATEST / rig.slowest, LONGEST)
    return replace(rig, lateness=late, told=late)


def storey_matrix(storeys: Vector) -> Vector:
    """Give the stiffness matrix of a shear building."""
    above = np.append(storeys[1:], 0.0)
    inner = np.diag(storeys[1:], 1)
    return np.asarray(np.diag(storeys + above) - inner - inner.T)


def modes(masses: Vector, stiffness: Vector) -> tuple[Vector, Vector]:
    """Give circular frequencies and modes normalised by mass."""
    root = 1 / np.sqrt(masses)
    squares, shapes = np.linalg.eigh(root[:, None] * stiffness * root)
    return np.sqrt(np.maximum(squares, 0.0)), root[:, None] * shapes


def draw_rig(dice: Dice, compensated: bool) -> Rig:
    """Draw a rig; the actuators of one that is not compensated are about as late as they may be."""
    named = dice.choose(*PUBLISHED, *FRAMES) if dice.chance(0.08) else ""
    known = PUBLISHED | FRAMES
    masses, storeys, damping, interface = known[named] if named else draw_building(dice)
    picks = np.eye(masses.size)[list(interface)]
    stiffness = dice.spread(0.05, 2.0) * float(np.mean(storeys))
    rates, shapes = modes(masses, storey_matrix(storeys) + stiffness * picks.T @ picks)
    slowest, fastest = float(rates[0]) / (2 * pi), float(rates[-1]) / (2 * pi)
    fastest = max(fastest, FRAME_FASTEST) if named in FRAMES else fastest
    tick = draw_tick(dice, slowest, fastest)
    felt = float(stiffness * np.sum((picks @ shapes[:, 0]) ** 2))
    critical = 2 * damping * float(rates[0]) / felt  # (2)
    late = dice.spread(0.002, 0.04) if compensated else critical * dice.spread(0.2, 5.0)
    late = min(late, LATEST / slowest, LONGEST)
    return Rig(
        masses=masses,
        storeys=storeys,
        damping=damping,
        interface=interface,
        stiffness=stiffness,
        tick=tick,
        stage=tick,
        duration=round(min(dice.between(12.0, 25.0) / slowest, 20.0) / tick / 8) * 8 * tick,
        peak=dice.spread(0.0005, 0.05),
        critical=critical,
        lateness=late,
        told=late * dice.between(0.8, 1.2) if dice.chance(0.7) else late,
        slowest=slowest,
        fastest=fastest,
        named=named,
    )


def draw_building(dice: Dice) -> tuple[Vector, Vector, float, tuple[int, ...]]:
    """Draw floors, storeys, damping ratio and the floors that have an actuator."""
    n = dice.choose(1, 1, 1, 2, 2, 3, 3, 4, 6)
    channels = min(n, dice.choose(1, 1, 1, 2, 2, 3))
    interface = tuple(sorted(dice.generator.choice(n, channels, replace=False).tolist()))
    mass, wanted = dice.spread(1.0, 1e5), 2 * pi * dice.spread(0.6, 12.0)
    masses = mass * np.array([dice.between(0.5, 1.5) for _ in range(n)])
    storeys = mass * np.array([dice.between(0.5, 1.5) for _ in range(n)])
    storeys *= (wanted / modes(masses, storey_matrix(storeys))[0][0]) ** 2
    return masses, storeys, dice.spread(0.005, 0.08), interface


def draw_tick(dice: Dice, slowest: float, fastest: float) -> float:
    """Draw a tick that resolves the fastest mode; the shortest one if none of the usual does."""
    fitting = [h for h in TICKS if 1 / (fastest * h) > FEWEST_TICKS]
    quick = [h for h in fitting if 1 / (slowest * h) < MOST_TICKS]
    return float(dice.choose(*(quick or fitting or [1 / 4096])))
