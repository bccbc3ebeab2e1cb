"""The life of a real-time test, and who moved it on and why.

    unconfigured -> idle -> armed -> ramping in -> running -> ramping out -> idle              (1)
                        tripped, from anywhere, until it is acknowledged                      (2)

Every transition is an event with its reason, kept as JSON beside the record and, when the test has
ended, in it. A trip is kept too: a directory in which a test tripped takes no new run before
somebody has acknowledged it, and that is an event of the record as well.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from rths.assembly.hybrid_test import HybridTest
from rths.errors import InputError
from rths.loop.safe_path import RAMPING_IN, RAMPING_OUT, RUNNING, TRIPPED
from rths.loop.stop import Stop
from rths.realtime.directory import write_whole
from rths.realtime.words import RATIO, Words

State = Literal[
    "unconfigured", "idle", "armed", "ramping in", "running", "ramping out", "tripped"
]  # fmt: skip
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
EVENTS, TRIP = "events.json", "tripped.json"
LATCHED = ("trip", "killed")
"""Ends of a run after which somebody must look before the next."""


@dataclass(frozen=True)
class Event:
    """One transition or one act of the operator."""

    time: str
    """Time of day, UTC."""
    state: State
    """State after it."""
    reason: str
    tick: int | None = None
    """Tick of the test, if one was running."""


@dataclass(eq=False)
class LifeCycle:
    """State of one test, moved on by the operator and by the loop."""

    folder: Path
    state: State = "unconfigured"
    events: list[Event] = field(default_factory=list)
    clock: Callable[[], datetime] = field(default=lambda: datetime.now(UTC))
    _words: Words | None = None
    _ratio: tuple[float, float] | None = None

    def move(self, state: State, reason: str, tick: int | None = None) -> None:
        """Go to another state, if there is a way, and write down why."""
        if state not in WAYS[self.state]:
            ways = ", ".join(WAYS[self.state])
            raise InputError("state", state, f"does not follow on {self.state}", f"Go to: {ways}.")
        self.state = state
        self.note(reason, tick)

    def note(self, reason: str, tick: int | None = None) -> None:
        """Write down what happened without a change of state."""
        self.events.append(Event(self.clock().isoformat(), self.state, reason, tick))
        text = json.dumps([asdict(e) for e in self.events], indent=2) + "\n"
        with suppress(OSError):  # a full disk must not end the supervisor; the next note has it
            write_whole(self.folder / EVENTS, text)

    def configure(self, test: HybridTest) -> None:
        """Take a test; refused while a trip of this directory is not acknowledged."""
        self.folder.mkdir(parents=True, exist_ok=True)
        refuse_tripped(self.folder)
        self.move("idle", f"configured with {test.name}")

    def arm(self, test: HybridTest) -> None:
        """Go to armed, if nobody has done so."""
        if self.state == "unconfigured":
            self.configure(test)
        if self.state == "idle":
            self.move("armed", "by the run")

    def follow(self, words: Words) -> None:
        """From now on the loop of these words moves the state on."""
        self._words = words

    def visit(self, seconds: float, tick: int | None = None) -> None:
        """Look what the loop has told, and move the operator's ratio on; called now and then."""
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
                    self._latch({"message": "the loop has tripped", **words.read_latch()})

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
        words.put("operator.ramp_out", request)
        self.note(reason)
        return True

    def end(self, stop: Stop) -> None:
        """Note the end of the loop, in the record too; a trip is latched in the directory."""
        state: State = "tripped" if stop.reason in LATCHED else "idle"
        tick = stop.tripped if stop.reason == "trip" else stop.tick
        if stop.reason in LATCHED:
            self._latch(stop.as_dict())
        if self.state in ("tripped", state):
            self.note(stop.message, tick)
        else:
            self.move(state, stop.message, tick)
        _into_record(self.folder, [asdict(e) for e in self.events])

    def _latch(self, told: dict[str, Any]) -> None:
        text = json.dumps({**told, "acknowledged": None}, indent=2) + "\n"
        with suppress(OSError):  # as above; it is written again at the end
            write_whole(self.folder / TRIP, text)


def refuse_tripped(folder: Path) -> None:
    """Refuse a directory whose trip nobody has acknowledged."""
    if (folder / TRIP).exists():
        remedy = (
            "Find the cause, make sure that the rig is safe, then: "
            f"rths acknowledge {folder} --by NAME. It was: {_trip(folder)['message']}"
        )
        raise InputError("folder", str(folder), "holds a trip not yet acknowledged", remedy)


def refuse_tripped_rig(test: HybridTest, folder: Path) -> None:
    """Refuse a rig that tripped in another directory beside this one, until it is acknowledged."""
    from rths.config.plan import load

    for trip in sorted(folder.parent.glob(f"*/{TRIP}")):
        with suppress(InputError, OSError):
            if load(trip.parent / "plan.toml").hardware != test.hardware:
                continue
        refuse_tripped(trip.parent)


def latch(folder: Path, stop: Stop) -> None:
    """Latch the trip of a run whose supervisor did not live to do so, and note it."""
    life = LifeCycle(folder, "running", _events(folder))
    life.end(stop)


def end_is_noted(folder: Path) -> bool:
    """Tell whether the supervisor has noted the end of the run itself."""
    events = _events(folder)
    return bool(events) and events[-1].state in ("idle", "tripped")


def acknowledge(folder: Path, by: str) -> str:
    """Acknowledge the trip of a directory: it is kept under another name with who did it."""
    path = folder / TRIP
    if not path.exists():
        raise InputError("folder", str(folder), "holds no trip", "Name the directory of the run.")
    now = datetime.now(UTC).isoformat()
    told = {**_trip(folder), "acknowledged": {"by": by, "time": now}}
    kept = len(list(folder.glob("trip-*.json"))) + 1
    write_whole(folder / f"trip-{kept}.json", json.dumps(told, indent=2) + "\n")
    path.unlink()
    events = [asdict(e) for e in _events(folder)]
    events.append(asdict(Event(now, "idle", f"acknowledged by {by}")))
    write_whole(folder / EVENTS, json.dumps(events, indent=2) + "\n")
    _into_record(folder, events)
    return str(told["message"])


def _trip(folder: Path) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads((folder / TRIP).read_text(encoding="utf-8"))
    except ValueError:  # cut off by a full disk: it tripped all the same
        found = {"message": "of a cause that could not be written down"}
    return found


def _events(folder: Path) -> list[Event]:
    try:
        return [Event(**e) for e in json.loads((folder / EVENTS).read_text(encoding="utf-8"))]
    except (OSError, ValueError, TypeError):
        return []


def _into_record(folder: Path, events: list[dict[str, Any]]) -> None:
    """Keep the events of a directory in its record, if the run has come that far."""
    from rths.records.hdf5 import add_details

    if (folder / "record.h5").exists():
        with suppress(OSError):  # a full disk: they stand beside it
            add_details(folder / "record.h5", {"events": events})
