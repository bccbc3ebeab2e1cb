"""A record that is played to one page, as if it were live."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from rths.cockpit.calculator import Calculator
from rths.cockpit.entrance import send_or_cut
from rths.cockpit.live_test import TELL
from rths.cockpit.pace import Pace
from rths.cockpit.packed import plain
from rths.cockpit.portions import LOOK
from rths.cockpit.replay import Replay
from rths.cockpit.run_pages import RunPages
from rths.plain_text import make_plain

MOST_REPLAYS = 8
"""Replays at a time: each has its record in memory."""


class ReplayPages:
    """Records that are being played."""

    def __init__(self, runs: RunPages, calculator: Calculator) -> None:
        self._runs, self._calculator = runs, calculator
        self._playing = 0

    async def connect(self, socket: WebSocket) -> None:
        """Play a record to one page until it goes."""
        await socket.accept()
        if self._playing >= MOST_REPLAYS:
            await _refuse(socket, "Other records are being played: end one of them.")
            return
        self._playing += 1
        try:
            run = self._runs.find(socket.query_params.get("run", ""))
            replay = await asyncio.to_thread(Replay, run)
        except Exception as error:  # a record may bring a trusted block, which may raise anything
            await _refuse(socket, make_plain(str(error)))
        else:
            await self._play(socket, run, replay)
        finally:
            self._playing -= 1

    async def _play(self, socket: WebSocket, run: Path, replay: Replay) -> None:
        tasks = [
            asyncio.create_task(_send_frames(socket, replay)),
            asyncio.create_task(self._find_limits(run, replay)),
        ]
        pace = Pace()
        try:
            async for text in socket.iter_text():
                await pace.keep()
                asked = json.loads(text)
                if "speed" in asked:
                    replay.set_speed(float(asked["speed"]))
                if "jump" in asked:
                    replay.jump(float(asked["jump"]))
                    await _greet(socket, replay)
        except (WebSocketDisconnect, RuntimeError, ValueError, TypeError, KeyError, OverflowError):
            pass
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _find_limits(self, run: Path, replay: Replay) -> None:
        """Ask for the certificate of the test; it comes when it is ready."""
        told = await self._calculator.ask("record limits", run=str(run.absolute()))
        replay.set_limits(json.loads(told))


async def _refuse(socket: WebSocket, told: str) -> None:
    with suppress(WebSocketDisconnect, RuntimeError):  # it may be gone
        await send_or_cut(socket, json.dumps({"type": "refused", "told": told}))
        await socket.close()


async def _greet(socket: WebSocket, replay: Replay) -> None:
    await send_or_cut(socket, json.dumps(plain(replay.about())))
    await send_or_cut(socket, replay.view.history())


async def _send_frames(socket: WebSocket, replay: Replay) -> None:
    """Send frames; what a page does not take in time waits here, and nowhere else."""
    try:
        await _greet(socket, replay)
        looks = 0
        while True:
            frame = replay.take_frame()
            if frame is not None:
                await send_or_cut(socket, frame)
            if looks % round(TELL / LOOK) == 0:
                state: dict[str, Any] = replay.state()
                await send_or_cut(socket, json.dumps(plain(state)))
            looks += 1
            await asyncio.sleep(LOOK)
    except (WebSocketDisconnect, RuntimeError, OSError):
        return
