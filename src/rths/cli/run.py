"""``rths run PLAN``: rehearse a plan as fast as the machine goes."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

STABLE, STOPPED, INTERRUPTED = 0, 3, 130
"""Exit status: planned end; stopped by a limit or a block; ended by the operator."""


def run(
    plan: Annotated[Path, typer.Argument(help="The plan, a TOML file.")],
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="FIELD=VALUE", help="Change a field, as compensator.delay=0.012."
        ),
    ] = None,
    loop: Annotated[
        str | None,
        typer.Option(help="table, fused or interpreted; chosen by the work if not given."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Directory of the run; runs/<name of the plan> if not given."),
    ] = None,
) -> None:
    """Rehearse a plan: run it virtually, and leave record, plan and summary in a directory."""
    from rths.config.plan import dumps, load
    from rths.run.virtual import rehearse

    test = load(plan, dict(assignment(s) for s in set_ or []))
    folder = out or Path("runs") / plan.stem
    text = dumps(test)
    with progress(test.name, test.clock.ticks) as advance:
        stop = rehearse(test, folder / "record.h5", checked_loop(loop), advance)
    (folder / "plan.toml").write_text(text, encoding="utf-8")
    (folder / "summary.json").write_text(json.dumps(stop.as_dict(), indent=2) + "\n")
    print(f"{test.name}: {stop}")
    print(f"{stop.tick} ticks of {test.tick:g} s in {folder / 'record.h5'}")
    sys.exit({"completed": STABLE, "interrupted": INTERRUPTED}.get(stop.reason, STOPPED))


def assignment(text: str) -> tuple[str, Any]:
    """Read ``field=value``; the value is TOML, or a word."""
    import tomllib

    from rths.errors import InputError

    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise InputError("--set", text, "is no assignment", "Write --set compensator.delay=0.012.")
    try:
        return name.strip(), tomllib.loads(f"v = {value}")["v"]
    except tomllib.TOMLDecodeError:
        return name.strip(), value.strip()


def checked_loop(name: str | None) -> Any:
    """Refuse a loop that does not exist."""
    from rths.errors import InputError

    if name not in (None, "table", "fused", "interpreted"):
        raise InputError("--loop", name, "is no loop", "Use table, fused or interpreted.")
    return name


def progress(title: str, ticks: int) -> Any:
    """Show a bar on a terminal while a long run goes on; elsewhere nothing."""
    from contextlib import contextmanager

    @contextmanager
    def bar() -> Any:
        if ticks < 1_000_000 or not sys.stderr.isatty():
            yield None
            return
        from rich.console import Console
        from rich.progress import Progress

        with Progress(console=Console(stderr=True), transient=True) as shown:
            task = shown.add_task(title, total=ticks)
            yield lambda done: shown.advance(task, done)

    return bar()
