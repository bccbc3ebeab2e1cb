"""All rehearsals of a design, ready to be run with one compensator after another.

    ε = sqrt( Σ_s ε_s² / n ),   ε_s² = Σ (x - x_ref)² / Σ x_ref²                              (1)

x is the displacement that the structure calculates at its interfaces, x_ref that of the emulated
structure under the same motion. Only the compensator's block differs from one candidate to the
next, and only a few blocks from one rehearsal to the next: each loop is built once, and blocks of
the same size are written over. A run whose rows would have another layout is built anew.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf, sqrt
from typing import Any

import numpy as np

from rths.assembly.hybrid_test import HybridTest
from rths.assembly.rig_bounds import ChannelBounds, rig_bounds
from rths.assembly.variation import VariedLoop
from rths.design.candidate import Candidate
from rths.design.loop_stock import LoopStock, Sort, sort_of
from rths.design.played_excitation import PlayedExcitation, play_excitation
from rths.design.scenario import Scenario, change_test
from rths.errors import InputError
from rths.loop.block import Block, Vector
from rths.loop.channel_name import split_channel
from rths.loop.cycle import Cycle

RECORDED = ("integrator.target", "compensator.command", "feedback.force")
LIMITED = ("integrator.target", "integrator.velocity", "integrator.acceleration",
           "compensator.command", "transfer.displacement", "specimen.force",
           "feedback.displacement", "feedback.force")  # fmt: skip
"""Signals that every loop has: limits on others are kept in the run of the plan itself."""
LOST = 1.0
"""Error above which a run says nothing about the structure."""
RUNAWAY = 100.0
"""Command, in peaks of the emulated motion, at which a run is ended where the plan has no limit."""
FASTER = 10.0
"""Speed of a command, in speeds of the emulated motion, that no actuator is chosen to have, where
the plan names no rig."""
VARIED = ("excitation", "structure", "integrator", "transfer", "specimen", "feedback")
"""Roles whose blocks may differ between rehearsals."""
MOST_REFERENCES = 40
"""References that are kept: those of the search; perturbed specimens have one each."""
Emulate = Callable[[HybridTest], Vector]
"""Gives the displacement of the interfaces of a test without an actuator in between, by tick."""


@dataclass(frozen=True)
class Score:
    """What the rehearsals say about a candidate."""

    error: float
    """(1); infinite if a run was lost."""
    planned: float
    """Error of the plan as it is."""
    lost: float
    """How much of the runs is missing, in runs; 0 if all came to their end."""
    excess: float
    """By which share the rig's velocity, stroke or force is exceeded, at most; 0 if it is not."""
    speed: float
    """Fastest command, m/s."""
    force: float
    """Largest measured force, N."""
    runs: int
    lost_in: str = ""
    """Name of the rehearsal that was lost; "" if none was."""

    @property
    def cost(self) -> float:
        """What the search makes small: the error, and above all errors what is not kept."""
        missing = self.lost + self.excess
        return self.error if missing == 0 else 10.0 + missing

    @property
    def feasible(self) -> bool:
        """Whether all runs came to their end within the limits of the rig."""
        return self.lost == 0 and self.excess == 0


@dataclass(frozen=True, eq=False)
class Prepared:
    """A scenario with its reference and the blocks that are its own."""

    scenario: Scenario
    reference: Vector
    size: float
    """Sum of the squares of the reference."""
    stock: LoopStock
    """Its loops, where those of the plan do not fit."""
    blocks: dict[Sort, dict[Any, Block]]
    """By class of compensator, which may ask more of the integrator: blocks by owner, of an
    excitation by its role alone."""


def emulate(test: HybridTest) -> Vector:
    """Run the emulated structure."""
    whole = replace(test.reference_test(), record=("integrator.target",), limits={})
    rows = np.empty((whole.clock.ticks, whole.channels))
    done = whole.cycle("table").advance(len(rows), rows)
    if done < len(rows) or not np.isfinite(rows).all():
        problem = "does not come to its end even without an actuator in between"
        raise InputError("plan", test.name, problem, "Shorten the step, or check the structure.")
    return rows


class RehearsalSet:
    """Runs candidates through the scenarios of a plan."""

    def __init__(
        self, test: HybridTest, scenarios: Sequence[Scenario], emulated: Emulate = emulate
    ) -> None:
        self.plan = test
        self.bounds: tuple[ChannelBounds, ...] = rig_bounds(test)
        self._emulate, self._scenarios = emulated, scenarios
        self._own = threading.local()
        self._references: dict[tuple[int, ...], tuple[HybridTest, Vector]] = {}

    @cached_property
    def prepared(self) -> list[Prepared]:
        """The scenarios with their references, computed once."""
        return [self.prepare(s) for s in self._scenarios]

    @property
    def ticks(self) -> int:
        """Ticks of one run."""
        return self.base.clock.ticks

    @cached_property
    def base(self) -> HybridTest:
        """The plan as it is rehearsed: without a rig at the other end."""
        return rehearsed(self.plan, RUNAWAY * self._peak)

    @cached_property
    def _stock(self) -> LoopStock:
        return LoopStock(self.base)

    @cached_property
    def _peak(self) -> float:
        return float(np.abs(self.reference(self.plan)).max()) or 1e-3

    @cached_property
    def _speed(self) -> float:
        """Fastest emulated motion, m/s."""
        moved = np.diff(self.reference(self.plan), axis=0)
        return float(np.abs(moved).max()) / self.plan.tick or inf

    def prepare(self, scenario: Scenario) -> Prepared:
        """Give a scenario with its reference, ready to be run."""
        test = rehearsed(scenario.test, RUNAWAY * self._peak)
        reference = self.reference(test) if scenario.judged else np.zeros((0, 1))
        size = float(np.sum(reference**2)) or 1.0
        return Prepared(replace(scenario, test=test), reference, size, LoopStock(test), {})

    def reference(self, test: HybridTest) -> Vector:
        """Emulate a test; those that only differ in what is not emulated share their reference."""
        parts = (test.excitation, test.structure, test.integrator, test.specimen)
        key = tuple(map(id, parts))
        if key in self._references:
            return self._references[key][1]
        found = self._emulate(test)
        if len(self._references) < MOST_REFERENCES:
            self._references[key] = test, found  # with the test, so that no other has its places
        return found

    def score(self, candidate: Candidate, count: int | None = None) -> Score:
        """Run a candidate through the first scenarios, until one of them is hopeless."""
        errors: list[float] = []
        lost, speed, force, excess, runs, lost_in = 0.0, 0.0, 0.0, 0.0, 0, ""
        loop = self._stock.loop_with(candidate.compensator)
        every = self.prepared[:count]
        for p in every:
            rows = self._run_beside(candidate, loop, p)
            runs += 1
            gone, error = self._judge(p, rows)
            lost += gone
            if p.scenario.judged:
                errors.append(error)
                v, f, over = self._demand(rows)
                speed, force, excess = max(speed, v), max(force, f), max(excess, over)
            if gone:  # the rest would hardly be better, and takes time
                lost += len(every) - runs
                lost_in = p.scenario.name
                break
        whole = sqrt(float(np.mean(np.square(errors)))) if lost == 0 else inf
        return Score(whole, errors[0], lost, excess, speed, force, runs, lost_in)

    def is_lost(self, candidate: Candidate, p: Prepared) -> bool:
        """Tell whether a rehearsal does not come to its end, or says nothing about the test."""
        return self._judge(p, self.run(candidate, p))[0] > 0

    def loses_plant(self, start: HybridTest, changes: Mapping[str, Any]) -> bool:
        """Tell whether a plant loses a rehearsed test; one that the plan refuses does."""
        try:
            test = change_test(start, changes)
        except InputError:
            return True
        reference = self.reference(test)
        size = float(np.sum(reference**2)) or 1.0
        p = Prepared(Scenario("plant", test), reference, size, LoopStock(test), {})
        layout = test.layout
        loop = VariedLoop(layout, layout.initial, test.tick, test.clock.ticks)
        return self._judge(p, self._run_loop(loop))[0] > 0

    def _judge(self, p: Prepared, rows: Vector) -> tuple[float, float]:
        """Give how much of a run is missing, and its error."""
        ticks = p.scenario.test.clock.ticks
        moved = rows[:, : self.plan.channels]
        if len(rows) < ticks or not np.isfinite(rows).all():
            return 1.0 - 0.5 * len(rows) / ticks, inf
        if not p.scenario.judged:
            return 0.0, 0.0
        error = sqrt(float(np.sum((moved - p.reference) ** 2)) / p.size)
        return (0.0, error) if error <= LOST else (min(0.5, 0.1 * error), inf)

    def _demand(self, rows: Vector) -> tuple[float, float, float]:
        """Give the fastest command, the largest force, and by how much the rig is exceeded."""
        m = self.plan.channels
        if len(rows) < 2:
            return 0.0, 0.0, 0.0
        command, force = rows[:, m : 2 * m], np.abs(rows[:, 2 * m : 3 * m])
        with np.errstate(all="ignore"):
            speed = np.abs(np.diff(command, axis=0)) / self.plan.tick
        v, f = speed.max(axis=0), force.max(axis=0)
        over = 0.0 if self.bounds else float(v.max()) / (FASTER * self._speed) - 1
        for c, own in enumerate(self.bounds):
            reach = max(own.low - command[:, c].min(), command[:, c].max() - own.high) / own.length
            over = max(over, v[c] / own.velocity - 1, f[c] / own.force - 1, reach)
        over = max(over, 0.0) if np.isfinite(over) else inf
        return float(v.max()), float(f.max()), float(over)

    def run(self, candidate: Candidate, p: Prepared) -> Vector:
        """Run one rehearsal; give target, command and force by tick, up to where it ended."""
        return self._run_beside(candidate, self._stock.loop_with(candidate.compensator), p)

    def _run_beside(self, candidate: Candidate, loop: VariedLoop, p: Prepared) -> Vector:
        """Run a rehearsal in the loop of the plan if its blocks fit there, else in its own."""
        arena = self._place(candidate, loop, p)
        if arena is None:
            return self._run_loop(p.stock.loop_with(candidate.compensator))
        return self._run_loop(replace(loop, arena=arena))

    def _run_loop(self, loop: VariedLoop) -> Vector:
        cycle = Cycle(loop.layout, loop.tick, "table")
        cycle.restore(loop.arena)
        rows = self._rows(loop.ticks, len(loop.layout.record_slots))
        with np.errstate(all="ignore"):
            done = cycle.advance(len(rows), rows)
        return rows[:done]

    def _rows(self, ticks: int, width: int) -> Vector:
        """Give rows to be written into: those of this thread, as fresh pages cost time."""
        room = getattr(self._own, "rows", None)
        if room is None or room.shape != (ticks, width):
            room = self._own.rows = np.empty((ticks, width))
        return np.asarray(room)

    def _place(self, candidate: Candidate, loop: VariedLoop, p: Prepared) -> Vector | None:
        """Write the blocks of a scenario over those of the plan; None if they do not fit."""
        if loop.ticks != p.scenario.test.clock.ticks:
            return None
        arena, blocks = loop.arena.copy(), _blocks_of(p, candidate)
        for placed, place in zip(loop.layout.placed, loop.layout.places, strict=True):
            role = placed.owner.role
            if role not in VARIED:
                continue
            own = blocks.get(role if role == "excitation" else placed.owner)
            if own is None or own.kernel is not placed.block.kernel or own.params.size != place.np:
                return None
            arena[place.p : place.p + place.np] = own.params
            if role != "excitation":  # those that look ahead have begun to count
                if own.states.size != place.nx:
                    return None
                arena[place.x : place.x + place.nx] = own.states
        return arena


def _blocks_of(p: Prepared, candidate: Candidate) -> dict[Any, Block]:
    """Give the blocks of a scenario in a loop with this sort of compensator."""
    own = candidate.compensator
    sort = sort_of(own)
    if sort not in p.blocks:
        blocks: dict[Any, Block] = {}
        whole = replace(p.scenario.test, compensator=own)  # its arena, megabytes, is not kept
        for placed in whole.layout.placed:
            role = placed.owner.role
            if role == "excitation":
                blocks.setdefault(role, _known_motion(p, placed.block))
            elif role in VARIED:
                blocks[placed.owner] = placed.block
        p.blocks[sort] = blocks
    return p.blocks[sort]


def _known_motion(p: Prepared, block: Block) -> Block:
    """Give the block of the motion that another sort has already, if it is the same."""
    for blocks in list(p.blocks.values()):  # others may add theirs meanwhile
        known = blocks.get("excitation", block)
        if known.kernel is block.kernel and np.array_equal(known.params, block.params):
            return known
    return block


def rehearsed(test: HybridTest, limit: float) -> HybridTest:
    """Give a test as it is rehearsed here: sampled motion, no rig, few columns, always a limit."""
    played = isinstance(test.excitation, PlayedExcitation)
    return replace(
        test,
        excitation=test.excitation if played else play_excitation(test),
        safety=None,
        guards=(),
        hardware=None,
        rig=None,
        record=RECORDED,
        limits={"compensator.command": limit, **_motion_limits(test)},
    )


def _motion_limits(test: HybridTest) -> dict[str, Any]:
    """Give the limits of a plan on signals that every loop has."""
    return {k: v for k, v in test.limits.items() if split_channel(k)[0] in LIMITED}
