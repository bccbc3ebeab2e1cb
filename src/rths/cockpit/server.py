"""The server of the cockpit: pages, questions about plans and runs, and three live connections."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from rths.cockpit.admission import Admission
from rths.cockpit.aside import Aside
from rths.cockpit.asked import MOST_BYTES
from rths.cockpit.binding import Binding
from rths.cockpit.calculator import Calculator
from rths.cockpit.desk import Desk
from rths.cockpit.entrance import Connection, Entrance
from rths.cockpit.live_test import LiveTest
from rths.cockpit.plan_pages import PlanPages
from rths.cockpit.replay_pages import ReplayPages
from rths.cockpit.run_pages import RunPages
from rths.cockpit.tracking import warm_up

PAGE = Path(__file__).parent / "page"
LESS_PRIORITY, A_LITTLE_LESS = 10, 5
"""By how much certificates, and pages that somebody waits for, step back; the server does not: a
stop must not wait."""
GARBAGE = (700, 10, 10)
"""Python's own measure of when rings of unused objects are looked for. The command line looks more
rarely, to start sooner; here each estimate leaves a ring with 140 kB in it."""
ALONE = 15.0
"""Seconds without a page after which a cockpit that came with a run ends."""


def build(root: Path, plans: Path, plan: str, only: Path | None = None) -> tuple[Starlette, Desk]:
    """Build the application over a folder of runs and a folder of plans."""
    quick, thorough = Calculator(), Calculator(steps_back=LESS_PRIORITY)
    computing = (quick, thorough)
    aside = Aside(lambda: [os.getpid(), *(c.process for c in computing if c.process is not None)])
    live = LiveTest(root, only, thorough, aside)
    desk = Desk(live)
    pages = PlanPages(plans, plan, root, quick, thorough)
    runs = RunPages(root, live, thorough, A_LITTLE_LESS)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await asyncio.to_thread(warm_up)
        desk.watch_leaving()
        follow = (live.follow(), live.follow_files(), live.follow_others())
        tasks = [asyncio.create_task(each) for each in (*follow, pages.warm_up())]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await quick.close()
            await thorough.close()

    routes = [
        Route("/", pages.index),
        Route("/api/about", pages.about),
        Route("/api/plan", pages.open_plan, methods=["GET"]),
        Route("/api/plan", pages.save_plan, methods=["POST"]),
        WebSocketRoute("/what-if", pages.what_if),
        Route("/api/runs", runs.list),
        Route("/api/run/{run}/record", runs.record),
        Route("/api/compare", runs.compare),
        Route("/api/run/{run}/acknowledge", runs.acknowledge, methods=["POST"]),
        Route("/api/run/{run}/{page}", runs.make_page, methods=["POST"]),
        Route("/run/{run}/{page}.html", runs.page),
        WebSocketRoute("/replay", ReplayPages(runs, thorough).connect),
        WebSocketRoute("/live", desk.connect),
        Mount("/page", StaticFiles(directory=PAGE)),
    ]
    return Starlette(routes=routes, lifespan=lifespan), desk


def make_server(app: ASGIApp, binding: Binding, port: int) -> uvicorn.Server:
    """Make the server of an application that is guarded by who is let in."""
    secure = binding.certificate is not None
    config = uvicorn.Config(
        Admission(app, binding.hosts(port), binding.read_token(), secure),
        log_level="warning",
        access_log=False,
        ws=Connection,
        http=Entrance,
        ws_max_size=MOST_BYTES,
        ws_per_message_deflate=False,  # numbers hardly shrink, and time is dear
        ssl_certfile=binding.certificate,
        ssl_keyfile=binding.certificate_key,
        server_header=False,
        timeout_graceful_shutdown=1,
    )
    return uvicorn.Server(config)


def serve(
    binding: Binding,
    root: Path,
    plans: Path,
    plan: str = "",
    only: Path | None = None,
    tell: Callable[[str], None] = print,
    leaves: bool = False,
) -> None:
    """Serve until Ctrl-C, or, if it ``leaves``, until the run and all its pages are gone."""
    gc.set_threshold(*GARBAGE)
    binding.read_token()
    binding.check_certificate()
    app, desk = build(root, plans, plan, only)
    with binding.listen() as listening:
        port = int(listening.getsockname()[1])
        server = make_server(app, binding, port)
        if leaves:
            desk.when_left(ALONE, lambda: os.kill(os.getpid(), signal.SIGTERM))
        tell(f"cockpit: {binding.url(port)}")
        server.run(sockets=[listening])
