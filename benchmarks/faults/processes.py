"""A live run: loop, supervisor and rig are processes of their own, begun and ended from here."""

from __future__ import annotations

import json
import signal
import time
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from rths.assembly.hybrid_test import HybridTest
from rths.errors import InputError
from rths.hardware.base import Line
from rths.realtime.control_words import ControlWord
from rths.realtime.recovery import recover
from rths.realtime.rig import Rig, Serving
from rths.realtime.ring import SharedRing
from rths.realtime.supervisor import run_realtime
from rths.run.run_directory import RunDirectory

FORK = get_context("fork")
"""A copy of this process has everything imported and compiled."""
PATIENCE = 40.0
"""s after which a process that has not ended counts as one that hangs."""
REFUSED = "refused.txt"
"""File with what was said against a test that did not begin."""


@dataclass(eq=False)
class Live:
    """A run: its directory and its processes."""

    test: HybridTest
    folder: Path
    rig: BaseProcess
    supervisor: BaseProcess
    line: Line
    over: Any
    """Event that ends the rig."""
    status: Any
    """Pipe with all status bits that the rig ever showed."""
    earlier: list[bytes] = field(default_factory=list)
    """Packets of a session before this one."""

    @property
    def loop(self) -> int | None:
        """Number of the loop's process, while it lives."""
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                with suppress(OSError):
                    words = (entry / "cmdline").read_bytes().split(b"\0")
                    mine = str(self.folder).encode() in words
                    if b"rths.realtime.loop_process" in words and mine:
                        return int(entry.name)
        return None

    def wait_until_running(self) -> bool:
        """Wait for the first row; False if there is none to come."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and self.supervisor.is_alive():
            with suppress(OSError, ValueError, KeyError):
                about = json.loads((self.folder / "realtime.json").read_text())
                ring = SharedRing.attach(Path(about["ring"]), about["width"])
                if ring.read(ControlWord.WRITTEN) > 0:
                    return True
            time.sleep(0.01)
        return False

    def end(self) -> int | None:
        """Wait for the end of all, make the record if nobody has, give the bits of the rig."""
        self.supervisor.join(PATIENCE)
        until = time.monotonic() + PATIENCE
        while self.loop is not None and time.monotonic() < until:
            time.sleep(0.02)
        self.over.set()
        self.rig.join(5.0)
        if self.rig.is_alive():
            self.rig.kill()  # it was stopped
            self.rig.join()
        found: int | None = None
        with suppress(EOFError, OSError):
            found = self.status.recv() if self.status.poll(0.1) else None
        self.status.close()
        self.line.close()
        if (self.folder / "journal").exists() and not RunDirectory(self.folder).record.exists():
            recover(self.folder)
        return found


def begin_run(rig: Rig, line: Line, folder: Path, earlier: Any = lambda test: []) -> Live:
    """Start a rig and a run with it; ``earlier`` may speak with the rig before."""
    test = rig.test.with_values({"hardware.port": int(line.where.rpartition(":")[2])})
    ours, theirs = FORK.Pipe(duplex=False)
    over = FORK.Event()
    serving = FORK.Process(target=_serve, args=(rig, line, over, theirs))
    serving.start()
    theirs.close()
    recorded = earlier(test)
    supervisor = FORK.Process(target=_supervise, args=(test, folder))
    supervisor.start()
    return Live(test, folder, serving, supervisor, line, over, ours, recorded)


def _serve(rig: Rig, line: Line, over: Any, pipe: Any) -> None:
    """Be the rig until the event, and tell which status bits there were."""
    seen = 0

    def look(serving: Serving) -> bool:
        nonlocal seen
        seen |= serving.status
        return not over.is_set()

    rig.serve(line, 2 * PATIENCE, look)
    pipe.send(seen)


def _supervise(test: HybridTest, folder: Path) -> None:
    """Be the supervisor; what is said against the test is left in its directory."""
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    try:
        run_realtime(test, folder, tell=lambda words: None)
    except InputError as error:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / REFUSED).write_text(str(error), "utf-8")
