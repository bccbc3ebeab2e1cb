"""``rths chart PLAN --x transfer.delay --y specimen.stiffness``: stability in two numbers."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rths.cli._plan import Changes, Plan, Trust, read_hybrid_plan
from rths.cli._progress import patience
from rths.cli._voice import AsJson, answer
from rths.errors import InputError
from rths.plain_file import write_text

if TYPE_CHECKING:
    from rths.assembly.hybrid_test import HybridTest
    from rths.loop.block import Vector
    from rths.stability.loop_chart import LoopChart

PLACE = 210


def chart(
    plan: Plan,
    x: Annotated[str, typer.Option(help="Number along the chart, as transfer.delay.")],
    y: Annotated[str, typer.Option(help="Number up the chart, as specimen.stiffness.")],
    x_range: Annotated[
        str | None, typer.Option(metavar="LOW..HIGH", help="0..2.5 times the plan's if not given.")
    ] = None,
    y_range: Annotated[
        str | None, typer.Option(metavar="LOW..HIGH", help="0..2.5 times the plan's if not given.")
    ] = None,
    points: Annotated[int, typer.Option(help="Points along each axis.")] = 25,
    set_: Changes = None,
    out: Annotated[
        Path | None, typer.Option(help="Directory of the picture; runs/<name of the plan>.")
    ] = None,
    trust: Trust = False,
    as_json: AsJson = False,
) -> None:
    """Draw a stability chart of a plan's loop in any two of its numbers, as SVG and JSON."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # small matrices: threads only wait
    from rths.run.run_directory import RUNS
    from rths.stability.loop_chart import chart_of

    if points < 2:
        raise InputError("--points", points, "makes no chart", "Give 2 or more.")
    if x == y:
        raise InputError("--y", y, "is the number of --x too", "Name another number of the plan.")
    test = read_hybrid_plan(plan, set_, trust)
    along, up = _axis(test, x, x_range, points), _axis(test, y, y_range, points)
    with patience(f"{test.name}: {along.size * up.size:,} points"):
        found = chart_of(test, x, y, along, up)
    picture, data = _write(found, out or RUNS / plan.stem)
    stable = int((found.growth_rate < 0).sum())
    told = [
        f"{test.name}: stable at {stable} of {found.growth_rate.size} points",
        *(f"  {caveat}" for caveat in found.caveats),
        *("written:", f"  {picture}", f"  {data}"),
    ]
    answer(as_json, {**found.as_dict(), "written": [picture, data]}, told)


def _write(found: LoopChart, folder: Path) -> tuple[Path, Path]:
    """Write a chart into a folder, as a picture and as data."""
    from rths.report.certificate_page import chart_file
    from rths.run.run_directory import RunDirectory

    directory = RunDirectory(folder)
    directory.make()
    write_text(directory.chart_picture, chart_file(found))
    write_text(directory.chart, json.dumps(found.as_dict(), indent=1) + "\n")
    return directory.chart_picture, directory.chart


def _axis(test: HybridTest, path: str, given: str | None, points: int) -> Vector:
    """Read ``low..high``, or take 0 to 2.5 times what the plan has."""
    import numpy as np

    from rths.stability.plan_parameter import value_of

    present = value_of(test, path)
    if given is None:
        top = 2.5 * (present if isinstance(present, float) else 1.0)
        if not top > 0:
            remedy = f"Give its range, as --x-range 0..1, or give {path} in the plan."
            raise InputError(path, present, "says nothing about a range", remedy)
        return np.linspace(0.0, top, points)
    low, dots, high = given.partition("..")
    try:
        ends = float(low), float(high)
    except ValueError:
        ends = (0.0, 0.0)
    if not dots or not ends[0] < ends[1]:
        raise InputError("range", given, "is no range", "Write --x-range 0.002..0.02.")
    return np.linspace(*ends, points)
