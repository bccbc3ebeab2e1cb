"""``rths doctor``: what this machine allows, and how punctual it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from rths.cli._voice import AsJson, answer

if TYPE_CHECKING:
    from rths.realtime.latency import Latency

PLACE = 520

SHORTEST_MEASUREMENT, LONGEST_MEASUREMENT = 0.1, 600.0
"""Seconds of a measurement: some hundred ticks at the least, or 99 % of them means nothing."""
SLOWEST, FASTEST = 1.0, 8192.0
"""Ticks per second."""


def doctor(
    realtime: Annotated[float, typer.Option(help="Seconds of measurement.")] = 5.0,
    rate: Annotated[float, typer.Option(help="Ticks per second, up to 8192.")] = 4096.0,
    as_json: AsJson = False,
) -> None:
    """Measure the latency of a paced loop and recommend the highest safe rate."""
    _check_range("--realtime", realtime, SHORTEST_MEASUREMENT, LONGEST_MEASUREMENT, "seconds")
    _check_range("--rate", rate, SLOWEST, FASTEST, "ticks per second")
    from rths.realtime.latency import measure_latency

    if not as_json:
        print(f"measuring for {realtime:g} s at {rate:g} Hz ...", flush=True)
    found = measure_latency(realtime, rate)
    answer(as_json, findings(found), findings_text(found))


def _check_range(option: str, value: float, low: float, high: float, unit: str) -> None:
    """Refuse what cannot be measured."""
    from rths.errors import InputError

    if not low <= value <= high:
        problem = "cannot be measured" if option == "--realtime" else "is no rate of a loop"
        raise InputError(option, value, problem, f"Give {low:g} to {high:g} {unit}.")


def findings(found: Latency) -> dict[str, Any]:
    """Give the same for a program; times in s."""
    return {
        "allowances": [{"granted": a.granted, "words": a.words} for a in found.allowances],
        "rate": found.rate,
        "ticks": len(found.nanoseconds),
        "latency": {str(p): 1e-6 * found.quantile(p) for p in (50, 99, 99.9, 100)},
        "slips": found.slips,
        "safe_rate": found.safe_rate,
    }


def findings_text(found: Latency) -> list[str]:
    """Say in words what was allowed, how late ticks were, and what follows."""
    from rths.report.timing import microseconds

    late = {p: microseconds(1e-6 * found.quantile(p)) for p in (50, 99, 99.9, 100)}
    slips = f"{found.slips or 'no'} period{'' if found.slips == 1 else 's'} slipped"
    return [
        "",
        "The machine allows",
        *(f"  {'yes' if a.granted else 'no ':3s} {a.words}" for a in found.allowances),
        "",
        f"Latency of {len(found.nanoseconds)} ticks at {found.rate:g} Hz",
        f"  median {late[50]}, 99 % below {late[99]}, 99.9 % below {late[99.9]}, "
        f"the worst {late[100]}; {slips}",
        "",
        *histogram(found.nanoseconds / 1e3),
        "",
        *recommendation(found),
    ]


def recommendation(found: Latency) -> list[str]:
    """Say which rate is safe, and what the worst tick would have done to it."""
    rate = found.safe_rate
    if rate is None:
        return ["No rate is safe here: do not run a rig from this machine as it is."]
    lines = [
        f"Highest safe rate: {rate} Hz. 99.9 % of its ticks wake with half a period or more "
        "left for the work."
    ]
    lost = int(1e-6 * found.quantile(100) * rate)
    if lost:
        lines.append(
            f"The worst tick would have let {lost} period{'' if lost == 1 else 's'} slip at that "
            "rate: a rig must stand it, and a guard of kind slips should end the test if more do."
        )
    if not all(a.granted for a in found.allowances):
        lines.append("What is marked no makes this a matter of luck: measure again, for longer.")
    return lines


def histogram(microseconds: Any, width: int = 50) -> list[str]:
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
            lines.append(f"  {low:7.0f} to {high:7.0f} µs {n:9d} {bar}")
    return lines
