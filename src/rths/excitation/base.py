"""What every excitation has: a signal, and the way it acts on the structure.

B e = -M i a_g            ground acceleration a_g, i the influence vector                   (1)
B e = b F                 force F on one degree of freedom                                  (2)
B e = K i r + C i r'      motion r of the support, response in absolute coordinates         (3)
target = b d              command d of one actuator, without a structure                    (4)

The first state of every excitation's block counts its calls, and its outputs are a function of
that count alone: a copy that starts at another count is the same signal, some stages ahead. What is
random or filtered is therefore sampled when the loop is built.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from rths.description import describe
from rths.errors import InputError, suggest
from rths.loop.block import Block, Vector, kernel
from rths.motions.time_series import TimeSeries
from rths.quantity import Index
from rths.registry import register
from rths.site import Site

__all__ = ["Acting", "Excitation", "describe", "register"]

Acting = Literal["ground_acceleration", "force", "support_displacement", "command"]
UNIT = {"ground_acceleration": "m/s²", "force": "N", "support_displacement": "m", "command": "m"}
"""Unit of a signal by the way it acts."""
MOST_SAMPLES = 1 << 25
"""Samples of a motion: more than two hours at 4096 Hz, a quarter of a gigabyte."""
ROUND_OFF = 1e-9
"""Part of a whole number by which its quotient may miss it: above the 1e-16 of float64 times the
largest count of samples, about 1e6, and far below a sample."""


@kernel
def play(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # p = samples e_0, e_1, ... (with support motion e_0, e'_0, e_1, e'_1, ...);   x = calls so far
    k = int(x[0]) * y.size
    x[0] += 1.0
    for i in range(y.size):
        y[i] = p[k + i] if k + i < p.size else 0.0


def play_samples(samples: Vector) -> Block:
    """Yield the block that plays rows of samples, one a call, and zeros after the last."""
    outputs = 1 if samples.ndim == 1 else samples.shape[1]
    return Block(play, samples, states=1, outputs=outputs, counters=(0,))


def harmonic_sum(
    amplitudes: NDArray[np.complex128], frequencies: Vector, interval: float, count: int
) -> Vector:
    """Sample Re sum_k c_k exp(2 pi i f_k t) at t = 0, interval, ...

    exp(i w (t_a + t_b)) is a product: a few exponentials do for all times. Waves are added one
    after the other: the last bits of a matrix product depend on how many threads share it.
    """
    w, block = 2j * np.pi * frequencies, 256
    late = amplitudes * np.exp(np.outer(interval * block * np.arange(-(-count // block)), w))
    early = np.exp(np.outer(w, interval * np.arange(block)))
    total = np.zeros((late.shape[0], block))
    room = np.empty_like(total)
    for a, b in zip(np.ascontiguousarray(late.T)[:, :, None], early, strict=True):
        total += np.multiply(a.real, b.real, out=room)
        total -= np.multiply(a.imag, b.imag, out=room)
    return np.asarray(total.ravel()[:count], float)


def read_recorded(
    file: Path,
    acting: Acting,
    column: str | None,
    unit: str | None = None,
    step: float | None = None,
) -> TimeSeries:
    """Read the one signal of a file that has the unit in which the excitation acts.

    ``unit`` and ``step`` are for files that do not state theirs.
    """
    from rths.motions.motion import read_signals  # no reader of files for a sine

    series, wanted = read_signals(file, step), UNIT[acting].replace("²", "2")
    if unit is not None:
        return _choose_bare(series, file, column).convert(unit)
    fitting = [n for n, u in zip(series.names, series.units, strict=True) if u == wanted]
    if column is None and len(fitting) == 1:
        column = fitting[0]
    if column not in fitting:
        raise InputError(
            "excitation.column",
            column,
            f"does not pick one signal in {wanted} from {file.name}, "
            f"which has {_list_signals(series)}",
            f"{suggest(column, fitting)}Name one of: {', '.join(fitting)}."
            if fitting
            else "None fits: name the unit in the file, as acceleration_g or force [kN], or in "
            'the plan, as unit = "g".',
        )
    return series.channel(column)


def _choose_bare(series: TimeSeries, file: Path, column: str | None) -> TimeSeries:
    """Choose the one signal without a unit, of several the one that is named an acceleration."""
    from rths.motions.unit import is_acceleration

    named = [n for n in series.names if is_acceleration(n)]
    chosen = series.names[0] if len(series.names) == 1 else None
    chosen = column or chosen or (named[0] if len(named) == 1 else None)
    if chosen not in series.names:
        problem = f"does not pick one signal from {file.name}, which has {_list_signals(series)}"
        remedy = f"{suggest(column, series.names)}Name one of: {', '.join(series.names)}."
        raise InputError("excitation.column", column, problem, remedy)
    return series.channel(str(chosen))


def _list_signals(series: TimeSeries) -> str:
    pairs = zip(series.names, series.units, strict=True)
    return ", ".join(f"{name} ({unit or 'no unit'})" for name, unit in pairs)


def sample_series(
    series: TimeSeries, interval: float, start: float, length: float | None
) -> Vector:
    """Sample a series that begins at ``start`` and is cut after ``length``; zero before."""
    duration = series.duration if length is None else min(length, series.duration)
    times = np.arange(count_samples(start + duration, interval)) * interval
    inside = times >= start - ROUND_OFF * interval
    return np.where(inside, series.values_at(np.maximum(times - start, 0.0)), 0.0)


def count_samples(duration: float, interval: float) -> int:
    """Count the whole multiples of an interval from 0 to the end of a duration, both within."""
    if not duration / interval < MOST_SAMPLES:
        problem = f"has more than {MOST_SAMPLES} samples, which are kept in memory"
        raise InputError("excitation", duration, problem, "Shorten it, in seconds.")
    return int(np.floor(duration / interval + ROUND_OFF)) + 1


def add_velocity(e: Vector, interval: float) -> Vector:
    """Put beside samples of a support motion their velocity, from central differences."""
    return np.column_stack([e, np.gradient(e, interval)])


@describe
class Excitation:
    """Base of all excitations."""

    role: ClassVar[str] = "excitation"
    kind: ClassVar[str]
    example: ClassVar[Mapping[str, Any]]
    """Fields of a working member: what tests, benches and ``rths explain`` take."""

    acting: Acting = "ground_acceleration"
    """How the signal drives the structure: (1) in m/s², (2) in N, or (3) in m; or the actuator
    alone, as a command in m (4)."""
    dof: Index = 0
    """Degree of freedom on which a force acts, or actuator that a command moves, from 0."""

    @property
    def outputs(self) -> int:
        """Width of the signal: a support motion needs its velocity too."""
        return 2 if self.acting == "support_displacement" else 1

    def load(self, M: Vector, C: Vector, K: Vector, influence: Vector) -> Vector:
        """Give the matrix B of the equation of motion."""
        if self.acting == "ground_acceleration":
            return -(M @ influence)[:, None]  # (1)
        if self.acting in ("force", "command"):
            return np.eye(M.shape[0])[:, [self.dof]]  # (2), (4)
        return np.column_stack([K @ influence, C @ influence])  # (3)

    def initial(self, size: int) -> tuple[Vector, Vector]:
        """Give displacements and velocities at t = 0."""
        return np.zeros(size), np.zeros(size)

    def play(self, samples: Vector, interval: float) -> Block:
        """Yield the block that plays samples, of a support motion with their velocity."""
        return play_samples(samples if self.outputs == 1 else add_velocity(samples, interval))

    def block(self, site: Site) -> Block | None:
        """Yield the block of the signal, called once a stage; its first state counts the calls."""
        raise NotImplementedError
