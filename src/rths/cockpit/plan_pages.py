"""Plans in the browser: open, change, see what follows, save."""

from __future__ import annotations

import asyncio
import hashlib
import json
import time
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.websockets import WebSocket, WebSocketDisconnect

from rths.cockpit.asked import read_asked
from rths.cockpit.calculator import Calculator
from rths.cockpit.commands import refuse
from rths.cockpit.crowd import MOST_PAGES
from rths.cockpit.entrance import send_or_cut
from rths.config.toml_mistake import parse_toml
from rths.errors import InputError, explain_os_error
from rths.plain_file import read_text, write_text
from rths.plain_text import is_plain, make_plain

INDEX = Path(__file__).parent / "page" / "index.html"
TEMPLATES = Path(__file__).parents[1] / "config" / "templates"
SLOW, WHOLE = 2.0, 20.0
"""Seconds of a first look, and of a whole certificate, above which the verdict does not come with
the rehearsal, but later."""
PAUSE = 0.15
"""Seconds without a change after which margins and chart are asked for."""
MOST_PLANS = 200
MOST_BYTES = 1 << 21
"""Bytes of a plan that is opened here."""
MARK = "\N{ZERO WIDTH NO-BREAK SPACE}"
"""What a text in UTF-8 may begin with."""
MOST_CHANGES = 1000
"""Changes of one question: a slider makes a hundred a second."""


@dataclass
class Afterwards:
    """What follows on the changes of one page."""

    look: float = 0.0
    """Seconds that the last verdict took which came with the rehearsal."""
    whole: float = inf
    """Seconds of the last whole certificate; not known before the first."""
    wanted: tuple[dict[str, Any], str] | None = None
    """The newest question and its text, until all of it is answered."""
    task: asyncio.Task[None] | None = None

    @property
    def is_slow(self) -> bool:
        """Whether the verdict takes too long to be waited for."""
        return self.whole > SLOW and (self.look > SLOW or self.whole > WHOLE)


class PlanPages:
    """Everything before a test."""

    def __init__(
        self, folder: Path, first: str, root: Path, quick: Calculator, thorough: Calculator
    ) -> None:
        self.folder, self.first, self.root = folder, first, root
        self._quick, self._thorough = quick, thorough
        self._asking = 0
        self._saving = asyncio.Lock()

    async def warm_up(self) -> None:
        """Load what the first change would wait for."""
        text = (TEMPLATES / "wallace2005.toml").read_text(encoding="utf-8")
        folder = str(self.folder.absolute())
        await self._quick.ask("judge", folder=folder, text=text)

    async def index(self, request: Request) -> Response:
        """Give the page."""
        return FileResponse(INDEX)

    async def about(self, request: Request) -> Response:
        """Tell what this cockpit is about."""
        from rths import __version__

        plans = await asyncio.to_thread(self._list)
        folder, runs = (make_plain(str(p.absolute())) for p in (self.folder, self.root))
        told = {"version": __version__, "folder": folder, "plans": plans, "runs": runs}
        return JSONResponse({**told, "plan": self.first if is_plain(self.first) else ""})

    def _list(self) -> list[str]:
        """List the files that may be plans: TOML in the folder."""
        with suppress(OSError):
            found = sorted(p.name for p in self.folder.glob("*.toml") if p.is_file())
            return [name for name in found if _is_name(name)][:MOST_PLANS]
        return []

    def _find(self, name: str) -> Path:
        """Give the path of a plan by its name; nothing outside of the folder has one.

        A link may lead to a plan elsewhere, as on the command line, but to nothing else.
        """
        if _is_name(name) and (self.folder / name).resolve().suffix == ".toml":
            return self.folder / name
        remedy = "Give the name of a TOML file in the folder of the cockpit."
        raise InputError("plan", name, "is no plan here", remedy)

    async def open_plan(self, request: Request) -> Response:
        """Give the text of a plan and its form."""
        try:
            path = self._find(request.query_params.get("plan", ""))
            if path.stat().st_size > MOST_BYTES:
                remedy = "Use rths run, or put its matrices into a file of their own."
                raise InputError("plan", path.name, "is too long for a form", remedy)
            text = _read(path)
        except InputError as error:
            return refuse(error)
        except (OSError, ValueError) as error:
            os_error = error if isinstance(error, OSError) else OSError(0, "it is no text")
            return refuse(explain_os_error(os_error))
        form = await self._ask_form(text)
        return JSONResponse({"plan": path.name, "text": text, "digest": _digest(text), **form})

    async def _ask_form(self, text: str) -> dict[str, Any]:
        folder = str(self.folder.absolute())
        told: dict[str, Any] = json.loads(await self._quick.ask("form", folder=folder, text=text))
        return told

    async def save_plan(self, request: Request) -> Response:
        """Write a plan, if it is TOML and nobody else has changed it meanwhile."""
        try:
            given = await read_asked(request)
            path, text = self._find(str(given["plan"])), str(given["text"])
            parse_toml(text, path)
            digest = _digest(text)
            async with self._saving:  # of two at the same time one is the first
                await asyncio.to_thread(_save, path, text, given.get("digest"))
        except InputError as error:
            return refuse(error)
        except OSError as error:
            return refuse(explain_os_error(error))
        except (ValueError, KeyError, TypeError, RecursionError):
            return refuse(InputError("plan", None, "cannot be read", "Save it again."))
        return JSONResponse({"ok": True, "plan": path.name, "digest": digest})

    async def what_if(self, socket: WebSocket) -> None:
        """Follow the changes of one page: only the newest is answered, and that at once."""
        await socket.accept()
        if self._asking >= MOST_PAGES:
            await socket.close(1013, "too many pages")
            return
        self._asking += 1
        waiting: asyncio.Queue[dict[str, Any]] = asyncio.Queue(maxsize=1)
        working = asyncio.create_task(self._work(socket, waiting))
        try:
            async for text in socket.iter_text():
                if waiting.full():  # what is older nobody wants to know any more
                    waiting.get_nowait()
                waiting.put_nowait(_read_question(text))
                await asyncio.sleep(0)  # others have their turn
        except (WebSocketDisconnect, RuntimeError, ValueError, KeyError):
            pass  # it is gone, or sent what is no question
        finally:
            working.cancel()
            self._asking -= 1

    async def _work(self, socket: WebSocket, waiting: asyncio.Queue[dict[str, Any]]) -> None:
        """Answer one change after the other; what takes longer follows beside it."""
        after = Afterwards()
        try:
            while True:
                asked = await waiting.get()
                text = await self._answer(socket, asked, after)
                after.wanted = None if text is None else (asked, text)
                if after.task is None or after.task.done():
                    after.task = asyncio.create_task(self._follow(socket, after))
        finally:
            if after.task is not None:
                after.task.cancel()

    async def _follow(self, socket: WebSocket, after: Afterwards) -> None:
        """Give margins and chart of the newest text, when no number is being changed."""
        while after.wanted is not None:
            wanted = after.wanted
            await asyncio.sleep(PAUSE)
            for task in ("margins", "chart"):
                if wanted is not after.wanted:
                    break
                begun = time.monotonic()
                folder = str(self.folder.absolute())
                told = await self._thorough.ask(task, folder=folder, text=wanted[1])
                await _send(socket, task, wanted[0], told)
                if task == "margins":
                    after.whole = time.monotonic() - begun
            if wanted is after.wanted:
                after.wanted = None

    async def _answer(
        self, socket: WebSocket, asked: dict[str, Any], after: Afterwards
    ) -> str | None:
        """Change the text and judge it; give the text, None if it cannot be judged."""
        text, folder = asked["text"], str(self.folder.absolute())
        for change in asked["changes"]:
            given = {"text": text, "path": str(change.get("path")), "value": change.get("value")}
            told = await self._quick.ask("change", folder=folder, **given)
            made = json.loads(told)
            if not made["ok"]:
                await _send(socket, "judge", asked, told)
                return None
            text = made["text"]
        if asked["changes"]:
            await _send(socket, "text", asked, json.dumps({"ok": True, "text": text}))
        if asked.get("form"):
            form = json.dumps(await self._ask_form(text))
            await _send(socket, "form", asked, form)
        begun, verdict = time.monotonic(), not after.is_slow
        judged = await self._quick.ask("judge", folder=folder, text=text, verdict=verdict)
        await _send(socket, "judge", asked, judged)
        after.look = time.monotonic() - begun if verdict else after.look
        return text if judged.startswith('{"ok": true') else None


def _read(path: Path) -> str:
    """Read a plan; the mark that some editors put first is none of its text."""
    return read_text(path).removeprefix(MARK)


def _save(path: Path, text: str, digest: Any) -> None:
    """Write a plan with the mark and ends of line that it has, unless it is not what was opened."""
    if path.is_symlink():
        problem, remedy = "is a link to a plan elsewhere", "Save it under another name."
        raise InputError("plan", path.name, problem, remedy)
    if not path.exists():
        write_text(path, text)
        return
    if _digest(_read(path)) != digest:
        problem = "is there already, or was changed by somebody else since it was opened"
        remedy = "Save it under another name, or open it again."
        raise InputError("plan", path.name, problem, remedy)
    before = path.read_bytes()
    lines = text.replace("\n", "\r\n") if b"\r\n" in before else text
    write_text(path, MARK + lines if before.startswith(MARK.encode()) else lines)


def _read_question(text: str) -> dict[str, Any]:
    """Read a question of a page: the text of a plan, and changes of it."""
    asked = json.loads(text)
    changes = asked.get("changes", []) if isinstance(asked, dict) else None
    if not isinstance(changes, list) or len(changes) > MOST_CHANGES:
        raise ValueError
    if not isinstance(asked.get("text"), str) or not all(isinstance(c, dict) for c in changes):
        raise ValueError
    return {**asked, "changes": changes}


async def _send(socket: WebSocket, kind: str, asked: dict[str, Any], told: str) -> None:
    """Send an answer with the number of its question; the answer is JSON already."""
    head = json.dumps({"type": kind, "serial": asked.get("serial")})
    with suppress(WebSocketDisconnect, RuntimeError):
        await send_or_cut(socket, f"{head[:-1]}, {told[1:]}")


def _is_name(name: str) -> bool:
    """Tell whether a name is that of a file that is seen, in a folder."""
    whole = bool(name) and name == Path(name).name and is_plain(name)
    return whole and name.endswith(".toml") and not name.startswith(".")


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
