"""``rths compare A B``: what differs between two records, plans and signals."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rths.cli._progress import patience
from rths.cli._record import RecordPath, find_record
from rths.cli._voice import AsJson, answer

PLACE = 410


def compare(
    first: RecordPath,
    second: RecordPath,
    out: Annotated[
        Path | None, typer.Option(help="Picture (png, svg or pdf); compare.png by the second.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Print the differences of two records, the first being the reference, and draw them."""
    from dataclasses import asdict

    from rths.cli.report import read_by_label
    from rths.report.comparison import draw, plan_differences, signal_differences
    from rths.report.figure import draw_styled, require_picture, save
    from rths.report.readable import readable_value
    from rths.run.run_directory import RunDirectory

    first, second = find_record(first), find_record(second)
    place = require_picture(out or RunDirectory(second.parent).comparison)
    (label_a, a), (label_b, b) = read_by_label([first, second]).items()
    told = [f"first:  {label_a} ({a.stop})", f"second: {label_b} ({b.stop})", ""]
    plans, signals = plan_differences(a, b), signal_differences(a, b)
    told.append("plan: " + ("the same" if not plans else ""))
    told += [f"  {field}: {was} -> {now}" for field, was, now in plans]
    told += ["", f"{'':28}{'peak, first':>13}{'peak, second':>13}{'difference':>13}{'rms':>10}"]
    for d in signals:
        share = "-" if d.relative is None else f"{100 * d.relative:.3g} %"
        peaks = (
            f"{readable_value(d.peak_first, d.unit):>13}{readable_value(d.peak_second, d.unit):>13}"
        )
        off = "identical" if d.identical else readable_value(d.largest, d.unit)
        told.append(f"{d.name:28}{peaks}{off:>13}{share:>10}")
    with patience("drawing"):
        path = save(draw_styled(draw, a, b, (label_a, label_b)), place)
    found = {"plan": plans, "signals": [asdict(d) for d in signals], "written": path}
    answer(as_json, found, [*told, "", str(path)])
