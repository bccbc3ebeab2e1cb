"""``rths doctor``: what this machine allows, and how punctual it is."""

from __future__ import annotations

from typing import Annotated

import typer


def doctor(
    realtime: Annotated[float, typer.Option(help="Seconds of measurement.", min=0.1)] = 5.0,
    rate: Annotated[float, typer.Option(help="Ticks per second.", min=1.0, max=8192.0)] = 4096.0,
) -> None:
    """Measure the latency of a paced loop and recommend the highest safe rate."""
    from rths.realtime.latency import measured

    found = measured(realtime, rate)
    for a in found.allowances:
        print(f"{'yes' if a.granted else 'no ':3s} {a.words}")
    print(f"\nlatency of {len(found.nanoseconds)} ticks at {rate:g} Hz, microseconds:")
    print("  " + "   ".join(f"p{p:g} {found.quantile(p):.1f}" for p in (50, 99, 99.9, 100)))
    print(f"  periods slipped: {found.slips}\n")
    for line in histogram(found.nanoseconds / 1e3):
        print(line)
    if found.safe_rate is None:
        print("\nno rate is safe here: do not run a rig from this machine as it is")
    else:
        print(f"\nhighest safe rate: {found.safe_rate} Hz (99.9 % of ticks leave half a period)")


def histogram(microseconds: object, width: int = 50) -> list[str]:
    """Draw latencies as bars over octaves, one line each."""
    import numpy as np

    values = np.maximum(np.asarray(microseconds, float), 1e-3)
    edges = 2.0 ** np.arange(0, max(2, int(np.ceil(np.log2(values.max()))) + 1))
    edges = np.concatenate([[0.0], edges])
    counts = np.histogram(values, edges)[0]
    most = max(1, int(counts.max()))
    lines = []
    for low, high, n in zip(edges[:-1], edges[1:], counts, strict=True):
        if n:
            bar = "#" * max(1, round(width * int(n) / most))
            lines.append(f"  {low:7.0f} to {high:7.0f} us {n:9d} {bar}")
    return lines
