"""``rths demo``: a first hybrid test, with and without delay compensation."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rths.cli._progress import patience
from rths.cli._voice import AsJson, answer

if TYPE_CHECKING:
    from rths.studies.wallace2005.three_ways import Outcome

PLACE = 510


def demo(
    out: Annotated[Path, typer.Option(help="Where records and pictures go.")] = Path("runs/demo"),
    as_json: AsJson = False,
) -> None:
    """Run the Wallace rig three ways: uncompensated, compensated, and the emulated reference."""
    from rths.records.hdf5 import write
    from rths.report.pictures import subspaces, time_histories
    from rths.studies.wallace2005.three_ways import three_ways

    with patience("the Wallace rig, three ways"):
        outcomes = three_ways()
    records = {name: o.record for name, o in outcomes.items()}
    paths = []
    for name, record in records.items():
        paths.append(out / f"{name}.h5")
        write(record, paths[-1], "table")
    hybrid = {n: r for n, r in records.items() if n != "emulated"}
    with patience("drawing"):
        paths.append(time_histories(hybrid, records["emulated"], out / "time_histories.png"))
        paths.append(subspaces(hybrid, out / "synchronisation.png"))
    if not as_json:
        _show(outcomes)
    runs = {
        name: {"stable": o.stable, "delay": o.delay, "tracking": o.tracking, "error": o.error}
        for name, o in outcomes.items()
    }
    answer(as_json, {"runs": runs, "written": paths}, ["written:", *(f"  {p}" for p in paths)])


def _show(outcomes: dict[str, Outcome]) -> None:
    """Print the table of the three runs."""
    from rich.console import Console
    from rich.table import Table

    table = Table(title="Wallace rig: 9.4 ms of actuator delay, 6.77 ms are critical")
    table.add_column("run", no_wrap=True)
    table.add_column("outcome", no_wrap=True)
    for heading in ("delay\nms", "tracking\nerror, %", "error against\nreference, %"):
        table.add_column(heading, justify="right", no_wrap=True)
    for name, o in outcomes.items():
        end = "stable" if o.stable else f"unstable at {o.record.stop.time:.2f} s"
        table.add_row(
            name,
            end,
            f"{round(1e3 * o.delay, 2) + 0.0:.2f}",
            f"{100 * o.tracking:.2f}",
            f"{100 * o.error:.2f}",
        )
    Console().print(table)
