"""``rths design PLAN``: choose and tune the compensator; or say which test would teach most."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from rths.cli._plan import Changes, Trust, read_hybrid_plan
from rths.cli._start import INTERRUPTED, tell_interrupted
from rths.cli._voice import AsJson, answer, paint
from rths.errors import InputError

if TYPE_CHECKING:
    from rths.design.design import Design

PLACE = 230
SHOWN = 8
"""Candidates of the ranking that are told, and the chosen one wherever it is."""
NOTHING_SAFE = 7
"""Exit status where no compensator keeps all requirements."""

Plan = Annotated[
    list[Path] | None,
    typer.Argument(
        metavar="PLAN", help="The plan, a TOML file; its compensator is a start. Or more records."
    ),
]
Next = Annotated[
    list[Path] | None,
    typer.Option(
        "--next",
        metavar="RECORDS",
        help="Instead: which run would teach most? A sweep's folder, or runs (several).",
    ),
]
Uncertain = Annotated[
    list[str] | None,
    typer.Option(
        metavar="FIELD=RANGE",
        help="A number known roughly, as for rths certify; each of the transfer's by 10 %.",
    ),
]
Motions = Annotated[
    list[str] | None,
    typer.Option("--motion", help="An earthquake beside the plan's own; a file or a name."),
]
Without = Annotated[
    list[str] | None,
    typer.Option("--without", help="What is not measured: displacement or force."),
]
Thorough = Annotated[
    bool, typer.Option("--thorough/--quick", help="Hours, on a cluster too; or a minute.")
]
Cluster = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS", help="A Dask scheduler, as tcp://host:8786, or local to start one."
    ),
]
Out = Annotated[Path | None, typer.Option(help="Folder of the answer; runs/<plan>-design.")]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace an earlier answer in --out.")]


def design(
    plan: Plan = None,
    set_: Changes = None,
    next_: Next = None,
    thorough: Thorough = False,
    uncertain: Uncertain = None,
    motion: Motions = None,
    without: Without = None,
    delay_margin: Annotated[float, typer.Option(help="More delay, share of the actuator's.")] = 0.1,
    gain_margin: Annotated[float, typer.Option(help="Factor on the specimen's force.")] = 1.2,
    probability: Annotated[float, typer.Option(help="Of a plant that loses the test.")] = 0.05,
    noise: Annotated[float, typer.Option(help="Motion in the quiet, share of the test's.")] = 0.1,
    seed: Annotated[int, typer.Option(help="Seed of plants and motions.", min=0)] = 0,
    workers: Annotated[int | None, typer.Option(help="Runs at a time; all cores.", min=1)] = None,
    cluster: Cluster = None,
    out: Out = None,
    overwrite: Overwrite = False,
    trust: Trust = False,
    as_json: AsJson = False,
) -> None:
    """Tune every compensator that fits in rehearsals, certify the best, and choose.

    Ends with 0 if one was chosen, with 7 if none keeps all requirements (what would have to change
    is said), with 130 if it was interrupted.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # runs are on all cores already
    if next_:
        _tell_next([*next_, *(plan or [])], as_json)
        return
    asked = _read_commission(delay_margin, gain_margin, probability, noise, without, motion, seed)
    path = _only(plan)
    test = read_hybrid_plan(path, set_, trust)
    asked["uncertain"] = _read_uncertain(test, uncertain)
    asked |= {"effort": "thorough" if thorough else "quick", "workers": workers, "cluster": cluster}
    try:
        _find_and_tell(test, asked, _answer_folder(out, path, overwrite), as_json)
    except KeyboardInterrupt:  # a second one: who wants no answer does not wait for threads either
        tell_interrupted()
        _leave_at_once()


def _only(plans: list[Path] | None) -> Path:
    """Give the one plan that is named."""
    if not plans or len(plans) > 1:
        problem = "names several plans" if plans else "is missing"
        raise InputError("PLAN", None, problem, "Name one plan, or --next and records.")
    return plans[0]


def _read_commission(
    delay_margin: float,
    gain_margin: float,
    probability: float,
    noise: float,
    without: list[str] | None,
    motions: list[str] | None,
    seed: int,
) -> dict[str, Any]:
    """Give what is asked for beside the plan."""
    from rths.design.requirements import Requirements

    return {
        "requirements": Requirements(delay_margin, gain_margin, probability, noise),
        "motions": motions or (),
        "measured": _read_measured(without or []),
        "seed": seed,
    }


def _answer_folder(out: Path | None, plan: Path, overwrite: bool) -> Path:
    """Make the folder of the answer."""
    from rths.design.answer import answer_folder
    from rths.run.run_directory import RUNS

    return answer_folder(out or RUNS / f"{plan.stem}-design", overwrite)


def _find_and_tell(test: Any, asked: dict[str, Any], folder: Path, as_json: bool) -> NoReturn:
    """Search, write the answer and say it."""
    from rths.design.answer import as_dict, write_answer
    from rths.design.design import design as find_design

    with _progress() as tell:
        found = find_design(test, progress=tell, **asked)
    paths: list[Path] = []
    try:
        paths += write_answer(found, folder)
    finally:  # on a full disk too, what was found is said
        written = ["written:", *(f"  {p}" for p in paths)]
        answer(as_json, {**as_dict(found), "written": paths}, [*_tell(found), *written])
    if found.interrupted:
        _leave_at_once()
    sys.exit(0 if found.chosen is not None else NOTHING_SAFE)


def _leave_at_once() -> NoReturn:
    """End after Ctrl-C: all is written, and Python would wait for what threads still calculate."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError):  # a terminal that was closed
            stream.flush()
    os._exit(INTERRUPTED)


def _read_uncertain(test: Any, texts: list[str] | None) -> Any:
    """Read the numbers that are known roughly; None if nothing was said."""
    from rths.stability.distribution import read_all_uncertain

    return read_all_uncertain(test, texts or []) or None


def _read_measured(without: list[str]) -> tuple[str, ...]:
    """Give what is measured."""
    from rths.design.candidate import MEASURED

    for name in without:
        if name not in MEASURED:
            remedy = f"Name {' or '.join(MEASURED)}."
            raise InputError("--without", name, "is nothing that a rig measures here", remedy)
    return tuple(name for name in MEASURED if name not in without)


def _tell(found: Design) -> list[str]:
    """Say the answer, the reasons, the ranking and the cost."""
    from rths.design.words import cost_words, error_words, headline, reasons

    good = "completed" if found.chosen else "interrupted" if found.interrupted else "unstable"
    lines = [paint(f"{headline(found)}", good), *(f"  {line}" for line in reasons(found))]
    lines.append("  ranking:")
    chosen = None if found.chosen is None else found.chosen.tuned
    for t in [t for place, t in enumerate(found.ranking) if place < SHOWN or t is chosen]:
        lines.append(f"    {t.candidate.words:36s} {error_words(found, t)}")
    return [*lines, f"  {cost_words(found)}"]


def _tell_next(records: list[Path], as_json: bool) -> None:
    """Say which run would teach most."""
    from rths.design.next_test import advise

    found = advise(records)
    answer(as_json, found.as_dict(), found.lines)


@contextmanager
def _progress() -> Iterator[Callable[[str], Any] | None]:
    """Show what is done, on a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console

    with Console(stderr=True).status("searching") as shown:
        yield lambda words: shown.update(words)
