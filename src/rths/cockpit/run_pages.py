"""Runs in the browser: the list, a record, two side by side, report, acknowledgement.

What a command of ``rths`` does is done by that command, in a process of its own.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response

from rths.cockpit.asked import read_asked
from rths.cockpit.calculator import Calculator
from rths.cockpit.commands import Commands, refuse
from rths.cockpit.live_test import LiveTest
from rths.cockpit.past_runs import find_run, list_runs
from rths.errors import InputError
from rths.run.run_directory import RunDirectory

SANDBOX = (
    "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; font-src data:; "
    "frame-ancestors 'none'"
)
"""What a page about a run may do: be read. Names in it came from files."""


class RunPages:
    """Everything after a test."""

    def __init__(
        self, root: Path, live: LiveTest, calculator: Calculator, steps_back: int = 0
    ) -> None:
        self.root, self._live, self._calculator = root, live, calculator
        self._reports, self._acknowledgements = Commands(steps_back), Commands()
        self._listing = asyncio.Lock()

    def find(self, name: str) -> Path:
        """Give the folder of a run by its name."""
        shown = self._live.folder
        if shown is not None and name == shown.name:  # perhaps of another root
            return shown
        return find_run(self.root, name)

    async def list(self, request: Request) -> Response:
        """List the runs."""
        async with self._listing:
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
            given = {key: str(self.find(name).absolute()) for key, name in runs.items()}
        except InputError as error:
            return refuse(error)
        told = await self._calculator.ask(task, **given)
        return Response(told, media_type="application/json")

    async def acknowledge(self, request: Request) -> Response:
        """Acknowledge a trip by name and cause, as ``rths acknowledge`` does."""
        try:
            given = await read_asked(request)
            run = self.find(request.path_params["run"])
        except InputError as error:
            return refuse(error)
        words = [f"--{k}={given.get(k, '')}" for k in ("by", "cause")]
        words += [f"--second={given['second']}"] if given.get("second") else []
        return await self._acknowledgements.run("acknowledge", str(run.absolute()), *words)

    async def make_page(self, request: Request) -> Response:
        """Make the report or the certificate of a run."""
        try:
            run = RunDirectory(self.find(request.path_params["run"]).absolute())
        except InputError as error:
            return refuse(error)
        if request.path_params["page"] == "report":
            return await self._reports.run("report", str(run.record))
        if request.path_params["page"] == "certificate":
            return await self._reports.run(
                "certify", str(run.find_plan()), "--out", str(run.folder)
            )
        return Response(status_code=404)

    async def page(self, request: Request) -> Response:
        """Give the report or the certificate of a run, if it was made."""
        try:
            run = RunDirectory(self.find(request.path_params["run"]))
        except InputError as error:
            return refuse(error)
        pages = {"report": run.report, "certificate": run.certificate_page}
        path = pages.get(request.path_params["page"])
        if path is None or not path.is_file() or path.is_symlink():
            return Response("It was not made yet.\n", 404, media_type="text/plain")
        headers = {"Content-Security-Policy": SANDBOX}
        return FileResponse(path, media_type="text/html", headers=headers)
