"""Commands of ``rths`` that a page asks for, each in a process of its own, one after the other.

However often a page asks, one process works at a time, and few questions wait for it: the machine
is the loop's.
"""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress

from starlette.responses import JSONResponse, Response

from rths.cockpit.calculation import tell_error
from rths.errors import InputError
from rths.plain_text import make_plain

PATIENCE = 600.0
"""Seconds after which a command is given up; beside a loop it gets what is left of the machine."""
MOST_WAITING = 4
"""Commands that are done or wait."""
START = "import os; os.nice({}); from rths.cli._start import main; main()"


class Commands:
    """One command after the other."""

    def __init__(self, steps_back: int = 0) -> None:
        self._steps_back = steps_back
        self._turn, self._waiting = asyncio.Lock(), 0

    async def run(self, *words: str) -> Response:
        """Run a command; give what it says."""
        if self._waiting >= MOST_WAITING:
            remedy = "Wait until what was asked for before is done."
            return refuse(InputError("rths", words[0], "is asked for too often", remedy))
        if "\0" in "".join(words):
            return refuse(InputError("rths", words[0], "is asked for in no text", "Type it again."))
        self._waiting += 1
        try:
            async with self._turn:
                return await self._run(words)
        finally:
            self._waiting -= 1

    async def _run(self, words: tuple[str, ...]) -> Response:
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-P", "-c", START.format(self._steps_back), *words,
            stdin=asyncio.subprocess.DEVNULL, stdout=pipe, stderr=pipe,
        )  # fmt: skip
        try:
            out, err = await asyncio.wait_for(process.communicate(), PATIENCE)
        except TimeoutError:
            problem = f"was not done within {PATIENCE:g} s"
            return refuse(InputError("rths", words[0], problem, "Run it on the command line."))
        finally:
            if process.returncode is None:
                with suppress(ProcessLookupError):
                    process.kill()
                await process.wait()
        told = make_plain((out + err).decode(errors="replace")).strip()
        ok = process.returncode != 2
        return JSONResponse({"ok": ok, "told": told}, 200 if ok else 400)


def refuse(error: InputError) -> JSONResponse:
    """Answer with an error that a page shows at its field."""
    return JSONResponse({"ok": False, "errors": [tell_error(error)]}, 400)
