"""``rths ensemble PLAN --vary transfer.delay=0.004..0.012:9``: a plan with some numbers varied."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rths.cli._plan import Changes, Plan, Trust, read_changes, read_plan
from rths.cli._progress import patience
from rths.cli._vary import combine, read_axis, variations_of_points
from rths.cli._voice import AsJson, answer, paint
from rths.errors import InputError

if TYPE_CHECKING:
    from rths.assembly.hybrid_test import HybridTest
    from rths.report.certificate_origin import Origin
    from rths.report.shown_ensemble import ShownEnsemble

PLACE = 325

SHOWN = 24
"""Runs that are listed on the terminal."""
ABOUT, TABLE, PAGE, RECORDS = "ensemble.json", "ensemble.csv", "ensemble.html", "records"
"""Files of the folder: what was asked for, a row a run, the page, and records if wanted."""
INTERRUPTED = 130

Vary = Annotated[
    list[str],
    typer.Option(
        metavar="FIELD=VALUES",
        help="A field and its values: transfer.delay=0.005,0.0094 or transfer.delay=0.004..0.012:9 "
        "(nine between the two) or compensator.kind=none,polynomial. Of several fields every value "
        "runs with every other.",
    ),
]
Metric = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME",
        help="A published index to compute of each run; the tracking error if not given.",
    ),
]
Kept = Annotated[bool, typer.Option("--records", help="Keep the record of each run.")]
Workers = Annotated[int | None, typer.Option(help="Runs at a time; all cores.", min=1)]
Out = Annotated[
    Path | None, typer.Option(help="Folder of table and page; runs/<name of the plan>-ensemble.")
]


def ensemble(
    plan: Plan,
    vary: Vary,
    set_: Changes = None,
    metric: Metric = None,
    records: Kept = False,
    workers: Workers = None,
    out: Out = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace another ensemble in --out.")
    ] = False,
    trust: Trust = False,
    as_json: AsJson = False,
) -> None:
    """Run a plan with values varied, on all cores: a table with a row a run, and a page.

    Ends with 0 if all have run, lost or not, and with 130 if it was interrupted; what is finished
    is in the table then.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # runs are on all cores already
    from rths.report.certificate_origin import origin_of
    from rths.report.shown_ensemble import TRACKING, require_metric

    test = read_plan(plan, set_, trust)
    changes, axes = read_changes(set_), _read_axes(vary)
    _refuse_both(changes, axes)
    points = combine(axes)
    variations = _check(test, axes, points)
    names = [require_metric(name) for name in metric or [TRACKING]]
    origin = origin_of(test, plan.name, changes)
    about = {"plan": origin.plan, "digest": origin.digest, "vary": axes, "version": origin.version}
    with _hold(_choose_folder(about, plan.stem, out, overwrite)) as folder:
        shown = _begin(folder, test, origin, points, names, about)
        kept = folder / RECORDS if records else None
        _run(test, variations, shown, about, kept, workers)
        _tell(shown, folder, kept, as_json)
    sys.exit(0 if shown.finished == shown.planned else INTERRUPTED)


def _begin(
    folder: Path,
    test: HybridTest,
    origin: Origin,
    points: list[dict[str, Any]],
    metrics: list[str],
    about: Mapping[str, Any],
) -> ShownEnsemble:
    """Begin a table in a folder; what the same ensemble has left there is not made less."""
    from rths.report.shown_ensemble import ShownEnsemble, scales_of
    from rths.run.ensemble_table import EnsembleTable

    before = _read_about(folder)
    kept = before.get("finished", 0) if _is_same(before, about) else 0
    known = kept if (folder / TABLE).exists() and isinstance(kept, int) else 0
    table, scales = EnsembleTable(folder / TABLE, points, known), scales_of(test, about["vary"])
    return ShownEnsemble(test.name, origin, table, metrics, scales=scales)


def _run(
    test: HybridTest,
    variations: list[dict[str, Any]],
    shown: ShownEnsemble,
    about: Mapping[str, Any],
    kept: Path | None,
    workers: int | None,
) -> None:
    """Run all; whatever goes wrong, what is finished is kept."""
    from rths.run.ensemble import ensemble as run_ensemble

    _note(about, shown)
    try:
        with patience(test.name, len(variations)) as tell:
            run_ensemble(
                test,
                variations,
                shown.measure,
                workers=workers,
                folder=kept,
                progress=tell,
                watch=shown.watch,
            )
    finally:
        shown.table.write()
        _note(about, shown)


def _read_axes(texts: Sequence[str]) -> dict[str, list[Any]]:
    """Read all that varies; a field varies once."""
    axes: dict[str, list[Any]] = {}
    for text in texts:
        field, values = read_axis(text)
        if field in axes:
            remedy = f"Give all its values in one: --vary {field}=..."
            raise InputError("--vary", text, f"varies {field} a second time", remedy)
        axes[field] = values
    return axes


def _refuse_both(changes: Mapping[str, Any], axes: Mapping[str, list[Any]]) -> None:
    """Refuse a field that is changed for all runs and varied among them."""
    for field in axes:
        if field in changes:
            problem = f"is varied, and --set gives it the value {changes[field]!r} in all runs"
            raise InputError("--vary", field, problem, "Leave one of the two out.")


def _check(
    test: HybridTest, axes: Mapping[str, list[Any]], points: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    """Give the variations of the test; a value that its field does not take is told at once."""
    from rths.assembly.variation import Variation
    from rths.sweep.field_path import parse_path

    try:
        paths = {field: parse_path(test, field) for field in axes}
        for field, values in axes.items():
            alone: list[dict[str, Any]] = [{field: value} for value in values]
            given = variations_of_points(test, {field: paths[field]}, alone)
            tried = Variation(test, given)
            for variation in given:
                tried.vary(variation)
        return variations_of_points(test, paths, points)
    except InputError as error:
        if error.field == "field":  # the path itself
            raise error.relabel("--vary") from None
        raise error.relabel(error.field.removeprefix("test.")).locate("--vary") from None


def _choose_folder(about: Mapping[str, Any], name: str, out: Path | None, overwrite: bool) -> Path:
    """Choose a folder that holds no other ensemble, or refuse the one that was asked for."""
    from rths.run.run_directory import RUNS

    def is_free(folder: Path) -> bool:
        return not (folder / ABOUT).exists() or _is_same(_read_about(folder), about)

    if out is not None:
        if not overwrite and not is_free(out):
            remedy = "Choose another folder, or add --overwrite."
            raise InputError("--out", str(out), "holds another ensemble", remedy)
        return out
    names = (f"{name}-ensemble" if k == 1 else f"{name}-ensemble-{k}" for k in count(1))
    return next(RUNS / n for n in names if is_free(RUNS / n))


def _read_about(folder: Path) -> dict[str, Any]:
    """Read what was asked for in a folder; nothing if that cannot be told."""
    try:
        found = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _is_same(found: Mapping[str, Any], about: Mapping[str, Any]) -> bool:
    """Tell whether two ensembles have the same plan and the same values."""
    return all(found.get(k) == about[k] for k in ("digest", "vary"))


@contextmanager
def _hold(folder: Path) -> Iterator[Path]:
    """Make a folder and let nobody else write into it."""
    from rths.run.run_directory import RunDirectory

    RunDirectory(folder).make()
    with RunDirectory(folder).hold():
        yield folder


def _note(about: Mapping[str, Any], shown: ShownEnsemble) -> None:
    """Write down what was asked for, and how far it came."""
    from rths.plain_file import write_text

    if shown.table.is_more:
        found = {**about, "runs": shown.planned, "finished": shown.finished}
        text = json.dumps({**found, "ends": shown.table.ends}, indent=1) + "\n"
        write_text(shown.table.path.with_name(ABOUT), text)


def _tell(shown: ShownEnsemble, folder: Path, kept: Path | None, as_json: bool) -> None:
    """Write the page, and say what came out."""
    from rths.report.ensemble_page import list_runs, write_ensemble_page

    paths = [*([kept] if kept is not None and kept.exists() else [])]
    if shown.table.is_more:
        paths = [shown.table.path, write_ensemble_page(shown, folder / PAGE), *paths]
    headings, rows = list_runs(shown, SHOWN)
    left = shown.finished - len(rows)
    whole = shown.finished == shown.planned
    rest = "" if whole else f", interrupted: {shown.planned - shown.finished:,} have not run"
    lost = f", {shown.lost:,} lost" if shown.lost else ""
    verdict = "interrupted" if not whole else "limit" if shown.lost else "completed"
    told = [
        paint(f"{shown.name}: {shown.finished:,} of {shown.planned:,} runs{lost}{rest}", verdict),
        *_align([headings, *rows]),
        *([f"  and {left:,} more in the table"] if left else []),
        *([f"{shown.table.path} has more and stays as it is"] if not shown.table.is_more else []),
        *("written:", *(f"  {p}" for p in paths)),
    ]
    found = {
        "runs": shown.finished,
        "planned": shown.planned,
        "finished": whole,
        "ends": shown.table.ends,
        "columns": shown.table.as_columns(),
        "units": shown.units,
        "written": paths,
    }
    answer(as_json, found, told)


def _align(rows: Sequence[Sequence[str]]) -> list[str]:
    """Write rows beneath one another, numbers and their units to the right."""
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    return ["  ".join(v.rjust(w) for v, w in zip(row, widths, strict=True)) for row in rows]
