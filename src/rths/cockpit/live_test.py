"""The test that runs, as all pages see it: attached when it begins, followed to its end.

New rows are looked at as often as somebody needs them (portions.py). Everything else is told five
times a second, and at once when the test goes into another phase, as by a trip. This happens in the
process of the cockpit: the loop and its supervisor neither know of it nor wait.
"""

from __future__ import annotations

import asyncio
import json
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from rths.cockpit.aside import Aside
from rths.cockpit.attachment import Attachment
from rths.cockpit.calculator import Calculator
from rths.cockpit.crowd import Crowd, Message, Onlooker
from rths.cockpit.noted import Noted
from rths.cockpit.packed import plain
from rths.cockpit.past_runs import find_live_runs
from rths.cockpit.portions import LOOK, WATCHED, Portions
from rths.cockpit.seat import Seat
from rths.cockpit.view import View
from rths.errors import InputError
from rths.plain_text import make_plain
from rths.realtime.lifecycle import PHASES
from rths.realtime.machine import Allowance
from rths.run.run_directory import RunDirectory

ALONE = 0.2
"""Seconds between two looks at the ring without a page."""
TELL = 0.2
"""Seconds between two states."""
SEARCH = 0.5
"""Seconds between two looks for a test that begins."""
OTHERS = 5.0
"""Seconds between two looks for others beside the one that is shown."""


class LiveTest:
    """What runs now, or ran last."""

    def __init__(
        self, root: Path, only: Path | None, calculator: Calculator, aside: Aside | None = None
    ) -> None:
        self.root, self.only = root, only
        self.crowd, self.seat = Crowd(), Seat()
        self._calculator, self._aside = calculator, aside or Aside(lambda: ())
        self._kept_off: Allowance | None = None
        self.attachment: Attachment | None = None
        self.view: View | None = None
        self.limits: dict[str, Any] | None = None
        self.is_over = False
        self.problem = ""
        self._refused: set[str] = set()
        self._portions = Portions()
        self._told, self._told_phase = -TELL, ""
        self._noted: Noted | None = None
        self._others: list[str] = []
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
            self._step_aside()
            await asyncio.sleep(TELL)

    async def follow_others(self) -> None:
        """Look again and again which tests run beside the one that is shown."""
        while True:
            shown = self.folder
            if shown is not None and not self.is_over:
                with suppress(OSError):
                    found = await asyncio.to_thread(self._candidates)
                    self._others = sorted(f.name for f in found if f != shown)
            await asyncio.sleep(OTHERS)

    def _tell_others(self) -> str:
        """Say which tests run and are not shown."""
        if self.folder is None or self.is_over or not self._others:
            return ""
        names, one = ", ".join(self._others), self.root / self._others[0]
        words = f"not shown, and not stopped from here: {names}, which runs beside"
        return make_plain(f"{words} {self.folder.name}. Open it: rths cockpit {one} --port 0")

    def _step_aside(self) -> None:
        """Keep off the core of the loop while it runs."""
        if self.attachment is None or self.is_over:
            self._aside.come_back()
        else:
            self._kept_off = self._aside.keep_off(self.attachment.process)

    async def _go_on(self) -> float:
        """Search or look once; give the seconds until the next time."""
        if self.attachment is None or self.is_over:
            before = self.attachment
            await asyncio.to_thread(self._search)
            if self.attachment is before:
                self._tell_state()
                return SEARCH
        self._look()
        if not self.crowd.pages:
            return ALONE
        return WATCHED if self.seat.page is None else LOOK

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
        self._kept_off, self._others = None, []
        self.attachment, self.is_over = found, False

    def _look(self) -> None:
        """Take new rows to every page, and now and then everything else."""
        attachment, view = self.attachment, self.view
        if attachment is None or view is None:
            return
        if self.limits is None:
            self.limits = {}
            self.greet(*self.crowd.pages.values())
            task = asyncio.get_running_loop().create_task(self._find_limits(attachment))
            self._work.add(task)
            task.add_done_callback(self._work.discard)
        attachment.tell_unheard()
        ending = attachment.has_ended or not (self._noted and self._noted.held)
        view.add(attachment.take_rows())
        if ending:
            self.is_over = True
        happens = ending or self._phase(attachment.read_latch()) != self._told_phase
        self._portions.give(view, self.crowd, self.seat.page, to_all=happens)
        if happens or time.monotonic() - self._told >= TELL - 0.5 * LOOK:
            self._tell_state()

    async def _find_limits(self, attachment: Attachment) -> None:
        """Ask for the certificate of the test; it comes when it is ready."""
        run = str(attachment.directory.folder.absolute())
        told = json.loads(await self._calculator.ask("limits", run=run))
        if attachment is not self.attachment or self.view is None:
            return
        self.limits = told
        self.view.set_limits(told)

    def greet(self, *pages: Onlooker) -> None:
        """Tell pages what is shown from now on; samples that they get later come after these."""
        messages = self._greeting()
        for page in pages:
            page.given = 0 if self.view is None else self.view.drawn
            for message in messages:
                page.put(message)

    def _greeting(self) -> list[Message]:
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
        self._told_phase = self._phase(self.attachment.read_latch() if self.attachment else None)
        if self.crowd.pages:
            self.crowd.tell(self._state_text())
        elif self.view is not None:
            self.view.state()  # whoever comes later is shown the delays of the last minute

    def _state_text(self) -> str:
        state: dict[str, Any] = {
            "type": "state",
            "attached": self.attachment is not None,
            "over": self.is_over,
            "problem": self.problem or self._tell_others(),
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
                "machine": noted.machine + self._tell_kept_off(),
                "tripped": noted.tripped,
                "recorded": self.is_over and noted.recorded,
                "certificate": self.limits or None,
            }
        return json.dumps(plain(state))

    def _tell_kept_off(self) -> list[dict[str, Any]]:
        told = self._kept_off
        return [] if told is None else [{"granted": told.granted, "words": told.words}]

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
