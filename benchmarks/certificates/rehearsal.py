"""The loop of a plan as it runs: through its test, through a quiet end, and in pushed copies.

Nothing of the stability analysis is used but how far it answers: the compiled loop runs the plan's
own blocks, and what came out of it is looked at.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from benchmarks.certificates.kick import Kicked, set_push
from rths.assembly.hybrid_test import HybridTest
from rths.stability.disturbance import MOVED, QUICKEST

Rows = NDArray[np.float64]
SIGNALS = ("integrator.target", "compensator.command", "transfer.displacement")
"""What is looked at: all of them are displacements."""
GONE = 100.0
"""Multiple of the plan's limit, or of ten times the peak, at which a run is stopped as lost."""


class Rehearsal:
    """A plan's test with a quiet end, ready to be run in copies."""

    def __init__(self, test: HybridTest, peak: float) -> None:
        """Prepare a test that is meant to reach a peak, m."""
        self.test, self.peak = test, peak
        M, K = test.equation.M, test.equation.K
        squares, shapes = np.linalg.eig(np.linalg.solve(M, K))
        order = np.argsort(np.abs(squares))
        self.rates = np.sqrt(np.maximum(np.abs(squares[order].real), 1e-12))
        shapes = np.real(shapes[:, order])
        self.shapes = shapes / np.sqrt(np.sum(shapes * (M @ shapes), axis=0))
        """Modes of the structure, normalised by mass."""
        moved = np.abs(test.equation.L @ self.shapes).max(axis=0)
        moves = moved > MOVED * np.abs(self.shapes).max(axis=0)
        self.pushed = np.flatnonzero(moves & (self.rates <= QUICKEST * self.rates[0]))
        """Modes that move an interface and are not ten times as fast as the slowest: a certificate
        answers for no push of another, which would tear a frame down before it moves as far."""
        self.period = min(2 * np.pi / self.rates[0], test.duration / 4)
        """Period of the slowest mode, s."""
        bounds = [np.abs(b).max() for b in map(np.atleast_1d, test.limits.values())]
        self.limit = float(min(bounds)) if bounds else 10 * peak
        fade = 2 * self.period
        self.end = round((test.duration + fade) / test.tick)
        """Tick from which on nothing drives the test."""
        planned = test.excitation
        kicked = Kicked(
            planned=planned,
            size=M.shape[0],
            end=test.duration,
            fade=fade,
            acting=planned.acting,
            dof=planned.dof,
        )
        gone = dict.fromkeys(SIGNALS[:2], GONE * self.limit)
        long = replace(
            test,
            excitation=kicked,
            record=SIGNALS,
            limits=gone,
            guards=(),
            safety=None,
            hardware=None,
        )
        self.cycle = long.cycle("table")
        self.stage_ticks = long.clock.stage_ticks
        self.ticks = 0
        """Ticks run so far, in all copies together."""

    @property
    def learns(self) -> bool:
        """Whether a law of the loop changes with what is measured."""
        return any(compensator.adapts for compensator in self.test.descriptions("compensator"))

    @property
    def noisy(self) -> bool:
        """Whether anything comes into the loop from outside, such as noise."""
        return any(p.block.injects for p in self.cycle.layout.placed)

    def run(self, arena: Rows, ticks: int) -> tuple[Rows, Rows]:
        """Run a copy; give what was recorded (less than asked for, if it was lost) and its end."""
        rows = np.empty((ticks, len(self.cycle.layout.record_slots)))
        self.cycle.restore(arena)
        done = self.cycle.advance(ticks, rows)
        self.ticks += done
        return rows[:done], self.cycle.snapshot()

    def start(self) -> Rows:
        """Give the arena at the start of the test."""
        return self.cycle.layout.initial.copy()

    def silence(self, arena: Rows) -> Rows:
        """Give a copy into which nothing comes from outside."""
        quiet = arena.copy()
        self.cycle.layout.silence(quiet)
        return quiet

    def push(self, arena: Rows, size: float, shape: Rows, rate: float) -> Rows:
        """Give a copy that is pushed now, for half a period of a rate, in a shape.

            p = 2 T F_0/π,   Σ_i |L φ_i| |φ_i' p|/ω_i = size                                   (1)

        The momentum p of the push makes each mode swing; together they reach the size, m, at most.
        """
        equation = self.test.equation
        stage = self.stage_ticks * self.test.tick
        length = max(np.pi / rate, 4 * stage)
        momentum = equation.M @ shape
        swings = np.abs(self.shapes.T @ momentum) / self.rates
        reached = float(np.max(np.abs(equation.L @ self.shapes) @ swings))
        forces = momentum * (size / reached) * np.pi / (2 * length)
        pushed = arena.copy()
        call = np.floor(arena[0] / self.stage_ticks) + 1
        set_push(self.cycle.layout, pushed, call, length / stage, forces)
        return pushed
