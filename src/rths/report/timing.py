"""Timing of runs on the clock, in words and as rows of a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rths.report.shown_run import ShownRun

NAMES = {"latency": "latency", "execution_time": "execution time", "round_trip": "round trip"}
HEADINGS = {"p50": "median", "p99": "99 %", "p99_9": "99.9 %", "max": "largest"}
COUNTS = {
    "slips": "periods slipped",
    "lost_rows": "rows lost",
    "missed_replies": "replies missed",
    "refused_packets": "packets refused",
}


def percentile_rows(runs: Sequence[ShownRun]) -> list[tuple[str, ...]]:
    """Give record, quantity and its percentiles; nothing of runs off the clock."""
    return [
        (run.label, NAMES[name], *(microseconds(found[p]) for p in HEADINGS))
        for run in runs
        if run.record.timing is not None
        for name, found in run.record.timing.percentiles.items()
    ]


def count_rows(runs: Sequence[ShownRun]) -> list[tuple[str, ...]]:
    """Give record, what was counted and how often."""
    return [
        (run.label, COUNTS[name], str(count))
        for run in runs
        if run.record.timing is not None
        for name, count in run.record.timing.counts.items()
    ]


def microseconds(seconds: float) -> str:
    """Write a short time."""
    return f"{1e6 * seconds:.3g} µs" if seconds < 1e-3 else f"{1e3 * seconds:.3g} ms"


def punctuality(counts: Mapping[str, int], percentiles: Mapping[str, Mapping[str, float]]) -> str:
    """Tell in words how punctual a run was."""
    slips = counts["slips"]
    parts = [f"{slips or 'no'} period{'' if slips == 1 else 's'} slipped"]
    if "latency" in percentiles:
        p = percentiles["latency"]
        parts.append(f"99 % of ticks at most {microseconds(p['p99'])} late")
        parts.append(f"the worst {microseconds(p['max'])}")
    if "round_trip" in percentiles:
        trip = microseconds(percentiles["round_trip"]["p99"])
        parts.append(f"99 % of answers within {trip}")
    parts += [
        f"{counts[name]} {words}" for name, words in list(COUNTS.items())[1:] if counts.get(name)
    ]
    return ", ".join(parts)
