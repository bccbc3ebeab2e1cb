"""``rths run PLAN``: rehearse a plan as fast as the machine goes, or run it on the clock."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rths.cli._plan import Changes, Plan, Trust, read_changes, read_hybrid_plan, read_plan
from rths.cli._progress import LONG, progress
from rths.cli._voice import AsJson, answer, paint

if TYPE_CHECKING:
    from rths.assembly.hybrid_test import HybridTest
    from rths.loop.stop import Stop
    from rths.run.run_directory import RunDirectory

PLACE = 300

STABLE, STOPPED, INTERRUPTED = 0, 3, 130
"""Exit status: planned end; stopped by a limit or a block; ended by the operator."""


def run(
    plan: Plan,
    set_: Changes = None,
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
    watch: Annotated[
        bool, typer.Option("--watch", help="Show the test on the clock in the browser.")
    ] = False,
    reference: Annotated[
        bool,
        typer.Option(
            "--reference", help="Also run the emulated structure, and say how far the test is off."
        ),
    ] = False,
    trust: Trust = False,
    as_json: AsJson = False,
) -> None:
    """Run a plan, virtually or on the clock; leave record, plan and summary in a directory."""
    from rths.report.summary_text import summary_text
    from rths.run.run_directory import write_json

    read = read_hybrid_plan if reference else read_plan
    test = read(plan, set_, trust)
    changes = read_changes(set_)
    kept, stop, summary = carry_out(
        test,
        plan.stem,
        out,
        overwrite,
        changes,
        loop=loop,
        realtime=realtime,
        as_json=as_json,
        watch=watch,
    )
    written = [kept.record, kept.plan, kept.summary]
    if reference:
        summary |= compare_with_emulated(test, kept)
        write_json(kept.summary, summary)
        written.append(kept.reference)
    verdict, _, rest = summary_text(summary).partition("\n")
    where = f"{kept.record} (also {', '.join(path.name for path in written[1:])})"
    found = {**summary, "written": written}
    with _though_unheard():
        answer(as_json, found, [paint(verdict, stop.reason), rest, "", where])
    sys.exit({"completed": STABLE, "interrupted": INTERRUPTED}.get(stop.reason, STOPPED))


def compare_with_emulated(test: HybridTest, kept: RunDirectory) -> dict[str, Any]:
    """Run the emulated structure, and give the error of each channel against it."""
    from rths.records.hdf5 import read
    from rths.report.emulated import emulated_errors
    from rths.run.virtual import rehearse

    with progress(f"{test.name}, emulated", test.clock.ticks) as advance:
        rehearse(test.reference_test(), kept.reference, None, advance)
    return {"reference": emulated_errors(read(kept.record), read(kept.reference))}


def _describe_vibrations(test: HybridTest) -> dict[str, Any]:
    from rths.report.vibration import vibrations_of

    found = vibrations_of(test)
    return {} if found is None else {"vibration": found.as_dict() | {"lines": found.lines}}


def carry_out(
    test: HybridTest,
    name: str,
    out: Path | None = None,
    overwrite: bool = False,
    changes: dict[str, Any] | None = None,
    *,
    loop: str | None = None,
    realtime: bool = False,
    as_json: bool = False,
    watch: bool = False,
) -> tuple[RunDirectory, Stop, dict[str, Any]]:
    """Run a test and leave record, plan and summary in its directory."""
    from rths.config.plan import dumps
    from rths.plain_file import write_text
    from rths.run.disk_space import check_disk_space
    from rths.run.folder import run_folder
    from rths.run.loss_signs import highest_frequency
    from rths.run.run_directory import RunDirectory, write_json
    from rths.run.summary import summarise

    if realtime and out is not None:
        from rths.realtime.trip_latch import refuse_tripped

        refuse_tripped(out)
    folder = run_folder(test, name, out, overwrite, realtime)
    engine = check_loop(loop)
    check_disk_space(test, folder, realtime)
    kept = RunDirectory(folder)
    kept.reference.unlink(missing_ok=True)  # that of another run
    if watch:
        from rths.cockpit.companion import start_companion

        start_companion(folder, realtime)
    if realtime:
        stop = run_on_clock(test, folder, changes or {}, as_json)
    else:
        stop = run_rehearsal(test, folder, engine, changes or {})
    write_text(kept.plan, dumps(test))
    summary = summarise(kept.record, stop, highest_frequency(test.equation))
    summary |= _describe_vibrations(test)
    write_json(kept.summary, summary)
    return kept, stop, summary


@contextmanager
def _though_unheard() -> Iterator[None]:
    """Go on where nothing can be told, as on a closed terminal or in a pipe that nobody reads.

    The exit status still says it.
    """
    try:
        yield
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def run_rehearsal(test: HybridTest, folder: Path, engine: Any, changes: dict[str, Any]) -> Stop:
    """Run a test as fast as the machine goes."""
    from rths.run.run_directory import RunDirectory
    from rths.run.virtual import rehearse

    with progress(test.name, test.clock.ticks) as advance:
        return rehearse(test, RunDirectory(folder).record, engine, advance, changes)


def run_on_clock(
    test: HybridTest, folder: Path, changes: dict[str, Any], as_json: bool = False
) -> Stop:
    """Run a test in real time; say before it begins what the machine allows, obey the keys."""
    from rths.cockpit.requests import Inbox
    from rths.realtime.keys import HELP, keyboard, read_nothing, visitor
    from rths.realtime.lifecycle import LifeCycle
    from rths.realtime.supervisor import run_realtime
    from rths.run.run_directory import RunDirectory

    def begin() -> None:
        told = allowance_lines(folder)
        into = sys.stderr if as_json else sys.stdout
        lines = told if read is read_nothing else [*told, HELP]
        with suppress(OSError):  # as what is told later: the test does not depend on it
            print("\n".join(lines), flush=True, file=into)

    long = test.clock.ticks >= LONG  # else what is told before it begins is all there is to see
    bar = progress(test.name, test.clock.ticks) if long else nullcontext()
    with keyboard() as read, Inbox(visitor(read)) as visit, bar as advance:
        try:
            life = LifeCycle(folder, changes=changes)
            return run_realtime(test, folder, progress=advance, life=life, visit=visit, begin=begin)
        except KeyboardInterrupt:
            if RunDirectory(folder).journal.exists():
                print(f"cut off; its record: rths recover {folder}", file=sys.stderr)
            raise


def allowance_lines(folder: Path) -> list[str]:
    """Say in words what the machine allowed the loop."""
    from rths.run.run_directory import RunDirectory, read_json

    found = read_json(RunDirectory(folder).machine)
    return [f"{'yes' if a['granted'] else 'no ':3s} {a['words']}" for a in found]


def check_loop(name: str | None) -> Any:
    """Refuse a loop that does not exist."""
    from rths.errors import InputError

    if name not in (None, "table", "fused", "interpreted"):
        raise InputError("--loop", name, "is no loop", "Use table, fused or interpreted.")
    return name
