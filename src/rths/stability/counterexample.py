"""The shortest plan with which a loss can be seen: ready to run, and run before it is shown.

    the plan itself, cut after the loss                                                        (1)
    the plan with a jump of the force sensor, as the pulse that lost it, cut after the loss      (2)
    the loop let go from a mode, or struck in it, and nothing that drives; the plan, pushed after
    its end                                                                                    (3)
    the plan, left on after its end                                                            (4)

A candidate is shown only if its own rehearsal leaves for good, grows, or keeps moving as told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from math import ceil, log
from typing import Any

import numpy as np

from rths.assembly.hybrid_test import HybridTest
from rths.errors import InputError
from rths.loop.block import Vector
from rths.registry import find
from rths.stability.bench import Bench
from rths.stability.course import amplitude
from rths.stability.rehearsal import Pulse, Rehearsal, Stretch
from rths.stability.structural_modes import Modes
from rths.stability.trial import Trial

GROWN = 100.0
"""Factor by which a growing root is shown to grow."""
GOES_ON = 0.9
"""Amplitude in the last quarter over that in the second from which on a motion goes on: both are
alike on a cycle, but a quarter of the test may cut it beside its peaks."""
NO_TICK = 1e-6
"""Part of a tick that is round-off of a time divided by it, and no tick more."""
TRIED = 4
"""Candidates that are run, shortest first: most show it at once."""
MOST_TICKS = 2_000_000
"""Ticks of the longest plan that is shown: a growth slower than that is no sight."""


@dataclass(frozen=True, eq=False)
class Counterexample:
    """A plan that shows the loss, and how."""

    test: HybridTest
    words: str
    beside: HybridTest | None = None
    """The same without the push: what the excitation alone moves shows nothing."""
    lost: bool = False
    """Whether nothing less than a loss shows it: what drives goes on in (4)."""

    def as_dict(self) -> dict[str, Any]:
        """As plain words."""
        return {"duration": self.test.duration, "words": self.words}


def show_loss(
    bench: Bench, trial: Trial | None, modes: Modes, growth_rate: float, mode: int
) -> Counterexample | None:
    """Give the shortest candidate that shows the loss; None if none does."""
    every = [*_candidates(bench, trial, modes, growth_rate, mode)]
    for found in sorted(every, key=lambda c: c.test.duration)[:TRIED]:
        if found.test.clock.ticks <= MOST_TICKS and _shows(bench, found):
            return found
    return None


def _candidates(
    bench: Bench, trial: Trial | None, modes: Modes, growth_rate: float, mode: int
) -> Iterator[Counterexample]:
    """All of (1) to (4) that can be made of this plan."""
    test, makers = bench.test, list[Callable[[], Counterexample]]()
    if trial is not None and trial.lost is not None:
        makers.append(partial(_cut, test, trial.lost, "the plan itself"))
    for s in trial.shadows if trial else ():
        if s.outcome == "lost" and s.pulse is not None:
            makers.append(partial(_push, test, _at_interface(bench, s.pulse), s.until))
    for r in trial.releases if trial else ():
        if r.fate != "decays":
            if r.size:
                makers.append(partial(_let_go, test, modes, r.mode - 1, r.size, r.time))
            if r.pulse is not None and r.pulse.shaped:
                makers.append(partial(_strike, test, bench.shapes.columns, r.pulse, r.time))
            elif r.pulse is not None:
                makers.append(partial(_push_late, test, r.pulse, r.time))
    if trial is not None and trial.noise is not None and trial.noise.lost is not None:
        makers.append(partial(_wait, test, trial.noise.lost))
    if growth_rate > 0:
        size, time = float(bench.yardstick.motion.max()), log(GROWN) / growth_rate
        makers.append(partial(_let_go, test, modes, mode, size, time))
    for make in makers:
        try:
            yield make()
        except InputError:  # such a plan cannot be made of this one
            continue


def _at_interface(bench: Bench, pulse: Pulse) -> Pulse:
    """The same pulse, or of one on all masses what a force at the interface comes nearest to."""
    if not pulse.shaped:
        return pulse
    forces = bench.shapes.forces @ np.array(pulse.shaped)
    nearest = -np.linalg.lstsq(bench.test.equation.L.T, forces, rcond=None)[0]
    return replace(pulse, forces=tuple(nearest.tolist()), shaped=())


def _push(test: HybridTest, pulse: Pulse, until: float) -> Counterexample:
    """(2)."""
    return _cut(push(test, pulse), until, "a push", test)


def _push_late(test: HybridTest, pulse: Pulse, time: float) -> Counterexample:
    """(3): what the test has learnt or left may be a part of it."""
    until = pulse.first * test.tick + time
    longer = replace(test, duration=ceil(until / test.tick) * test.tick)
    when = " after the test" if pulse.first * test.tick >= test.duration else ""
    return _cut(push(longer, pulse), until, f"a push{when}", longer)


def _wait(test: HybridTest, time: float) -> Counterexample:
    """(4)."""
    until = test.duration + time
    longer = replace(test, duration=ceil(until / test.tick) * test.tick)
    return replace(_cut(longer, until, "the plan itself, left on after its test"), lost=True)


def _cut(
    test: HybridTest, time: float, words: str, beside: HybridTest | None = None
) -> Counterexample:
    """The test up to a time, in whole ticks."""
    ticks = max(1, ceil(time / test.tick - NO_TICK))
    short = min(test.duration, ticks * test.tick)
    beside = None if beside is None else replace(beside, duration=short)
    return Counterexample(replace(test, duration=short, name=f"{test.name}, lost"), words, beside)


def push(test: HybridTest, pulse: Pulse) -> HybridTest:
    """The same plan with a jump of the force sensor in each channel."""
    from rths.config.plan import to_table

    tables = to_table(test)["feedback"]
    each = tables if isinstance(tables, list) else [tables] * test.channels
    made = []
    for own, force in zip(each, pulse.forces, strict=True):
        jump = {
            "kind": "fault",
            "fault": "jump",
            "start": pulse.first * test.tick,
            "duration": pulse.ticks * test.tick,
            "size": force,
        }
        links = own["links"] if own["kind"] == "chain" else [own]
        links = [link for link in links if link["kind"] != "direct"]
        made.append(find("feedback", "chain")(links=(*links, jump)))
    return replace(test, feedback=tuple(made) if len(made) > 1 else made[0])


def _let_go(test: HybridTest, modes: Modes, mode: int, size: float, time: float) -> Counterexample:
    """The loop let go from a mode, with a size of its largest entry."""
    mode = min(mode, modes.frequencies.size - 1)
    shape = modes.shapes[:, mode]
    x = tuple((size * shape / np.abs(shape).max()).tolist())
    free = replace(test, excitation=find("excitation", "free_vibration")(displacement=x))
    ticks = max(1, ceil(time / test.tick))
    words = f"let go from mode {mode + 1}"
    named = replace(free, duration=ticks * test.tick, name=f"{test.name}, lost")
    return Counterexample(named, words)


def _strike(test: HybridTest, shapes: Vector, pulse: Pulse, time: float) -> Counterexample:
    """(3): let go with the velocities that a push in the shape of a mode would give."""
    v = tuple((shapes @ np.array(pulse.shaped) * pulse.ticks * test.tick).tolist())
    free = replace(test, excitation=find("excitation", "free_vibration")(velocity=v))
    ticks = max(1, ceil(time / test.tick))
    named = replace(free, duration=ticks * test.tick, name=f"{test.name}, lost")
    return Counterexample(named, "struck in the shape of a mode")


def _shows(bench: Bench, found: Counterexample) -> bool:
    """Tell whether a plan is lost, or moves more at its end than at its middle and matters."""
    stretch, y = _run(found.test), bench.yardstick
    if not stretch.whole or y.is_lost(stretch.rows, y.shares(y.limit, alone=True)):
        return True
    if found.lost:
        return False
    base = None if found.beside is None else _run(found.beside)
    rows = stretch.rows if base is None or not base.whole else stretch.rows - base.rows
    parts = np.array_split(rows, 4)
    if len(parts[-1]) < 2:
        return False
    end, middle = amplitude(parts[-1], y), amplitude(parts[1], y)
    return end > y.matters and end > GOES_ON * middle


def _run(test: HybridTest) -> Stretch:
    """Run a plan without its limits."""
    rehearsal = Rehearsal(test)
    return rehearsal.run(rehearsal.start, rehearsal.ticks)
