"""``rths problem silva2020``: any compensator on the published single-actuator problem."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rths.cli._plan import Trust, show_trusted
from rths.cli._progress import progress
from rths.cli.run import INTERRUPTED
from rths.plain_file import write_text

if TYPE_CHECKING:
    from rths.problems.silva2020.plant import Variant
    from rths.problems.silva2020.problem import Motion
    from rths.problems.silva2020.results import Cell, Wish

PLACE = 540

RESULTS = "results.json"
app = typer.Typer(help="Run compensators through published control problems.", no_args_is_help=True)

Compensators = Annotated[
    list[str] | None,
    typer.Option(
        metavar="KIND[,FIELD=VALUE...]",
        help="A compensator of the package, or your own file.py:Class; may be repeated. "
        "If none is given inverse_rls, which is the best on the plant of this problem.",
    ),
]
Cases = Annotated[str, typer.Option(help="Cases, as 1-4 or 1,3.")]
Motions = Annotated[
    str | None, typer.Option(help="el_centro, kobe, morgan_hill or all; El Centro if not given.")
]
Plants = Annotated[int, typer.Option(help="Perturbed plants beside the nominal one.", min=0)]
Seed = Annotated[int, typer.Option(help="Seed of the perturbed plants.", min=0)]
Variant_ = Annotated[str, typer.Option(help="Velocities of the plant: difference, exact or both.")]
NoiseSeed = Annotated[
    int | None,
    typer.Option(help="Start of the noise; the published one if not given.", min=1, max=2**31 - 2),
]
Compare = Annotated[
    bool, typer.Option("--compare", help="Add the other methods, and make a page of all.")
]
Realtime = Annotated[
    bool,
    typer.Option("--realtime", help="Run the nominal plant once more on the clock, at 4096 Hz."),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Data = Annotated[Path | None, typer.Option(help="Directory of the ground motions; else RTHS_DATA.")]
Workers = Annotated[int | None, typer.Option(help="Threads; all cores if not given.", min=1)]
Out = Annotated[
    Path | None,
    typer.Option(help="Where results go; runs/silva2020 or the next that is free if not given."),
]


@app.callback()
def problem() -> None:
    """Run compensators through published control problems."""


@app.command()
def silva2020(
    compensator: Compensators = None,
    cases: Cases = "1-4",
    motions: Motions = None,
    plants: Plants = 0,
    seed: Seed = 1,
    variant: Variant_ = "difference",
    noise_seed: NoiseSeed = None,
    compare: Compare = False,
    realtime: Realtime = False,
    as_json: Json = False,
    data: Data = None,
    workers: Workers = None,
    out: Out = None,
    trust: Trust = False,
) -> None:
    """Score compensators by J1 to J9, on the nominal plant and on perturbed ones."""
    from rths.problems.silva2020.results import Wish, summary
    from rths.problems.silva2020.sensors import PUBLISHED_SEED

    found, used = _motions(motions, data)
    with show_trusted(trust):
        candidates = _candidates(compensator, compare)
    wish = Wish(candidates, found, _cases(cases), _variants(variant),
                plants, seed, noise_seed or PUBLISHED_SEED)  # fmt: skip
    folder = _make_folder(out or _free_folder(wish.question(used)))
    cells = _run_cells(wish, workers)
    result = _store_results(summary(wish, cells, used), folder)
    if realtime and result["runs"]["done"] == result["runs"]["planned"]:
        cells = _run_live(wish, cells, folder)
        result = _store_results(summary(wish, cells, used), folder)
    page = _page(wish, cells, used, folder) if compare and cells else None
    if as_json:
        print(json.dumps(result))
    else:
        _show(wish, cells, used)
        print(f"written: {folder / RESULTS}" + (f", {page}" if page else ""))
    _end(result["runs"], realtime and any(c.live is None for c in cells))


def _run_cells(wish: Wish, workers: int | None) -> list[Cell]:
    """Run it all behind a progress bar."""
    from rths.problems.silva2020.results import run_cells

    jobs = wish.jobs()
    title = f"{len(jobs)} runs of {len(wish.candidates)} compensator(s)"
    with progress(title, sum(job.motion.ticks for job in jobs)) as advance:
        return run_cells(wish, workers, advance)


def _store_results(result: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Write the results down, and hand them on."""
    write_text(folder / RESULTS, json.dumps(result, indent=1) + "\n")
    return result


def _run_live(wish: Wish, cells: Sequence[Cell], out: Path) -> list[Cell]:
    """Run the nominal plants on the clock, one after the other."""
    from rths.problems.silva2020.live import LiveScore, run_live
    from rths.problems.silva2020.results import run_cells_live
    from rths.problems.silva2020.runs import Job

    def run(job: Job) -> LiveScore | None:
        name = f"{job.candidate.compensator.kind.rpartition(':')[2]}-{job.motion.name}-{job.case}"
        print(f"on the clock for {job.motion.duration:.0f} s: {name}", file=sys.stderr)
        with progress(name, job.motion.ticks) as advance:
            return run_live(job, _fresh_folder(out / "realtime" / name), wish.noise_seed, advance)

    return run_cells_live(cells, run)


def _fresh_folder(folder: Path) -> Path:
    """Give a directory that holds no run: each on the clock is kept."""
    names = (folder if k == 1 else folder.with_name(f"{folder.name}.{k}") for k in count(1))
    return next(n for n in names if not n.exists())


def _end(runs: dict[str, int], cut: bool) -> None:
    """Say what is missing if the operator ended it, and leave with the status of that."""
    if runs["done"] < runs["planned"]:
        print(f"ended early: {runs['done']} of {runs['planned']} runs done", file=sys.stderr)
    elif cut:
        print("ended early: not all was run on the clock", file=sys.stderr)
    else:
        return
    sys.exit(INTERRUPTED)


def _free_folder(question: dict[str, Any]) -> Path:
    """Give the first directory without results, or with those of the same question."""
    for k in count(1):
        folder = Path("runs") / ("silva2020" if k == 1 else f"silva2020-{k}")
        try:
            there = json.loads((folder / RESULTS).read_text(encoding="utf-8"))
        except FileNotFoundError:
            return folder
        except (OSError, ValueError):
            continue
        if question.items() <= there.items():
            return folder
    raise AssertionError("the numbers do not end")


def _make_folder(out: Path) -> Path:
    """Make the directory of the results before anything is run."""
    from tempfile import TemporaryFile

    from rths.errors import InputError

    try:
        out.mkdir(parents=True, exist_ok=True)
        TemporaryFile(dir=out).close()
    except OSError as error:
        problem = f"cannot be written to ({error.strerror})"
        raise InputError("--out", str(out), problem, "Name another directory.") from error
    return out


def _candidates(names: list[str] | None, compare: bool) -> list[Any]:
    """Give the compensators asked for, each once, and with ``--compare`` all others."""
    from rths.problems.silva2020.candidates import COMPARED, DEFAULT_CANDIDATE, candidate

    wanted = [*(names or ([] if compare else [DEFAULT_CANDIDATE])), *(COMPARED if compare else ())]
    return [candidate(name) for name in dict.fromkeys(wanted)]


def _motions(names: str | None, data: Path | None) -> tuple[list[Motion], str]:
    """Find the motions, and say where they come from."""
    from rths.problems.silva2020.problem import BUILT_IN, FILES, VARIABLE, folder_of, motion

    folder = folder_of(data)
    if names is None:
        names = "el_centro" if folder else BUILT_IN
    wanted = list(FILES) if names == "all" else [n.strip() for n in names.split(",")]
    if folder is None:
        used = f"the built-in El Centro record: no --data and no {VARIABLE} with the benchmark's"
        wanted = [BUILT_IN if n == "el_centro" else n for n in wanted]
    else:
        used = f"the benchmark's motions in {folder}"
    found = [motion(n, folder) for n in dict.fromkeys(wanted)]
    if folder is None:
        print(f"note: {used}; the published table does not apply", file=sys.stderr)
    return found, used


def _cases(text: str) -> list[int]:
    """Read 1-4 or 1,3."""
    from rths.errors import InputError

    found: list[int] = []
    try:
        for part in text.split(","):
            first, dash, last = part.partition("-")
            found += range(int(first), int(last if dash else first) + 1)
    except ValueError:
        found = []
    if not found or not set(found) <= {1, 2, 3, 4}:
        raise InputError("--cases", text, "are no cases", "Write 1-4, or 1,3.")
    return sorted(set(found))


def _variants(name: str) -> list[Variant]:
    """Read the variant of the plant."""
    from rths.errors import InputError

    known: dict[str, list[Variant]] = {
        "difference": ["difference"], "exact": ["exact"], "both": ["difference", "exact"],
    }  # fmt: skip
    if name not in known:
        raise InputError("--variant", name, "is no variant", "Use difference, exact or both.")
    return known[name]


def _page(wish: Wish, cells: Sequence[Cell], used: str, out: Path) -> Path:
    from rths.problems.silva2020.page import write

    return write(wish, cells, used, out)


def _show(wish: Wish, cells: Sequence[Cell], used: str) -> None:
    """Print a table for each motion and variant."""
    from rich.console import Console

    console = Console(width=None if sys.stdout.isatty() else 170)
    for motion in wish.motions:
        for variant in wish.variants:
            here = [c for c in cells if c.motion is motion and c.variant == variant]
            if here:
                title = f"{motion.name}, plant with {variant} velocities, {used}"
                console.print(_table(title, here))
    for cell in cells:
        if cell.live is not None:
            print(_punctuality_text(cell))


def _table(title: str, cells: Sequence[Cell]) -> Any:
    """Give the table of one motion."""
    from rich.table import Table

    from rths.metrics.silva2020 import NAMES

    table = Table(title=title, title_justify="left")
    words = ("compensator", "plant", "unstable", "limits passed")
    for heading in ("compensator", "case", "plant", *NAMES, "floor", "unstable", "limits passed"):
        table.add_column(heading, justify="left" if heading in words else "right")
    for cell in cells:
        for line in cell.lines():
            values = line.criteria
            shown = ["-"] * len(NAMES) if values is None else [f"{v:.2f}" for v in values]
            about = cell.candidate.name, str(cell.case), line.plant
            table.add_row(*about, *shown, f"{cell.floor:.2f}", line.unstable, line.limits)
    return table


def _punctuality_text(cell: Cell) -> str:
    """Say how a run on the clock differs from the virtual one."""
    live = cell.live
    assert live is not None
    off = live.difference(cell.nominal)
    told = "lost" if off is None else f"J1 to J9 within {off:.2g} of the virtual run"
    late = f"99.9 % of the ticks within {1e6 * live.latency:.0f} µs, {live.slips} periods slipped"
    return (
        f"on the clock: {cell.candidate.name}, {cell.motion.name}, case {cell.case}: {told}; {late}"
    )
