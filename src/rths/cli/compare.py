"""``rths compare A B``: what differs between two records, plans and signals."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

PLACE = 410


def compare(
    first: Annotated[Path, typer.Argument(help="A record, the reference.")],
    second: Annotated[Path, typer.Argument(help="Another record.")],
    out: Annotated[
        Path | None, typer.Option(help="Picture (png, svg or pdf); compare.png by the second.")
    ] = None,
) -> None:
    """Print the differences of two records, and draw them."""
    from rths.cli.report import read_by_label
    from rths.report.comparison import draw, plan_differences, signal_differences
    from rths.report.figure import draw_styled, save
    from rths.report.readable import readable_value
    from rths.run.run_directory import RunDirectory

    (label_a, a), (label_b, b) = read_by_label([first, second]).items()
    print(f"first:  {label_a} ({a.stop})\nsecond: {label_b} ({b.stop})\n")
    plans = plan_differences(a, b)
    print("plan: " + ("the same" if not plans else ""))
    for field, was, now in plans:
        print(f"  {field}: {was} -> {now}")
    print(f"\n{'':28}{'peak, first':>13}{'peak, second':>13}{'difference':>13}{'rms':>10}")
    for d in signal_differences(a, b):
        share = "-" if d.relative is None else f"{100 * d.relative:.3g} %"
        peaks = (
            f"{readable_value(d.peak_first, d.unit):>13}{readable_value(d.peak_second, d.unit):>13}"
        )
        off = "identical" if d.identical else readable_value(d.largest, d.unit)
        print(f"{d.name:28}{peaks}{off:>13}{share:>10}")
    place = out or RunDirectory(second.parent).comparison
    path = save(draw_styled(draw, a, b, (label_a, label_b)), place)
    print(f"\n{path}")
