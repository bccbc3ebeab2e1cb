"""Runs in the browser: the list, a record, two side by side, replay, report, acknowledgement.

What a command of ``rths`` does is done by that command, in a process of its own.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.websockets import WebSocket, WebSocketDisconnect

from rths.cockpit.calculation import tell_error
from rths.cockpit.calculator import Calculator
from rths.cockpit.live_test import LOOK, TELL, LiveTest
from rths.cockpit.packed import plain
from rths.cockpit.past_runs import find_run, list_runs
from rths.cockpit.replay import Replay
from rths.errors import InputError
from rths.plain_text import make_plain
from rths.run.run_directory import RunDirectory

PATIENCE = 120.0
"""Seconds after which a command is given up."""
SANDBOX = (
    "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; font-src data:; "
    "frame-ancestors 'none'"
)
"""What a page about a run may do: be read. Names in it came from files."""


class RunPages:
    """Everything after a test."""

    def __init__(self, root: Path, live: LiveTest, calculator: Calculator) -> None:
        self.root, self._live, self._calculator = root, live, calculator

    def _find(self, name: str) -> Path:
        shown = self._live.folder
        if shown is not None and name == shown.name:  # perhaps of another root
            return shown
        return find_run(self.root, name)

    async def list(self, request: Request) -> Response:
        """List the runs."""
        return JSONResponse(await asyncio.to_thread(list_runs, self.root))

    async def record(self, request: Request) -> Response:
        """Give what is drawn of a record."""
        return await self._ask("record", run=request.path_params["run"])

    async def compare(self, request: Request) -> Response:
        """Give two records side by side."""
        names = {k: request.query_params.get(k, "") for k in ("first", "second")}
        return await self._ask("compare", **names)

    async def _ask(self, task: str, **runs: str) -> Response:
        try:
            given = {key: str(self._find(name).absolute()) for key, name in runs.items()}
        except InputError as error:
            return _refuse(error)
        told = await self._calculator.ask(task, **given)
        return Response(told, media_type="application/json")

    async def acknowledge(self, request: Request) -> Response:
        """Acknowledge a trip by name and cause, as ``rths acknowledge`` does."""
        try:
            given = json.loads(await request.body())
            run = self._find(request.path_params["run"])
            words = [f"--{k}={given.get(k, '')}" for k in ("by", "cause")]
            words += [f"--second={given['second']}"] if given.get("second") else []
        except InputError as error:
            return _refuse(error)
        except (ValueError, AttributeError, TypeError, RecursionError):
            return _refuse(InputError("cause", None, "cannot be read", "Give name and cause."))
        return await _command("acknowledge", str(run.absolute()), *words)

    async def make_page(self, request: Request) -> Response:
        """Make the report or the certificate of a run."""
        try:
            run = RunDirectory(self._find(request.path_params["run"]).absolute())
        except InputError as error:
            return _refuse(error)
        if request.path_params["page"] == "report":
            return await _command("report", str(run.record))
        if request.path_params["page"] == "certificate":
            return await _command("certify", str(run.find_plan()), "--out", str(run.folder))
        return Response(status_code=404)

    async def page(self, request: Request) -> Response:
        """Give the report or the certificate of a run, if it was made."""
        try:
            run = RunDirectory(self._find(request.path_params["run"]))
        except InputError as error:
            return _refuse(error)
        pages = {"report": run.report, "certificate": run.certificate_page}
        path = pages.get(request.path_params["page"])
        if path is None or not path.is_file() or path.is_symlink():
            return Response("It was not made yet.\n", 404, media_type="text/plain")
        headers = {"Content-Security-Policy": SANDBOX}
        return FileResponse(path, media_type="text/html", headers=headers)

    async def replay(self, socket: WebSocket) -> None:
        """Play a record to one page as if it were live."""
        await socket.accept()
        try:
            run = self._find(socket.query_params.get("run", ""))
            replay = await asyncio.to_thread(Replay, run)
        except (InputError, OSError) as error:
            await socket.send_text(json.dumps({"type": "refused", "told": make_plain(str(error))}))
            await socket.close()
            return
        playing = asyncio.create_task(_play(socket, replay))
        try:
            async for text in socket.iter_text():
                asked = json.loads(text)
                if "speed" in asked:
                    replay.set_speed(float(asked["speed"]))
                if "jump" in asked:
                    replay.jump(float(asked["jump"]))
                    await _greet(socket, replay)
        except (WebSocketDisconnect, RuntimeError, ValueError, TypeError, KeyError):
            pass
        finally:
            playing.cancel()


async def _greet(socket: WebSocket, replay: Replay) -> None:
    about = {"type": "test", "name": replay.name, "run": "", "trips": False, "machine": []}
    await socket.send_text(json.dumps(plain({**about, **replay.view.about()})))
    await socket.send_bytes(replay.view.history())


async def _play(socket: WebSocket, replay: Replay) -> None:
    """Send frames; what a page does not take in time waits here, and nowhere else."""
    try:
        await _greet(socket, replay)
        looks = 0
        while True:
            frame = replay.view.add(replay.take_rows())
            if frame is not None:
                await socket.send_bytes(frame)
            if looks % round(TELL / LOOK) == 0:
                phase = "ended" if replay.is_over else "replay"
                state: dict[str, Any] = {"type": "state", "attached": True, "phase": phase}
                state |= {"over": replay.is_over, "told": replay.verdict, **replay.view.state()}
                await socket.send_text(json.dumps(plain(state)))
            looks += 1
            await asyncio.sleep(LOOK)
    except (WebSocketDisconnect, RuntimeError, OSError):
        return


async def _command(*words: str) -> Response:
    """Run a command of ``rths``; give what it says."""
    start = "from rths.cli._start import main; main()"
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-P", "-c", start, *words,
        stdin=asyncio.subprocess.DEVNULL, stdout=pipe, stderr=pipe,
    )  # fmt: skip
    try:
        out, err = await asyncio.wait_for(process.communicate(), PATIENCE)
    except TimeoutError:
        process.kill()
        await process.wait()
        problem = f"was not done within {PATIENCE:g} s"
        return _refuse(InputError("rths", words[0], problem, "Run it on the command line."))
    told = make_plain((out + err).decode(errors="replace")).strip()
    ok = process.returncode != 2
    return JSONResponse({"ok": ok, "told": told}, 200 if ok else 400)


def _refuse(error: InputError) -> JSONResponse:
    return JSONResponse({"ok": False, "errors": [tell_error(error)]}, 400)
