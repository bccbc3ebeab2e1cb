"""The life of a real-time test, and who moved it on and why.

    unconfigured -> idle -> armed -> ramping in -> running -> ramping out -> idle              (1)
                        tripped, from anywhere, until it is acknowledged                      (2)

Every transition is an event with its reason, kept in the run directory and, when the test has
ended, in its record, whose seal the last of them holds. A trip is kept too, until somebody
acknowledges it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rths.assembly.hybrid_test import HybridTest
from rths.config.fingerprint import fingerprint, tell_changes
from rths.errors import InputError
from rths.loop.stop import Stop
from rths.realtime.events import Event, State, put_into_record, read_events, read_seal, write_events
from rths.realtime.trip_latch import end_must_latch, let_rig_go, refuse_tripped, write_trip
from rths.realtime.words import RATIO, OperatorWords
from rths.records.trail import actor
from rths.run.run_directory import RunDirectory
from rths.safety.phase import RAMPING_IN, RAMPING_OUT, RUNNING, TRIPPED

Digests = Mapping[str, str]
WAYS: dict[State, tuple[State, ...]] = {
    "unconfigured": ("idle", "tripped"),
    "idle": ("armed", "tripped"),
    "armed": ("ramping in", "running", "idle", "tripped"),
    "ramping in": ("running", "ramping out", "idle", "tripped"),
    "running": ("ramping out", "idle", "tripped"),
    "ramping out": ("idle", "tripped"),
    "tripped": ("idle",),
}
"""States that may follow on each."""
PHASES: dict[float, State] = {
    RAMPING_IN: "ramping in",
    RUNNING: "running",
    RAMPING_OUT: "ramping out",
    TRIPPED: "tripped",
}
"""States by the phase that the loop tells."""


@dataclass(eq=False)
class LifeCycle:
    """State of one test, moved on by the operator and by the loop."""

    folder: Path
    state: State = "unconfigured"
    events: list[Event] = field(default_factory=list)
    clock: Callable[[], datetime] = field(default=lambda: datetime.now(UTC))
    changes: Mapping[str, Any] = field(default_factory=dict)
    """Fields of the plan that were changed for this test."""
    _words: OperatorWords | None = None
    _ratio: tuple[float, float] | None = None

    @property
    def directory(self) -> RunDirectory:
        """The files of the run."""
        return RunDirectory(self.folder)

    def move(
        self, state: State, reason: str, tick: int | None = None, about: Digests | None = None
    ) -> None:
        """Go to another state, if there is a way, and write down why."""
        if state not in WAYS[self.state]:
            ways = ", ".join(WAYS[self.state])
            raise InputError("state", state, f"does not follow on {self.state}", f"Go to: {ways}.")
        self.state = state
        self.note(reason, tick, about)

    def note(self, reason: str, tick: int | None = None, about: Digests | None = None) -> None:
        """Write down what happened without a change of state."""
        now = self.clock().isoformat()
        self.events.append(Event(now, self.state, reason, tick, actor(), about))
        with suppress(OSError):  # a full disk must not end the supervisor; the next note has it
            write_events(self.directory, self.events)

    def configure(self, test: HybridTest) -> None:
        """Take a test; refused while a trip of this directory is not acknowledged."""
        self.directory.make()
        refuse_tripped(self.folder)
        told = f"configured with {test.name}{tell_changes(self.changes)}"
        self.move("idle", told, about=fingerprint(test))

    def arm(self, test: HybridTest) -> None:
        """Go to armed, if nobody has done so."""
        if self.state == "unconfigured":
            self.configure(test)
        if self.state == "idle":
            self.move("armed", "by the run")

    def follow(self, words: OperatorWords) -> None:
        """From now on the loop of these words moves the state on."""
        self._words = words

    def visit(self, seconds: float, tick: int | None = None) -> None:
        """Look what the loop has told, and move the operator's ratio on by so much of its time."""
        words = self._words
        if words is None:
            return
        if self._ratio is not None:
            wanted, rate = self._ratio
            now = words.get(RATIO)
            step = min(max(wanted - now, -rate * seconds), rate * seconds)
            words.put(RATIO, wanted if abs(wanted - now) <= rate * seconds else now + step)
        if words.knows("safety.latch"):
            told = PHASES.get(words.read_latch()["phase"], self.state)
            if told != self.state and told in WAYS[self.state]:
                self.move(told, "by the loop", tick)
                if told == "tripped":
                    write_trip(
                        self.directory, {"message": "the loop has tripped", **words.read_latch()}
                    )

    def ramp_out(self, reason: str) -> bool:
        """Ask the loop to ramp out; say whether it can."""
        return self._ask(1.0, f"ramp out asked for: {reason}")

    def trip(self, reason: str) -> bool:
        """Trip by hand: the same way to safety, but latched until acknowledged."""
        return self._ask(2.0, f"trip asked for: {reason}")

    def hand_over(self, ratio: float, seconds: float, reason: str) -> bool:
        """Move the measured share of the force to a ratio; 1 hands over, 0 hands back."""
        words = self._words
        if words is None or not words.knows(RATIO):
            return False
        way = abs(ratio - words.get(RATIO))
        self._ratio = (ratio, way / seconds if seconds > 0 else float("inf"))
        self.note(f"measured share to {ratio:g} in {seconds:g} s: {reason}")
        return True

    @property
    def share(self) -> float | None:
        """The measured share of the force that was asked for last; None if it is not operated."""
        if self._words is None or not self._words.knows(RATIO):
            return None
        return self._words.get(RATIO) if self._ratio is None else self._ratio[0]

    def _ask(self, request: float, reason: str) -> bool:
        words = self._words
        if words is None or not words.knows("operator.ramp_out"):
            return False
        words.put("operator.ramp_out", max(request, words.get("operator.ramp_out")))
        self.note(reason)
        return True

    def end(self, stop: Stop) -> None:
        """Note the end of the loop, in the record too; a bad one is latched in the directory."""
        latched = end_must_latch(self.directory, stop)
        state: State = "tripped" if latched else "idle"
        tick = stop.tripped if stop.reason == "trip" else stop.tick
        if latched:
            write_trip(self.directory, stop.as_dict())
        seal = read_seal(self.directory)
        if self.state in ("tripped", state):
            self.note(stop.message, tick, seal)
        else:
            self.move(state, stop.message, tick, seal)
        put_into_record(self.directory, self.events)
        if not latched:
            let_rig_go(self.directory)  # at last: the state folder may be gone


def latch(folder: Path, stop: Stop) -> None:
    """Latch the trip of a run whose supervisor did not live to do so, and note it."""
    life = LifeCycle(folder, "running", read_events(RunDirectory(folder)))
    life.end(stop)


def note_recovery(folder: Path) -> None:
    """Note that the record of a run whose end is known was made again; it has another seal."""
    directory = RunDirectory(folder)
    events = read_events(directory)
    life = LifeCycle(folder, events[-1].state if events else "idle", events)
    life.note("record made again from the journal", about=read_seal(directory))
    put_into_record(directory, life.events)


def end_is_noted(folder: Path) -> bool:
    """Tell whether the supervisor has noted the end of the run itself."""
    events = read_events(RunDirectory(folder))
    return bool(events) and events[-1].state in ("idle", "tripped")
