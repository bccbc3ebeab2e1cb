"""``rths cockpit``: see a test in the browser, ask "what if", and stop it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from rths.cli._plan import Trust

PLACE = 315


def cockpit(
    target: Annotated[
        Path | None,
        typer.Argument(help="A plan, a run, or a folder of runs; runs/ if not given."),
    ] = None,
    address: Annotated[
        str, typer.Option(help="Address to listen at; others reach it beyond 127.0.0.1.")
    ] = "127.0.0.1",
    port: Annotated[
        int | None, typer.Option(help="Port; 8472 or one that is free if not given.", max=65535)
    ] = None,
    token: Annotated[
        Path | None, typer.Option(help="File with the token that is asked for, by rths key.")
    ] = None,
    certificate: Annotated[Path | None, typer.Option(help="Certificate for TLS, PEM.")] = None,
    certificate_key: Annotated[Path | None, typer.Option(help="Its key, PEM.")] = None,
    trust: Trust = False,
    with_run: Annotated[bool, typer.Option("--with-run", hidden=True)] = False,
) -> None:
    """Serve the cockpit: plans, live tests and records in the browser; Ctrl-C ends it."""
    from rths.cockpit.companion import require_extra

    require_extra()
    from rths.cockpit.binding import Binding
    from rths.cockpit.place import find_place
    from rths.cockpit.server import serve

    binding = Binding(address, port, token, certificate, certificate_key)
    place = find_place(target, with_run)
    if trust and place.plan:
        from rths.cli._plan import read_plan

        read_plan(place.plans / place.plan, None, trust)

    def tell(words: str) -> None:
        print(words, flush=True, file=sys.stdout)

    serve(binding, place.root, place.plans, place.plan, place.only, tell, leaves=with_run)
