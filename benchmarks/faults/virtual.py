"""Faults on a virtual clock: loop and rig advance tick by tick, and nothing waits for anything.

Behind a simulated link the rig is part of the loop's arena. A loop that stalls or is killed is one
whose rig moves on alone, by the rig's own rows, while the silence that it hears grows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.faults.judgement import find_wrong
from benchmarks.faults.kinds import KINDS, draw_fault, latest_trip
from benchmarks.faults.plans import TICK, Sound
from rths.assembly.hybrid_test import HybridTest
from rths.hardware.emulated.drive import WIRE, RigSafety
from rths.loop.row import ROW_BYTES
from rths.loop.stop import Stop
from rths.loop.table import table_of
from rths.realtime.arming import load_ask

RIG = RigSafety()
HEARTBEAT = 0.5
"""s of silence of the supervisor after which the loop leaves the test."""
Outcome = dict[str, Any]


class Clockwork:
    """A test whose ticks are ours."""

    def __init__(self, test: HybridTest) -> None:
        self.cycle, self.layout = test.cycle("table", live=True), test.live_layout
        self.rows = np.full((test.clock.ticks, len(self.layout.record_slots)), np.nan)
        self.done = 0
        arena, placed = self.cycle.arena, self.layout.placed
        self._table = table_of(self.layout, arena, [p.block.kernel.address for p in placed])
        labels = [p.label for p in placed]
        own = range(labels.index("rig.drive"), labels.index("hardware.simulated"))
        first, order = self._table.rows.ctypes.data, self._table.order
        self._asks = [first + ROW_BYTES * order.index(k) for k in own]
        self._ask = load_ask()

    def advance(self, ticks: int) -> None:
        """Let so many ticks pass, or as many as the test has."""
        wanted = self.rows[self.done : self.done + ticks]
        if self.cycle.stop is None and len(wanted):
            self.done += self.cycle.advance(len(wanted), wanted)

    def put(self, signal: str, value: float, place: int = 0) -> None:
        """Write a signal."""
        self.cycle.arena[self.layout.signals[signal].slots[place]] = value

    def get(self, signal: str, place: int = 0) -> float:
        """Read a signal."""
        return float(self.cycle.arena[self.layout.signals[signal].slots[place]])

    def leave_alone(self, seconds: float) -> list[float]:
        """Let the rig live without its loop; give where it was at each of its ticks."""
        found = []
        for k in range(round(seconds / TICK)):
            self.put("rig.wire", (k + 1) * TICK, WIRE.silence)
            for row in self._asks:
                self._ask(row)
            found.append(self.get("rig.drive"))
        self.put("rig.wire", 0.0, WIRE.silence)
        return found

    @property
    def sent(self) -> Any:
        """Every command that left."""
        slots = self.layout.record_slots.tolist()
        place = slots.index(self.layout.signals["safety.command"].first)
        return self.rows[: self.done, place]

    @property
    def stop(self) -> Stop:
        """Why it ended; a loop that was cut off was killed."""
        if self.cycle.stop is not None:
            return self.cycle.stop
        done = self.done
        ended = "completed" if done == len(self.rows) else "killed"
        return Stop(ended, done, done * TICK, ended)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Window:
    """When faults begin, s."""

    first: float
    last: float


def run_fault(sound: Sound, names: list[str], window: Window, seed: int) -> Outcome:
    """Run faults of the rig, one or several at once."""
    random = np.random.default_rng(seed)
    span = (window.first, window.last)
    drawn = [draw_fault(random, name, sound, span) for name in names]
    test = sound.test.with_values({"hardware.faults": [d.text for d in drawn], "seed": seed})
    work = Clockwork(test)
    work.advance(len(work.rows))
    latest = latest_trip(drawn)
    start = min((d.start for d in drawn), default=0.0)
    return outcome(sound, work, start, latest, [d.text for d in drawn])


def run_two(sound: Sound, window: Window, seed: int) -> Outcome:
    """Run two faults at once."""
    random = np.random.default_rng([seed, 2])
    names = [str(n) for n in random.choice(sorted(KINDS), 2, replace=False)]
    return run_fault(sound, names, window, seed)


def run_stall(sound: Sound, window: Window, seed: int) -> Outcome:
    """Let the loop stand still for 0.1 to 5 s; a rig that went safe is heard at once."""
    random = np.random.default_rng(seed)
    start, length = whole(random.uniform(window.first, window.last)), float(random.uniform(0.1, 5))
    work = Clockwork(sound.test)
    work.advance(round(start / TICK))
    before = work.get("rig.drive")
    alone = work.leave_alone(length)
    work.advance(len(work.rows))
    silent = length > RIG.timeout + TICK
    latest = start + 5 * TICK if silent else np.inf
    found = outcome(sound, work, start, latest, [f"stall of {length:.3f} s"])
    found["wrong"] += judge_alone(before, alone, sound, silent and length > 3.0)
    return found


def run_signal(sound: Sound, window: Window, seed: int) -> Outcome:
    """Send a signal to the loop, the supervisor or the rig, or let the operator do something."""
    random = np.random.default_rng(seed)
    start = whole(random.uniform(window.first, window.last))
    who = str(random.choice(["loop asked", "loop killed", "supervisor killed", "rig killed",
                             "operator trips"]))  # fmt: skip
    tick, test, latest = round(start / TICK), sound.test, np.inf
    if who == "rig killed":
        test = test.with_values({"hardware.faults": [f"loss=1@{start:.6g}"]})
        latest = start + KINDS["loss"].seconds
    work = Clockwork(test)
    work.advance(tick)
    wrong: list[str] = []
    if who == "loop killed":
        before = work.get("rig.drive")
        wrong += judge_alone(before, work.leave_alone(5.0), sound, arrives=True)
        found = outcome(sound, work, start, latest, [who])
        return {**found, "wrong": found["wrong"] + wrong}
    if who == "supervisor killed":
        latest = start + HEARTBEAT + 3 * TICK
        while work.cycle.stop is None and work.done < len(work.rows):
            work.put("realtime.silence", (work.done - tick) * TICK)
            work.advance(1)
    elif who != "rig killed":
        work.put("operator.ramp_out", 1.0 if who == "loop asked" else 2.0)
        latest = start + 2 * TICK if who == "operator trips" else latest
    work.advance(len(work.rows))
    found = outcome(sound, work, start, latest, [who])
    if who == "loop asked" and found["reason"] not in ("interrupted", "completed", "trip"):
        found["wrong"].append("it was not ramped out")
    return found


def whole(seconds: float) -> float:
    """Give the time of the nearest tick, s."""
    return round(seconds / TICK) * TICK


def judge_alone(before: float, alone: list[float], sound: Sound, arrives: bool) -> list[str]:
    """Judge a rig without its loop: it holds, returns slowly and comes to rest."""
    steps = np.abs(np.diff([before, *alone])) / TICK
    found = []
    if steps[round((RIG.timeout + 0.02) / TICK) :].max(initial=0.0) > RIG.rate * (1 + 1e-6):
        found.append("the rig alone was fast")
    if np.abs(alone).max(initial=0.0) > sound.limits["stroke"]:
        found.append("the rig alone went beyond its stroke")
    if arrives and abs(alone[-1]) > max(abs(before) - 2.0 * RIG.rate, 0.0) + 1e-9:
        found.append("the rig alone did not return")
    return found


def outcome(
    sound: Sound, work: Clockwork, start: float, latest: float, texts: list[str]
) -> Outcome:
    """Say how a run ended, and what was wrong with it."""
    stop = work.stop
    wrong = find_wrong(work.sent, stop, sound.limits, TICK, latest)
    tripped = None if stop.tripped is None else stop.tripped * TICK - start
    if tripped is not None and tripped < 0.0:
        wrong.append("it tripped before the fault")
    return {
        "faults": texts, "reason": stop.reason, "guard": stop.guard, "after": tripped,
        "promised": latest - start if latest < np.inf else None, "period": sound.period,
        "wrong": wrong,
    }  # fmt: skip
