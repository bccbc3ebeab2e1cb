"""Asks a process of its own to compute, one question after the other, without waiting for it.

A process that takes too long, or that ends, is replaced: the next question gets a new one.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from contextlib import suppress
from typing import Any

from rths.cockpit.calculation import LENGTH, MOST_BYTES, tell_error
from rths.errors import InputError

PATIENCE = 180.0
"""Seconds after which an answer is given up: a certificate of a large plan takes some."""


class Calculator:
    """One process that computes."""

    def __init__(self, patience: float = PATIENCE, steps_back: int = 0) -> None:
        self._patience, self._steps_back = patience, steps_back
        self._process: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()
        self._asking: asyncio.Task[str] | None = None

    @property
    def process(self) -> int | None:
        """The process that computes; None if there is none."""
        return None if self._process is None else self._process.pid

    async def ask(self, task: str, **given: Any) -> str:
        """Give the answer as JSON text; one that did not come says so.

        Who goes before it is his turn is forgotten; who goes later leaves an answer to nobody, so
        that the process goes on for the others.
        """
        await self._turn.acquire()
        asking = asyncio.create_task(self._answer(task, given))
        self._asking = asking
        return await asyncio.shield(asking)

    async def _answer(self, task: str, given: dict[str, Any]) -> str:
        try:
            return await asyncio.wait_for(self._exchange(task, given), self._patience)
        except TimeoutError:
            problem = f"was not calculated within {self._patience:g} s"
            await self._end()
        except (OSError, EOFError, asyncio.IncompleteReadError, ValueError):
            problem = "could not be calculated: the process that computes has ended"
            await self._end()
        finally:
            self._turn.release()
        error = InputError(task, None, problem, "Make the test shorter, or its step longer.")
        return json.dumps({"ok": False, "errors": [tell_error(error)]})

    async def _exchange(self, task: str, given: dict[str, Any]) -> str:
        process = await self._start()
        sink, source = process.stdin, process.stdout
        if sink is None or source is None:
            raise EOFError
        content = json.dumps({"task": task, "given": given}).encode()
        sink.write(LENGTH.pack(len(content)) + content)
        await sink.drain()
        (length,) = LENGTH.unpack(await source.readexactly(LENGTH.size))
        if length > MOST_BYTES:
            raise EOFError
        return (await source.readexactly(length)).decode()

    async def _start(self) -> asyncio.subprocess.Process:
        if self._process is None or self._process.returncode is not None:
            pipe = asyncio.subprocess.PIPE
            back = str(self._steps_back)
            command = [sys.executable, "-P", "-m", "rths.cockpit.calculation", back]
            threads = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
            self._process = await asyncio.create_subprocess_exec(
                *command, stdin=pipe, stdout=pipe, env={**os.environ, **threads}
            )
        return self._process

    async def close(self) -> None:
        """End the process, and what is asked of it."""
        if self._asking is not None:
            self._asking.cancel()
            await asyncio.gather(self._asking, return_exceptions=True)
        await self._end()

    async def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
