"""The counterexample of a certificate, run as anybody would run it.

    lost    the run leaves for good, or reaches ten times the plan's limit and thirty motions   (1)
    moves   with nothing that drives, in the last of four quarters by a twentieth of the motion, and
            by 9/10 of the quarter before                                                      (2)

A truth is found by pushes that are drawn; a certificate draws others, and may find what they have
missed. What it shows is run here without any of its own analysis: if (1) or (2) holds, the plan
does run away, whoever has found it. A push that no plan can make, as it acts on all masses or after
the test, is given to the truth's own loop, as strong as it was and as half a sine of the same
momentum.
"""

from __future__ import annotations

import numpy as np

from benchmarks.certificates.kick import set_push
from benchmarks.certificates.look import LOST, MATTERS, split_swings
from benchmarks.certificates.rehearsal import Rehearsal, Rows
from benchmarks.certificates.truth import BURST
from rths.assembly.hybrid_test import HybridTest
from rths.stability.disturbance import Shapes
from rths.stability.rehearsal import Pulse
from rths.stability.structural_modes import modes_of
from rths.stability.trial import Trial

KEPT = 0.9
"""Ratio of two quarters from which on a motion is kept."""


def confirms(shown: HybridTest, motion: float) -> bool:
    """Run a counterexample, and tell whether it shows the loss of a test with this motion, m."""
    loop = Rehearsal(shown, motion)
    ticks = shown.clock.ticks
    rows, _ = loop.run(loop.start(), ticks)
    return _is_lost(loop, rows, ticks) or (
        shown.excitation.kind == "free_vibration" and _keeps(rows, loop.peak)
    )


def confirms_pushes(test: HybridTest, trial: Trial, motion: float) -> bool:
    """Push the test as the trial has that failed, and tell whether one of the pushes loses it."""
    shapes = Shapes(test, modes_of(test)).forces
    failed = [(r.pulse, r.time) for r in trial.releases if r.fate != "decays"]
    failed += [(s.pulse, s.until - s.time) for s in trial.shadows if s.outcome == "lost"]
    for pulse, time in failed:
        if pulse is not None:
            forces = -test.equation.L.T @ np.array(pulse.forces)
            forces += shapes @ np.array(pulse.shaped) if pulse.shaped else 0.0
            if any(_loses(test, pulse, forces, time, motion, flat) for flat in (True, False)):
                return True
    return False


def _loses(
    test: HybridTest, pulse: Pulse, forces: Rows, time: float, motion: float, flat: bool
) -> bool:
    """Run a test with a push, after its end without noise, and look whether (1) or (2) holds."""
    loop = Rehearsal(test, motion)
    after, stage = pulse.first >= test.clock.ticks, loop.stage_ticks
    _, arena = loop.run(loop.start(), min(pulse.first, test.clock.ticks))
    if after:
        _, arena = loop.run(loop.silence(arena), pulse.first - test.clock.ticks)
    call, calls = np.floor(arena[0] / stage) + 1, max(pulse.ticks / stage, 1.0 if flat else 4.0)
    strength = (1.0 if flat else 0.5 * np.pi) * pulse.ticks / (calls * stage)
    set_push(loop.cycle.layout, arena, call, calls, strength * forces, flat)
    ticks = max(round(time / test.tick), 4 * round(loop.period / test.tick))
    rows, _ = loop.run(arena, ticks)
    return _is_lost(loop, rows, ticks) or (after and _keeps(rows, motion))


def _is_lost(loop: Rehearsal, rows: Rows, ticks: int) -> bool:
    """(1)."""
    far = max(BURST * loop.limit, LOST * loop.peak)
    return len(rows) < ticks or float(np.abs(rows).max()) > far


def _keeps(rows: Rows, motion: float) -> bool:
    """(2)."""
    swings, _ = split_swings(rows)  # about its straight line: what creeps back swings by nothing
    return swings[3] > MATTERS * motion and swings[3] > KEPT * swings[2]
