"""What an operator would know of a rig before choosing: the sizes that fields start from.

    delay         shift that leaves the smallest squares between command and displacement, s
    U(ω) = Σ_i a_i (iω)^i X(ω)   over the band of the motion, least squares: the inverse's a_i   (1)
    stiffness     that of the specimen at rest, or its force over its displacement, N/m
    motion        peak of the emulated displacement, m;  frequency of the first mode, Hz

Each actuator of the plan is moved, without the structure, as the emulated structure moves; then,
for (1), by a sweep up to ω τ = 0.8 that is nowhere faster than the structure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from rths.assembly.hybrid_test import HybridTest
from rths.design.played_excitation import make_played
from rths.errors import InputError
from rths.identification.least_squares_delay import delay_by_least_squares
from rths.loop.block import Vector
from rths.registry import find
from rths.stability.structural_modes import LOWEST_FREQUENCY, modes_of, specimen_stiffness

USUAL_DELAY = 0.006
"""Delay of the rig for which kinds give their examples, s."""
LONGEST = 0.2
"""Longest delay that is looked for, s."""
HIGHEST = 6
"""Degree of the inverse up to which coefficients are fitted."""
REACH = 0.8
"""Angle ω τ up to which the inverse is fitted, rad: beyond it a delay is no short polynomial."""


@dataclass(frozen=True)
class KnownRig:
    """Sizes of one plan, with those of one of its actuators."""

    delay: float
    inverse: tuple[tuple[float, ...], ...]
    """(1) for each degree from 1 on; empty if it could not be fitted."""
    stiffness: float
    motion: float
    frequency: float
    stage: float
    """Time between two targets, s."""

    def coefficients(self, degree: int) -> tuple[float, ...] | None:
        """Give a_0, a_1, ... of a degree, None if there are none."""
        return self.inverse[degree - 1] if 1 <= degree <= len(self.inverse) else None


def slowest(rigs: Sequence[KnownRig]) -> KnownRig:
    """Give the sizes of the latest actuator."""
    return max(rigs, key=lambda rig: rig.delay)


def know_rigs(test: HybridTest, emulated: Vector) -> tuple[KnownRig, ...]:
    """Find the sizes of each actuator; of one that stands for all if they are alike."""
    given = test.transfer
    alike = not isinstance(given, tuple) or all(t == given[0] for t in given)
    return tuple(know_rig(test, emulated, c) for c in range(1 if alike else test.channels))


def know_rig(test: HybridTest, emulated: Vector, channel: int = 0) -> KnownRig:
    """Find the sizes of a plan; ``emulated`` is the displacement of its interface."""
    own = emulated[:, channel]
    motion = float(np.abs(emulated).max()) or 1e-3
    moved = _move_actuator(test, own, channel)
    frequency = max(float(modes_of(test).frequencies[0]), LOWEST_FREQUENCY)
    delay, stiffness = USUAL_DELAY, 0.0
    if moved is not None:
        u, x, force = moved
        delay = _find_delay(u, x, test.tick)
        stiffness = float(np.sqrt(np.mean(force**2) / (np.mean(x**2) or 1.0)))
    path = sweep_path(len(own), test.tick, motion, frequency, delay)
    swept = _move_actuator(test, path, channel)
    inverse = () if swept is None else fit_inverse(swept[0], swept[1], test.tick, delay)
    stiffness = specimen_stiffness(test, channel) or stiffness or 1.0
    return KnownRig(delay, inverse, abs(stiffness), motion, frequency, test.clock.stage)


def sweep_path(count: int, tick: float, motion: float, frequency: float, delay: float) -> Vector:
    """Give a sine whose frequency rises to that of (1), as large as the motion, or as fast."""
    top = highest_angle(delay, tick) / (2 * np.pi)
    low = min(0.5 * frequency, 0.1 * top)
    f = low + (top - low) * np.arange(count) / count
    size = motion * np.minimum(1.0, frequency / f)
    return np.asarray(size * np.sin(2 * np.pi * np.cumsum(f) * tick))


def highest_angle(delay: float, tick: float) -> float:
    """Give the angular frequency up to which the inverse is fitted, rad/s."""
    return float(min(REACH / delay, 0.25 * np.pi / tick))


def _move_actuator(
    test: HybridTest, path: Vector, channel: int
) -> tuple[Vector, Vector, Vector] | None:
    """Move one actuator along a path; give command, displacement and force."""
    structure = find("structure", "none")(actuators=test.channels)
    try:
        drive = replace(
            make_played(test.excitation, np.append(path, path[-1])), acting="command", dof=channel
        )
        alone = replace(
            test,
            excitation=drive,
            structure=structure,
            integrator=find("integrator", "none")(),
            compensator=find("compensator", "none")(),
            step=None,
            limits={},
            safety=None,
            guards=(),
            hardware=None,
            rig=None,
            record=("compensator.command", "transfer.displacement", "specimen.force"),
        )
    except InputError:
        return None
    rows = np.empty((alone.clock.ticks, 3 * alone.channels))
    done = alone.cycle("table").advance(len(rows), rows)
    if done < len(rows) or not np.isfinite(rows).all():
        return None
    u, x, force = rows[:, channel :: alone.channels].T.copy()
    return u, x, force


def _find_delay(u: Vector, x: Vector, tick: float) -> float:
    """Find the delay; at least a tick, which no loop is without."""
    try:
        found = delay_by_least_squares(u, x, tick, longest=min(LONGEST, 0.2 * u.size * tick)).value
    except (InputError, ValueError):
        found = USUAL_DELAY
    return max(float(found), 0.5 * tick)


def fit_inverse(u: Vector, x: Vector, tick: float, delay: float) -> tuple[tuple[float, ...], ...]:
    """Fit (1) for every degree."""
    taper = np.hanning(u.size)
    U, X = np.fft.rfft(taper * u), np.fft.rfft(taper * x)
    w = 2 * np.pi * np.fft.rfftfreq(u.size, tick)
    top = highest_angle(delay, tick)
    band = (w > 0) & (w <= top)
    if band.sum() < 2 * HIGHEST:
        return ()
    found = []
    for degree in range(1, HIGHEST + 1):
        A = np.array([(1j * w[band] / top) ** i * X[band] for i in range(degree + 1)]).T
        rows, right = np.vstack([A.real, A.imag]), np.append(U[band].real, U[band].imag)
        a = np.linalg.lstsq(rows, right, rcond=None)[0]
        found.append(tuple((a / top ** np.arange(degree + 1)).tolist()))
    return tuple(found)
