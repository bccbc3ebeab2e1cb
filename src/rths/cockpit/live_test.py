"""The test that runs, as all pages see it: attached when it begins, followed to its end.

Sixty times a second the new rows become a frame, five times a second everything else is told. This
happens in the process of the cockpit: the loop and its supervisor neither know of it nor wait.
"""

from __future__ import annotations

import asyncio
import json
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from rths.cockpit.attachment import Attachment
from rths.cockpit.calculator import Calculator
from rths.cockpit.crowd import Crowd
from rths.cockpit.noted import Noted
from rths.cockpit.packed import plain
from rths.cockpit.past_runs import find_live_runs
from rths.cockpit.seat import Seat
from rths.cockpit.view import View
from rths.errors import InputError
from rths.plain_text import make_plain
from rths.realtime.lifecycle import PHASES
from rths.run.run_directory import RunDirectory

LOOK, ALONE = 1 / 60, 0.2
"""Seconds between two looks at the ring, with pages and without."""
TELL = 0.2
"""Seconds between two states."""
SEARCH = 0.5
"""Seconds between two looks for a test that begins."""


class LiveTest:
    """What runs now, or ran last."""

    def __init__(self, root: Path, only: Path | None, calculator: Calculator) -> None:
        self.root, self.only = root, only
        self.crowd, self.seat = Crowd(), Seat()
        self._calculator = calculator
        self.attachment: Attachment | None = None
        self.view: View | None = None
        self.limits: dict[str, Any] | None = None
        self.is_over = False
        self.problem = ""
        self._refused: set[str] = set()
        self._told = -TELL
        self._noted: Noted | None = None
        self._work: set[asyncio.Task[None]] = set()

    @property
    def folder(self) -> Path | None:
        """Directory of the test."""
        return None if self.attachment is None else self.attachment.directory.folder

    async def follow(self) -> None:
        """Look for a test, follow it to its end, and look for the next; nothing ends this."""
        while True:
            begun = time.monotonic()
            try:
                pause = await self._go_on()
            except Exception as error:  # a trusted block may raise anything; a stop must still work
                self.problem = make_plain(f"not shown: {type(error).__name__}: {error}")
                pause = SEARCH
            await asyncio.sleep(max(0.001, pause - (time.monotonic() - begun)))

    async def follow_files(self) -> None:
        """Read the files of the test again and again, in a thread: a disk may not answer."""
        while True:
            if (noted := self._noted) is not None:
                with suppress(OSError):
                    told = await asyncio.to_thread(noted.look_again)
                    self._noted = told if self._noted is noted else self._noted
            await asyncio.sleep(TELL)

    async def _go_on(self) -> float:
        """Search or look once; give the seconds until the next time."""
        if self.attachment is None or self.is_over:
            before = self.attachment
            await asyncio.to_thread(self._search)
            if self.attachment is before:
                self._tell_state()
                return SEARCH
        self._look()
        return LOOK if self.crowd.pages else ALONE

    def _search(self) -> None:
        """Attach to the test that goes on; one that cannot be shown is named once."""
        for folder in self._candidates():
            try:
                found = Attachment.open(folder)
            except InputError as error:
                is_new = folder != self.folder and str(error) not in self._refused
                if is_new and RunDirectory(folder).is_held():
                    self._refused.add(str(error))
                    self.problem = make_plain(str(error))
                continue
            except (OSError, ValueError):
                continue  # it is just being made, or just gone
            self._attach(found)
            return

    def _candidates(self) -> list[Path]:
        if self.only is not None:
            return [self.only]
        return find_live_runs(self.root)

    def _attach(self, found: Attachment) -> None:
        self.view, self.limits = View(found.seen), None
        self.problem, self._noted = "", Noted(found.directory).look_again()
        self.attachment, self.is_over = found, False

    def _look(self) -> None:
        """Take new rows to every page, and now and then everything else."""
        attachment, view = self.attachment, self.view
        if attachment is None or view is None:
            return
        if self.limits is None:
            self.limits = {}
            self.greet_all()
            task = asyncio.get_running_loop().create_task(self._find_limits(attachment))
            self._work.add(task)
            task.add_done_callback(self._work.discard)
        attachment.tell_unheard()
        ending = attachment.has_ended or not (self._noted and self._noted.held)
        frame = view.add(attachment.take_rows())
        if frame is not None:
            self.crowd.tell(frame)
        if ending:
            self.is_over = True
        if ending or time.monotonic() - self._told >= TELL:
            self._tell_state()

    async def _find_limits(self, attachment: Attachment) -> None:
        """Ask for the certificate of the test; it comes when it is ready."""
        run = str(attachment.directory.folder.absolute())
        told = json.loads(await self._calculator.ask("limits", run=run))
        if attachment is not self.attachment or self.view is None:
            return
        self.limits = told
        self.view.set_limits(told)

    def greet_all(self) -> None:
        """Tell every page what is shown from now on."""
        for message in self.greeting():
            self.crowd.tell(message)

    def greeting(self) -> list[str | bytes]:
        """Give what a page needs to begin: the test, its last seconds, its state."""
        attachment, view = self.attachment, self.view
        if attachment is None or view is None:
            return [self._state_text()]
        test = {
            "type": "test",
            "name": attachment.test.name,
            "run": attachment.directory.folder.name,
            "trips": attachment.trips,
            **view.about(),
        }
        return [json.dumps(plain(test)), view.history(), self._state_text()]

    def _tell_state(self) -> None:
        self._told = time.monotonic()
        if self.crowd.pages or self.view is not None:
            self.crowd.tell(self._state_text())

    def _state_text(self) -> str:
        state: dict[str, Any] = {
            "type": "state",
            "attached": self.attachment is not None,
            "over": self.is_over,
            "problem": self.problem,
            "operator": "" if self.seat.is_free else self.seat.name,
            "pages": len(self.crowd.pages),
        }
        attachment = self.attachment
        if attachment is not None and self.view is not None:
            latch = attachment.read_latch()
            noted = self._noted or Noted(attachment.directory)
            state |= self.view.state()
            state |= {
                "phase": self._phase(latch),
                "latch": latch,
                "slips": attachment.slips,
                "share": attachment.share,
                "events": noted.events,
                "machine": noted.machine,
                "tripped": noted.tripped,
                "recorded": self.is_over and noted.recorded,
                "certificate": self.limits or None,
            }
        return json.dumps(plain(state))

    def _phase(self, latch: dict[str, float] | None) -> str:
        if self.attachment is None:
            return ""
        if not self.attachment.has_begun:
            return "armed"
        told = "running" if latch is None else PHASES.get(latch["phase"], "running")
        if not self.is_over:
            return told
        return "tripped" if told == "tripped" else "ended"

    def require_running(self) -> Attachment:
        """Give the attachment of a test that goes on."""
        if self.attachment is None or self.is_over:
            raise InputError("test", None, "is not running", "Start it: rths run PLAN --realtime.")
        return self.attachment
