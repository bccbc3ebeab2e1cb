"""The desk of a live test: pages come and go, one of them operates, everybody may stop.

A page sends one line of JSON for each act:

    {"act": "stop", "name": ...}   {"act": "sit", "name": ..., "secret": ...}   {"act": "stand"}
    {"act": "ramp out"}            {"act": "hand over", "share": ...}                           (1)

and is answered by {"type": "answer", "act": ..., "ok": ..., ...}. A stop is done before anything
else is looked at, and named by whoever is known to ask for it.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from rths.cockpit.crowd import Onlooker
from rths.cockpit.live_test import LiveTest
from rths.cockpit.pace import Pace
from rths.cockpit.requests import Request
from rths.errors import InputError
from rths.plain_text import make_plain

MOST_LETTERS = 1000
"""Letters of an act: a name, a share and a secret have less."""
TAKEN_OVER = {"type": "answer", "act": "sit", "ok": False, "told": "Your other page operates now."}
"""What a page is told whose seat was taken by a copy of it, which has its secret."""


class Desk:
    """All pages at a live test."""

    def __init__(self, live: LiveTest) -> None:
        self.live = live
        self._leaving: tuple[float, Callable[[], None]] | None = None
        self._departure: asyncio.Task[None] | None = None

    def when_left(self, patience: float, leave: Callable[[], None]) -> None:
        """Call something when the test is over and no page has been open for some seconds."""
        self._leaving = (patience, leave)

    def watch_leaving(self) -> None:
        """Begin to look whether everybody has gone."""
        if self._leaving is not None and self._departure is None:
            self._departure = asyncio.get_running_loop().create_task(self._wait_for_leave())

    async def _wait_for_leave(self) -> None:
        patience, leave = self._leaving or (0.0, lambda: None)
        alone = 0.0
        while alone < patience:
            await asyncio.sleep(1.0)
            gone = not self.live.crowd.pages and (self.live.is_over or not self.live.attachment)
            alone = alone + 1.0 if gone else 0.0
        leave()

    async def connect(self, socket: WebSocket) -> None:
        """Serve one page until it goes."""
        live = self.live
        await socket.accept()
        if live.crowd.is_full:
            await socket.close(1013, "too many pages")
            return
        address = socket.client.host if socket.client else "somewhere"
        serving = asyncio.current_task()

        def cut_off() -> None:
            socket.state.cut_off()
            if serving is not None:
                serving.cancel()

        page = live.crowd.enter(address, cut_off)
        live.greet(page)
        sending, pace = asyncio.create_task(_send(socket, page)), Pace()
        try:
            async for text in socket.iter_text():
                page.put(json.dumps(self.do(page, text)))
                await pace.keep()
        except (WebSocketDisconnect, RuntimeError, KeyError):
            pass  # it is gone, or sent what is no text
        except asyncio.CancelledError:
            if not serving or not sending or page.behind is None:
                raise
        finally:
            sending.cancel()
            live.crowd.leave(page)
            live.seat.leave(page.number, for_good=False)

    def do(self, page: Onlooker, text: str) -> dict[str, Any]:
        """Do an act (1); give the answer."""
        act: Any = ""
        try:
            asked = json.loads(text[:MOST_LETTERS])
            act = asked.get("act")
            if act == "stop":
                self._stop(page, str(asked.get("name", "")))
                return {"type": "answer", "act": act, "ok": True}
            return {"type": "answer", "act": act, "ok": True, **self._operate(page, asked)}
        except InputError as error:
            told = make_plain(f"{error.problem}. {error.remedy}")
            return {"type": "answer", "act": act, "ok": False, "field": error.field, "told": told}
        except (ValueError, AttributeError, TypeError, OverflowError, RecursionError):
            return {"type": "answer", "act": "", "ok": False, "told": "This means nothing."}

    def _stop(self, page: Onlooker, name: str) -> None:
        seat = self.live.seat
        if seat.sits(page.number):
            who = seat.name
        elif name.strip():
            who = f"{name} (watching)"
        else:
            who = f"a watcher at {page.address}"
        self.live.require_running().stop(who)

    def _operate(self, page: Onlooker, asked: dict[str, Any]) -> dict[str, Any]:
        act, seat = asked.get("act"), self.live.seat
        if act == "sit":
            name, secret = str(asked.get("name", "")), str(asked.get("secret", ""))
            before = self.live.crowd.pages.get(seat.page or 0)
            told = {"secret": seat.take(page.number, name, secret), "name": seat.name}
            if before is not None and before is not page:
                before.put(json.dumps(TAKEN_OVER))
            return told
        if not seat.sits(page.number):
            remedy = "Take the seat of the operator first."
            raise InputError("operator", None, "is somebody else, or nobody", remedy)
        if act == "stand":
            seat.leave(page.number, for_good=True)
            return {}
        share = asked.get("share")
        request = Request(seat.name, str(act), None if share is None else float(share))
        self.live.require_running().ask(request)
        return {}


async def _send(socket: WebSocket, page: Onlooker) -> None:
    """Send what waits for a page, one message after the other."""
    while True:
        message = await page.waiting.get()
        try:
            if isinstance(message, bytes):
                await socket.send_bytes(message)
            else:
                await socket.send_text(message)
        except (WebSocketDisconnect, RuntimeError, OSError):
            return
