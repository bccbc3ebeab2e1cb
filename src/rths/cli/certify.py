"""``rths certify PLAN``: is this test proved stable, or tested, and by what margin?"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rths.cli._plan import Changes, Plan, Trust, read_changes, read_hybrid_plan
from rths.cli._progress import patience
from rths.cli._voice import AsJson, answer, paint
from rths.errors import InputError

if TYPE_CHECKING:
    from rths.assembly.hybrid_test import HybridTest

PLACE = 200
MOST = 1_000_000
"""Samples at most: their bound is 3e-6 then."""

EXIT = {"proved": 0, "tested": 0, "unstable": 4, "undecided": 5}
"""Exit status by verdict; 2 is a plan that cannot be used."""

Uncertain = Annotated[
    list[str] | None,
    typer.Option(
        metavar="FIELD=RANGE",
        help="A number known roughly: transfer.delay=0.008..0.012, "
        "specimen.stiffness=2250+-50 (normal), transfer.delay=0.01*/1.2 (lognormal) or "
        "structure.mass=+-5%.",
    ),
]
Correlated = Annotated[
    list[str] | None,
    typer.Option(
        metavar="FIELD,FIELD=R",
        help="Two of these that go together: transfer.delay,specimen.stiffness=0.7.",
    ),
]
Samples = Annotated[int, typer.Option(help="Samples of the uncertain numbers.", min=1, max=MOST)]
Seed = Annotated[int, typer.Option(help="Seed of these samples.", min=0)]
Drawn = Annotated[bool, typer.Option(help="Draw a chart over delay and stiffness on the page.")]
Overwrite = Annotated[
    bool, typer.Option("--overwrite", help="Replace the certificate of another plan in --out.")
]
Out = Annotated[
    Path | None, typer.Option(help="Directory of the page; runs/<name of the plan> if not given.")
]


def certify(
    plan: Plan,
    set_: Changes = None,
    uncertain: Uncertain = None,
    correlated: Correlated = None,
    samples: Samples = 1000,
    seed: Seed = 0,
    chart: Drawn = True,
    out: Out = None,
    overwrite: Overwrite = False,
    trust: Trust = False,
    as_json: AsJson = False,
) -> None:
    """Certify a plan: proved, tested, unstable or not decided; leave a page, and its data.

    Ends with 0 if the plan is proved stable or was tested, with 4 if it is unstable (a plan that
    shows it is left too), with 5 if that could not be decided.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # small matrices: threads only wait
    from rths.report.certificate_origin import certificate_folder, origin_of
    from rths.report.certificate_page import write_certificate, write_counterexample
    from rths.report.vibration import vibrations_of
    from rths.stability.certificate import certify as certificate_of

    if correlated and not uncertain:
        problem = "correlates numbers, and none is uncertain"
        raise InputError("--correlated", correlated[0], problem, "Name them by --uncertain too.")
    test = read_hybrid_plan(plan, set_, trust)
    changes = read_changes(set_)
    origin = origin_of(test, plan.name, changes)
    folder = certificate_folder(test, plan.stem, out, overwrite)
    with patience(f"{test.name}: certificate"):
        found, shaken = certificate_of(test), vibrations_of(test)
    roughly = None
    if uncertain:
        roughly = _judge_uncertain(test, uncertain, correlated or [], samples, seed, found.caveats)
    picture = _draw_chart(test, found) if chart and found.margins else None
    paths = [*write_certificate(found, folder, picture, roughly, origin, shaken)]
    if found.counterexample is not None:
        paths.append(write_counterexample(found.counterexample, folder))
    told = _describe_certificate(test.name, found, roughly)
    told += [f"  {line}" for line in shaken.lines] if shaken is not None else []
    written = ["written:", *(f"  {p}" for p in paths)]
    answer(as_json, {**found.as_dict(), "written": paths}, [*told, *written])
    sys.exit(EXIT[found.verdict])


def _describe_certificate(name: str, found: Any, roughly: Any) -> list[str]:
    """Say what was found, the verdict first."""
    lines = [paint(f"{name}: {found.sentence}.", found.verdict)]
    lines += [f"  {_margin(m, found.rest.growth_rate < 0)}" for m in found.margins]
    lines += [f"  {note}" for note in found.notes]
    if roughly is not None:
        lines += _describe_robustness(roughly)
    if found.counterexample is not None:
        shown = found.counterexample
        lines.append(f"  counterexample: {shown.words}, {shown.test.duration:.4g} s long")
    return lines


def _margin(m: Any, stable: bool) -> str:
    """One margin in words: how far a number may go, or where the loop is stable again."""
    from rths.report.readable import readable_value

    now, end = (readable_value(v, m.unit) for v in (m.present, m.searched))
    if m.critical is None:
        return f"{m.name}: no change from {now} to {end}, where the search ended"
    limit = "at most" if m.critical > m.present else "at least"
    limit = limit if stable else "stable again at"
    return (
        f"{m.name}: {now} now, {limit} {readable_value(m.critical, m.unit)} ({m.frequency:.3g} Hz)"
    )


def _judge_uncertain(
    test: HybridTest,
    texts: list[str],
    together: list[str],
    samples: int,
    seed: int,
    caveats: tuple[str, ...],
) -> Any:
    from rths.stability.correlation import read_correlation
    from rths.stability.distribution import read_all_uncertain
    from rths.stability.robustness import judge_robustness

    numbers = read_all_uncertain(test, texts)
    pairs = dict(read_correlation(t) for t in together)
    with patience(f"{test.name}: {samples:,} samples of the uncertain numbers"):
        return judge_robustness(test, numbers, samples, seed, correlations=pairs, caveats=caveats)


def _draw_chart(test: HybridTest, found: Any) -> Any:
    from rths.report.certificate_chart import draw_certificate_chart

    with patience(f"{test.name}: chart"):
        return draw_certificate_chart(test, found)


def _describe_robustness(r: Any) -> list[str]:
    refused = f", {r.refused} refused by the plan" if r.refused else ""
    worst = ", ".join(f"{path} = {v:.6g}" for path, v in r.worst.items())
    path, share = next(iter(r.importance.items()))
    return [
        f"  uncertain: {r.unstable} of {r.samples} samples {r.words}{refused}; probability below "
        f"{100 * r.probability_bound:.3g} % with {100 * r.confidence:.0f} % confidence",
        f"  worst case: growth rate {r.worst_growth_rate:.4g} 1/s at {worst}",
        f"  most important: {path} ({100 * share:.0f} %)",
    ]
