"""``rths study``: re-run a paper, compare every number it states, draw its figures."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rths.cli._progress import patience
from rths.errors import InputError
from rths.studies import study_names

if TYPE_CHECKING:
    from rths.studies.study import Study
    from rths.studies.target import Result

PLACE = 500

MISSED = 1
"""Exit status if a target is not met."""
WIDEST = 90
"""Letters of a value that the table shows."""


def study(
    name: Annotated[
        str,
        typer.Argument(help=f"{', '.join(study_names())}, or all of them."),
    ],
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one object per target, nothing else.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(
            help="Where pages and pictures go: runs/studies if not given, none with --json."
        ),
    ] = None,
) -> None:
    """Re-run a paper: compare what it states, draw its figures, write a page."""
    import json

    from rths.studies import study as studies
    from rths.studies.page import write_page

    if out is not None and out.is_file():  # said before the work, not after it
        raise InputError("--out", str(out), "is a file, no directory", "Name another place.")
    names = study_names() if name == "all" else [name]
    chosen = [studies.study(n) for n in names]
    folder = out if as_json or out is not None else Path("runs/studies")
    found: list[Result] = []
    for each in chosen:
        with patience(each.paper.key, len(each.targets.listed)) as tell:
            results = each.run(_counting(tell))
        found += results
        if not as_json:
            _show(each, results)
        if folder is not None:
            with patience(f"{each.paper.key}: pictures"):
                page = write_page(each, results, folder / each.paper.key)
            print(f"written: {page}", file=sys.stderr if as_json else sys.stdout)
    if as_json:
        print(json.dumps([r.as_dict() for r in found], ensure_ascii=False, indent=1))
    sys.exit(0 if all(r.ok for r in found) else MISSED)


def _counting(tell: Callable[[int], Any]) -> Callable[[Any], Any]:
    """Tell of each result that one more is there."""
    return lambda _: tell(1)


def _show(study: Study, results: Sequence[Result]) -> None:
    """Print the table of a study; what is long is cut, the page has all of it."""
    from rich.console import Console
    from rich.table import Table

    from rths.studies.page import value_text

    def shorten(value: Any) -> str:
        text = value_text(value, digits=5)
        return text if len(text) <= WIDEST else f"{text[:WIDEST]} …"

    met = sum(r.ok for r in results)
    table = Table(title=f"{study.paper.key}: {met} of {len(results)} targets met")
    for heading in ("id", "claim", "paper", "target", "computed", "ok"):
        table.add_column(heading, overflow="fold")
    for r in results:
        t = r.target
        ok = "yes" if r.ok else "[red]no[/red]"
        table.add_row(t.id, t.claim, shorten(t.paper), shorten(t.target), shorten(r.computed), ok)
    Console().print(table)
