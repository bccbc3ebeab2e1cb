"""``rths run PLAN``: rehearse a plan as fast as the machine goes."""

from __future__ import annotations

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
        typer.Option(help="Directory of the run; a new one in runs/ if not given."),
    ] = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace the record of another plan in --out.")
    ] = False,
    realtime: Annotated[
        bool, typer.Option("--realtime", help="On the clock, in a process of its own.")
    ] = False,
) -> None:
    """Run a plan, virtually or on the clock; leave record, plan and summary in a directory."""
    import json

    from rths.config.plan import dumps, load
    from rths.run.folder import run_folder
    from rths.run.summary import summarised
    from rths.run.virtual import rehearse

    test = load(plan, dict(assignment(s) for s in set_ or []))
    folder = run_folder(test, plan.stem, out, overwrite)
    engine = checked_loop(loop)
    with progress(test.name, test.clock.ticks) as advance:
        if realtime:
            from rths.realtime.keys import HELP, keyboard, visitor
            from rths.realtime.supervisor import run_realtime

            with keyboard() as read:
                if sys.stdin.isatty():
                    print(HELP)
                stop = run_realtime(test, folder, progress=advance, visit=visitor(read))
            show_machine(folder)
        else:
            stop = rehearse(test, folder / "record.h5", engine, advance)
    (folder / "plan.toml").write_text(dumps(test), encoding="utf-8")
    summary = summarised(folder / "record.h5", stop)
    (folder / "summary.json").write_text(json.dumps(summary, indent=2) + "\n", encoding="utf-8")
    show(summary, folder)
    sys.exit({"completed": STABLE, "interrupted": INTERRUPTED}.get(stop.reason, STOPPED))


def show_machine(folder: Path) -> None:
    """Print what the machine allowed the loop, and how punctual it was."""
    import json

    for allowance in json.loads((folder / "machine.json").read_text()):
        print(f"{'yes' if allowance['granted'] else 'no ':3s} {allowance['words']}")
    timing = json.loads((folder / "timing.json").read_text())
    late = ", ".join(f"{k} {v:.0f}" for k, v in timing["latency"].items())
    print(f"latency, microseconds: {late}; periods slipped: {timing['slips']}")


def show(summary: dict[str, Any], folder: Path) -> None:
    """Print what a person wants to know first."""
    from rths.report.readable import readable, readable_time

    verdict = "ran to its planned end" if summary["reason"] == "completed" else summary["message"]
    speed = f"{summary['real_time_factor']:.3g} x real time"
    took = f"{readable_time(summary['time'])} of test in {readable_time(summary['wall_seconds'])}"
    print(f"{summary['name']}: {verdict}")
    print(f"{took} ({speed})\n")
    width = max((len(p["signal"]) for p in summary["peaks"]), default=0)
    print(f"{'':{width}}  {'smallest':>12}  {'largest':>12}")
    for p in summary["peaks"]:
        low, high = readable(p["smallest"], p["unit"]), readable(p["largest"], p["unit"])
        print(f"{p['signal']:{width}}  {low:>12}  {high:>12}")
    for t in summary["tracking"]:
        print(f"\n{tracking_told(t, len(summary['tracking']))}", end="")
    print(f"\n\n{folder / 'record.h5'} (also plan.toml, summary.json)")


def tracking_told(t: dict[str, Any], channels: int) -> str:
    """Tell the tracking of a channel in a sentence."""
    from rths.report.readable import readable

    who = "tracking" if channels == 1 else f"tracking of channel {t['channel']}"
    if t["rms_error"] is None:
        return f"{who}: the target did not move"
    parts = [f"error {100 * t['rms_error']:.3g} % rms, at most {readable(t['largest_error'], 'm')}"]
    if t["delay"] is not None:
        way = "behind" if t["delay"] >= 0 else "ahead of"
        parts.append(f"the specimen is {readable(abs(t['delay']), 's')} {way} the target")
    return f"{who}: {'; '.join(parts)}"


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
