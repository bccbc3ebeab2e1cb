"""``rths sweep STUDY``: run a plan many times, on all cores or a cluster, and see what matters."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rths.cli._plan import Changes, Trust, read_changes, show_trusted
from rths.cli._start import INTERRUPTED
from rths.cli._voice import AsJson, answer, paint

if TYPE_CHECKING:
    from rths.sweep.results import Results
    from rths.sweep.study import Study

PLACE = 330
TIME_IS_UP = 6
"""Exit status where the time limit of the study came before its last run."""

StudyFile = Annotated[Path, typer.Argument(help="The study, a TOML file that names its plan.")]
Out = Annotated[Path | None, typer.Option(help="Folder of the results; runs/<name of the study>.")]
Workers = Annotated[int | None, typer.Option(help="Runs at a time; all cores.", min=1)]
Cluster = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS", help="A Dask scheduler, as tcp://host:8786, or local to start one."
    ),
]


def sweep(
    study: StudyFile,
    set_: Changes = None,
    out: Out = None,
    workers: Workers = None,
    cluster: Cluster = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Throw another study's results away.")
    ] = False,
    page: Annotated[bool, typer.Option(help="Write the page.")] = True,
    instability: Annotated[
        bool,
        typer.Option("--instability", help="Instead: how probable is a loop that is not stable?"),
    ] = False,
    trust: Trust = False,
    as_json: AsJson = False,
) -> None:
    """Sweep a plan's fields; results go to one Parquet data set, and the same command goes on.

    Ends with 0 if all runs are there, with 130 if it was interrupted, with 6 if a time limit of the
    study ended it before.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # runs are on all cores already
    from rths.run.run_directory import RUNS
    from rths.sweep.study import read_study
    from rths.sweep.sweep import sweep as run_sweep

    with show_trusted(trust):
        asked = read_study(study, changes=read_changes(set_))
    if instability:
        _tell_instability(asked, as_json)
        return
    folder = out or RUNS / asked.name
    with _bar(asked.name, asked.runs) as tell:
        found = run_sweep(
            asked, folder, workers=workers, cluster=cluster, overwrite=overwrite, progress=tell
        )
    whole = _tell_results(asked, found, page, as_json)
    sys.exit(0 if whole else INTERRUPTED if found.about["interrupted"] else TIME_IS_UP)


def _tell_results(asked: Study, found: Results, page: bool, as_json: bool) -> bool:
    """Write the page, and say what there is; give whether all runs are there."""
    from rths.sweep.outcome import REFUSED
    from rths.sweep.statistics import find_refusal, summarise

    ends, sums, _ = summarise(found)
    paths = [found.folder / "results"]
    if page and ends.runs:
        from rths.sweep.page import write_page

        paths += write_page(asked, found)
    refusal = find_refusal(asked, found) if REFUSED in ends.by_reason else ""
    why = f", as {refusal}" if refusal else ""
    whole = bool(found.about["finished"])
    rest = "" if whole else ", not finished: the same command goes on"
    first = f"{asked.name}: {ends.runs:,} of {asked.runs:,} runs{rest}"
    told = [
        paint(first, "completed" if whole else "interrupted"),
        *(
            f"  {reason}: {count:,}{why if reason == REFUSED else ''}"
            for reason, count in ends.by_reason.items()
        ),
        *(
            f"  {s.outcome}: mean {s.mean:.5g}, deviation {s.deviation:.3g}, "
            f"{s.least:.5g} to {s.most:.5g}"
            for s in sums
            if s.count
        ),
        *("written:", *(f"  {p}" for p in paths)),
    ]
    numbers = {
        "runs": ends.runs,
        "planned": asked.runs,
        "finished": whole,
        "ends": ends.by_reason,
        "refusal": refusal,
        "outcomes": {s.outcome: vars(s) for s in sums},
        "written": paths,
    }
    answer(as_json, numbers, told)
    return whole


def _tell_instability(asked: Any, as_json: bool) -> None:
    """Say how probable it is, with the bound, and where it is likeliest."""
    from rths.sweep.instability import judge_instability

    found = judge_instability(asked)
    e = found.event
    at = ", ".join(f"{k} = {_shorten(v)}" for k, v in found.likeliest.items())
    told = [
        f"{asked.test.name}: not stable with probability {e.probability:.3g}, below {e.bound:.3g} "
        f"with {100 * e.confidence:.0f} % confidence",
        f"  {e.evaluations:,} loops judged by their roots; the {e.plain:,} plain ones among them "
        f"alone say below {e.plain_bound:.3g}",
        *([f"  likeliest at {at}"] if at else []),
        *([f"  where the plan refuses its values: {found.refusal}"] if found.refusal else []),
    ]
    answer(as_json, found.as_dict(), told)


def _shorten(value: Any) -> str:
    """Write a number with six digits, and what is listed as it is."""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


@contextmanager
def _bar(title: str, runs: int) -> Iterator[Callable[[int], Any] | None]:
    """Show how far it is and how long it will take, on a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeRemainingColumn as TimeLeft

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, TimeLeft(), console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task(title, total=runs)
        yield lambda done: shown.advance(task, done)
