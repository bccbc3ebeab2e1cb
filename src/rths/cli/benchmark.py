"""``rths benchmark silva2020``: any compensator on the published single-actuator problem."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rths.studies.silva2020.results import Cell, Wish

app = typer.Typer(help="Run compensators through published control problems.", no_args_is_help=True)


@app.callback()
def benchmark() -> None:
    """Run compensators through published control problems."""


@app.command()
def silva2020(
    compensator: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KIND[,FIELD=VALUE...]",
            help="A compensator of the package, or your own module:Class; may be repeated.",
        ),
    ] = None,
    cases: Annotated[str, typer.Option(help="Cases, as 1-4 or 1,3.")] = "1-4",
    motions: Annotated[
        str | None,
        typer.Option(help="el_centro, kobe, morgan_hill or all; El Centro if not given."),
    ] = None,
    plants: Annotated[
        int, typer.Option(help="Perturbed plants beside the nominal one.", min=0)
    ] = 0,
    seed: Annotated[int, typer.Option(help="Seed of the perturbed plants.", min=0)] = 1,
    variant: Annotated[str, typer.Option(help="Plant: difference or exact.")] = "difference",
    noise_seed: Annotated[
        int | None, typer.Option(help="Start of the noise; the published one if not given.", min=1)
    ] = None,
    compare: Annotated[
        bool, typer.Option("--compare", help="Compare with the other methods, on a page.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    data: Annotated[
        Path | None, typer.Option(help="Directory of the ground motions; else RTHS_DATA.")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(help="Threads; all cores if not given.", min=1)
    ] = None,
    out: Annotated[Path, typer.Option(help="Where results go.")] = Path("runs/silva2020"),
) -> None:
    """Score compensators by J1 to J9, on the nominal plant and on perturbed ones."""
    from rths.cli.run import progress
    from rths.studies.silva2020.candidates import COMPARED, RECOMMENDED, candidate
    from rths.studies.silva2020.problem import folder_of
    from rths.studies.silva2020.results import Wish, answered, summary
    from rths.studies.silva2020.sensors import PUBLISHED_SEED

    names = list(compensator or ([] if compare else [RECOMMENDED]))
    names += [k for k in COMPARED if compare and k not in names]
    folder = folder_of(data)
    found, used = _motions(motions, folder)
    wish = Wish(
        [candidate(n) for n in names],
        found,
        _cases(cases),
        _variant(variant),
        plants,
        seed,
        noise_seed or PUBLISHED_SEED,
    )
    jobs = wish.jobs()
    title = f"{len(jobs)} runs of {len(wish.candidates)} compensator(s)"
    each = found[0].ticks
    with progress(title, len(jobs) * each) as advance:
        told = None if advance is None else (lambda n: advance(n * each))
        cells = answered(wish, workers, told)
    result = summary(wish, cells, used)
    out.mkdir(parents=True, exist_ok=True)
    (out / "results.json").write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    page = _page(wish, cells, used, out) if compare else None
    if as_json:
        print(json.dumps(result))
        return
    _show(wish, cells, used)
    print(f"written: {out / 'results.json'}" + (f", {page}" if page else ""))


def _motions(names: str | None, folder: Path | None) -> tuple[list[Any], str]:
    """Find the motions, and say where they come from."""
    from rths.studies.silva2020.problem import BUILT_IN, FILES, VARIABLE, motion

    if names is None:
        names = "el_centro" if folder else BUILT_IN
    wanted = list(FILES) if names == "all" else [n.strip() for n in names.split(",")]
    if folder is None:
        used = f"the built-in El Centro record: no --data and no {VARIABLE} with the benchmark's"
        print(f"note: {used}; the published table does not apply", file=sys.stderr)
        wanted = [BUILT_IN if n == "el_centro" else n for n in wanted]
    else:
        used = f"the benchmark's motions in {folder}"
    return [motion(n, folder) for n in wanted], used


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
    return found


def _variant(name: str) -> Any:
    from rths.errors import InputError

    if name not in ("difference", "exact"):
        raise InputError("--variant", name, "is no variant", "Use difference or exact.")
    return name


def _page(wish: Wish, cells: Sequence[Cell], used: str, out: Path) -> Path:
    from rths.studies.silva2020.page import write

    return write(wish, cells, used, out)


def _show(wish: Wish, cells: Sequence[Cell], used: str) -> None:
    """Print a table for each motion."""
    from rich.console import Console
    from rich.table import Table

    from rths.metrics.silva2020 import NAMES
    from rths.studies.silva2020.problem import noise_floor

    console = Console(width=None if sys.stdout.isatty() else 150)
    for motion in wish.motions:
        about = f"{motion.name}, plant with {wish.variant} velocities, {used}"
        table = Table(title=about, title_justify="left")
        for heading in (
            "compensator",
            "case",
            "plant",
            *NAMES,
            "floor",
            "unstable",
            "limits passed",
        ):
            side = "left" if heading in ("compensator", "plant", "limits passed") else "right"
            table.add_column(heading, justify=side)  # type: ignore[arg-type]
        for cell in (c for c in cells if c.motion is motion):
            floor = f"{noise_floor(cell.case, motion):.2f}"
            for name, values, unstable, limits in _lines(cell):
                shown = [f"{v:.2f}" for v in values] if values is not None else ["-"] * len(NAMES)
                row = (cell.candidate.name, str(cell.case), name, *shown, floor, unstable, limits)
                table.add_row(*row)
        console.print(table)


def _lines(cell: Cell) -> list[tuple[str, Any, str, str]]:
    """Give the lines of a cell: nominal plant, then mean and worst of the perturbed ones."""
    nominal = cell.nominal
    assert nominal is not None
    lines = [
        (
            "nominal",
            nominal.criteria,
            "yes" if nominal.criteria is None else "no",
            ", ".join(nominal.violated),
        )
    ]
    if cell.others:
        runs = cell.stable
        some = len(runs) > 0
        passed = sum(bool(s.violated) for s in cell.others)
        count = f"{cell.unstable} of {len(cell.others)}"
        lost = f" ({cell.lost_plants} plants left out)" if cell.lost_plants else ""
        lines.append(("mean", runs.mean(axis=0) if some else None, count + lost, ""))
        limits = f"in {passed} runs" if passed else ""
        lines.append(("worst", runs.max(axis=0) if some else None, "", limits))
    return lines
