"""The supervisor of a real-time test: starts the loop, keeps its heart beating, drains its ring.

Every 20 ms the rows that the loop has put into shared memory are appended to the journal. When the
loop has ended, for whatever reason, journal and ring become the record. A supervisor that is killed
loses nothing either: the loop notices the missing heartbeat and ends, its rows are still in shared
memory, and ``recover`` makes the record from what is there.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rths.assembly.hybrid_test import HybridTest
from rths.assembly.safeguard import SILENCE
from rths.config.attachments import place_files
from rths.config.plan import dumps
from rths.errors import InputError
from rths.loop.stop import Stop
from rths.plain_file import drop_link, write_text
from rths.plain_text import make_plain
from rths.realtime.control_words import ControlWord, LoopState
from rths.realtime.journal import Journal
from rths.realtime.lifecycle import LifeCycle
from rths.realtime.machine import PRIORITY
from rths.realtime.permission import moves_rig, permit_test
from rths.realtime.recovery import rebuild_record
from rths.realtime.rig_latch import latch_of
from rths.realtime.ring import SharedRing
from rths.realtime.silence import Listener
from rths.realtime.words import LOOK, OperatorWords
from rths.records.timing import ROW_HEADER
from rths.run.operator import operator
from rths.run.run_directory import RunDirectory, read_json, write_json

UNLIMITED = 1_000_000_000
"""Slipped periods that no test has."""
FASTEST = 8192
"""Ticks per second up to which the loop is paced."""
POLL = 0.001
"""Seconds between two looks at a loop that is starting."""


def tell_operator(words: str) -> None:
    """Say something to whoever stands beside the test; where nobody hears it the test goes on."""
    with suppress(OSError, ValueError):  # a terminal that was closed, a pipe that nobody reads
        print(make_plain(words), file=sys.stderr, flush=True)


@dataclass(frozen=True)
class Pace:
    """How strict a real-time run is."""

    slips: int = UNLIMITED
    """Slipped periods that end the test; not where a rig is moved, which needs a way to safety."""
    heartbeat: float = 0.5
    """Seconds without a beat of the supervisor after which the loop ends by itself."""
    priority: int = PRIORITY
    ring_seconds: float = 30.0
    """Length of the ring: how long the supervisor may be silent before rows are lost."""


def run_realtime(
    test: HybridTest,
    folder: Path,
    pace: Pace = Pace(),  # noqa: B008 - frozen
    progress: Callable[[int], None] | None = None,
    life: LifeCycle | None = None,
    visit: Callable[[LifeCycle], None] | None = None,
    begin: Callable[[], None] | None = None,
    tell: Callable[[str], None] = tell_operator,
) -> Stop:
    """Run a test on the clock; the directory then holds record, plan, journal, machine and events.

    ``begin`` is called once when the loop is ready and has not begun; ``visit`` with every look at
    the ring, for the operator to move the test on; ``tell`` with what the operator should know.
    """
    _check_pace(test, pace)
    permit_test(test)
    life = life or LifeCycle(folder)
    directory = RunDirectory(folder)
    directory.make()
    with directory.hold() as lock, ExitStack() as locks:
        directory.refuse_unrecovered()  # before arming, which is noted
        life.arm(test)
        directory.clear()
        about, ring = _prepare(test, directory, pace)
        words = OperatorWords(test.live_layout, ring)
        words.reset()
        with Journal(directory.journal, about) as journal, operator() as wishes:
            watch = Supervision(ring, journal, life, wishes, test.tick, tell, locks)
            process = _start_process(directory, watch, lock)
            watch.files = directory.read_origins()
            if begin is not None:
                begin()
            fading = test.safety is not None and test.safety.fade_in > 0
            life.move("ramping in" if fading else "running", "the loop is ready")
            life.follow(words)
            watch.wait_for_end(process, visit, progress)
        return _finish(folder, watch)


def _check_pace(test: HybridTest, pace: Pace) -> None:
    """Refuse what no loop keeps up with, and slips that would end the loop and leave a rig."""
    if 1 / test.tick > FASTEST * (1 + 1e-9):
        raise InputError(
            "clock.tick", test.tick, f"is faster than {FASTEST} Hz", f"Give 1/{FASTEST} s or more."
        )
    if moves_rig(test) and pace.slips < UNLIMITED:
        problem = "would end the loop where a rig is moved, without a way to safety"
        remedy = 'Leave it out and add a [[guard]] of kind = "slips", which trips.'
        raise InputError("pace.slips", pace.slips, problem, remedy)


def _finish(planned: Path, watch: Supervision) -> Stop:
    """Make the record, or say where the samples are."""
    watch.follow_journal()
    folder = watch.folder
    remedy = (
        f"Make room, then: rths recover {folder}. Until the machine is switched off all "
        f"samples are in the journal and in {watch.ring.path}."
    )
    if watch.problem:
        raise InputError("folder", str(folder), watch.problem, remedy)
    lost = watch.ring.read(ControlWord.LOST)
    if lost:
        watch.say(f"{lost} rows were lost: the supervisor was silent for longer than the ring is")
    try:
        stop = rebuild_record(folder)
    except (OSError, InputError) as error:
        problem = f"has no record yet: {getattr(error, 'problem', error)}"
        raise InputError("folder", str(folder), problem, remedy) from error
    watch.life.end(stop)
    if folder != planned:
        problem = f"was replaced in mid-run: the record is in {folder}. {stop}"
        raise InputError("folder", str(planned), problem, "Take the record from there.")
    return stop


@dataclass(eq=False)
class Supervision:
    """What the supervisor does every 20 ms."""

    ring: SharedRing
    journal: Journal
    life: LifeCycle
    wishes: list[str]
    tick: float
    tell: Callable[[str], None]
    locks: ExitStack = field(default_factory=ExitStack)
    """What holds the folders into which the run had to go."""
    problem: str = ""
    """Why the last rows are not on the disk; then they are still in the ring."""
    signal: int = 0
    """The last signal that has reached the loop."""
    files: dict[Path, bytes] = field(default_factory=dict)
    """What a record needs beside the journal, by its place in the folder, if that is deleted."""

    def __post_init__(self) -> None:
        """Begin to listen for the loop; the journal tells which folder the run is in."""
        self.listener, self.folder = Listener(self.say), self.journal.path.parent

    def say(self, words: str) -> None:
        """Tell the operator, and keep it among the events."""
        self.life.note(words)
        self.tell(words)

    def wait_for_end(
        self,
        process: subprocess.Popen[bytes],
        visit: Callable[[LifeCycle], None] | None,
        progress: Callable[[int], None] | None,
    ) -> None:
        """Look every 20 ms until the loop has ended, for whatever reason."""
        while self.ring.read(ControlWord.STATE) != LoopState.ENDED and process.poll() is None:
            rows = self.look()
            if visit is not None:
                visit(self.life)
            if progress is not None:
                progress(rows)
            time.sleep(LOOK)
        process.wait()
        if visit is not None:  # what was asked for in the last moment is noted too, with who asked
            visit(self.life)
        self.look()
        if self.problem:  # nobody needs a heartbeat any more: what takes time may take it
            self.journal.settle()
            self.look()

    def look(self) -> int:
        """Beat, pass on what the operator wants, and keep the new rows; how many there are."""
        ring, life = self.ring, self.life
        ring.write(ControlWord.BEAT, ring.read(ControlWord.BEAT) + 1)
        if self.wishes:
            self._leave(self.wishes.pop())
        rows, before = ring.copy_new(), self.problem
        self._keep(rows)
        if ring.read(ControlWord.STATE) == LoopState.RUNNING:
            self.listener.listen(len(rows))
        if ring.read(ControlWord.SIGNAL) != self.signal:
            self.signal = ring.read(ControlWord.SIGNAL)
            self.say(f"{signal.Signals(self.signal).name} has reached the loop: it is left")
        if self.problem and not before:  # the ring has room for many times the way to safety
            self._leave(self.problem)
        # A loop that stands still takes no part of a way that it would have to make up for.
        seconds = min(LOOK, len(rows) * self.tick)
        life.visit(seconds, int(rows[-1, 0]) if len(rows) else None)
        return len(rows)

    def follow_journal(self) -> None:
        """Go where the journal is, which may have had to leave its folder; see that all is there.

        The rig is told too: it is this run that has it. One that is not replaced is held already.
        """
        before, self.folder = self.folder, self.journal.path.parent
        with suppress(InputError):
            self.locks.enter_context(RunDirectory(self.folder).hold())
        self._restore()
        if self.folder != before:
            self.life.folder = self.folder
            rig = latch_of(self.life.directory)
            if rig is not None:
                rig.follow_run(before, self.folder)
            self.say(f"{before} was replaced: the run is kept in {self.folder}")

    def _restore(self) -> None:
        """Write again what a record needs, if the folder was deleted."""
        with suppress(OSError):
            for place, content in self.files.items():
                path = self.folder / place
                if not path.exists():
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_bytes(content)

    def _leave(self, reason: str) -> None:
        if not self.life.ramp_out(reason):
            self.ring.write(ControlWord.STOP, 1)

    def _keep(self, rows: NDArray[np.float64]) -> None:
        """Put rows on the disk; where they find no room they stay in the ring."""
        try:
            self.journal.append(rows)
        except OSError as error:
            self.problem = f"cannot be written ({error})"
            self._restore()
        else:
            was_gone, self.problem = bool(self.problem), ""
            self.ring.release(len(rows))
            if was_gone or self.journal.path.parent != self.folder:
                self.follow_journal()


def _prepare(
    test: HybridTest, directory: RunDirectory, pace: Pace
) -> tuple[dict[str, Any], SharedRing]:
    """Write down what loop and recovery must know, and make the ring."""
    width = len(test.live_layout.record_slots) + len(ROW_HEADER)
    way = 2 * test.clock.tail * test.tick  # what a full disk must leave room for, and more
    silent = _patience(test, pace)  # as long as the loop goes on without a supervisor
    rows = round(max(pace.ring_seconds, way, silent) / test.tick)
    ring = SharedRing.reserve(rows, width)
    ring.write(ControlWord.SLIP_LIMIT, pace.slips)
    about = {
        "name": test.name,
        "tick": test.tick,
        "width": width,
        "ring": str(ring.path),
        "heartbeat": _patience(test, pace),
        "priority": pace.priority,
        "supervisor": os.getpid(),
    }
    drop_link(directory.copies).mkdir(exist_ok=True)
    write_text(directory.copied_plan, place_files(test, directory.copies))
    write_text(directory.plan, dumps(test))
    write_json(directory.session, about)
    return about, ring


def _patience(test: HybridTest, pace: Pace) -> float:
    """Time after which the loop ends by itself: a guard of the heartbeat gets there before it."""
    if test.safety is None:
        return pace.heartbeat
    beats = [g for g in test.guards if g.watches_supervisor and g.trip is not None]
    trips = [g.bounds["trip_high"] for g in beats]
    way = test.clock.tail * test.tick + 1.0
    return max(pace.heartbeat, *(t + way for t in trips or [SILENCE]))


def _start_process(
    directory: RunDirectory, watch: Supervision, lock: int
) -> subprocess.Popen[bytes]:
    """Start the loop's process and wait until it is ready; what it has against the test is raised.

    It is no child of the terminal: Ctrl-C is for the supervisor to hear. It holds the directory as
    long as it lives, longer than a supervisor that is killed.
    """
    safe = "-P"  # else modules in the current folder would be taken for those of Python
    command = [sys.executable, safe, "-m", "rths.realtime.loop_process", str(directory.folder)]
    process = subprocess.Popen(command, start_new_session=True, pass_fds=[lock])
    ring = watch.ring
    try:
        while ring.read(ControlWord.STATE) != LoopState.READY and process.poll() is None:
            if watch.wishes:
                raise KeyboardInterrupt
            time.sleep(POLL)
        if process.poll() is not None:
            raise _refusal(directory)
    except BaseException as error:
        ring.write(ControlWord.STOP, 1)
        process.wait()
        ring.remove()
        watch.journal.discard()
        watch.life.move("idle", str(error) or "the operator ended it before it began")
        raise
    return process


def _refusal(directory: RunDirectory) -> Exception:
    if not directory.refusal.exists():
        problem = "has no test: the loop's process was ended from outside before it began"
        remedy = "See who ended it, acknowledge the rig if it is latched, and begin again."
        return InputError("folder", str(directory.folder), problem, remedy)
    return InputError(**read_json(directory.refusal))
