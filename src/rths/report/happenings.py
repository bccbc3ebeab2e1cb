"""What happened during runs: transitions with their reasons, guards that warned or tripped."""

from __future__ import annotations

from collections.abc import Sequence

from rths.records.guard_levels import guard_warnings
from rths.report.shown_run import ShownRun
from rths.report.shown_signals import COMMAND, MEASURED, TARGET
from rths.run.loss_signs import Read, find_loss_signs, highest_frequency


def events(runs: Sequence[ShownRun]) -> list[tuple[str, str, str, str, str]]:
    """Give record, time of day, time in the test, state and reason of every event."""
    return [
        (
            run.label,
            str(e["time"])[11:23],
            "" if e.get("tick") is None else f"{e['tick'] * run.record.tick:.3f} s",
            str(e["state"]),
            str(e["reason"]),
        )
        for run in runs
        for e in run.record.details.get("events", ())
    ]


def guards(runs: Sequence[ShownRun]) -> list[tuple[str, str, str, str, str, str]]:
    """Give record, guard, what it did, when first, for how many samples and how far."""
    return [
        (
            run.label,
            w.guard,
            "tripped" if w.tripped else "warned",
            f"{w.first:.3f} s",
            str(w.samples),
            "-" if w.furthest is None else f"{w.furthest:.4g}",
        )
        for run in runs
        for w in sorted(guard_warnings(run.record, run.record.channels), key=lambda w: w.first)
    ]


def loss_signs(runs: Sequence[ShownRun]) -> list[tuple[str, str, str]]:
    """Give record, channel and words of every sign that a loop was about to be lost."""
    found = []
    for run in runs:
        if not run.has(TARGET, COMMAND, MEASURED) or run.test is None:
            continue
        read: dict[str, Read] = {
            "target": run.record[TARGET].__getitem__,
            "command": run.record[COMMAND].__getitem__,
            "measured": run.record[MEASURED].__getitem__,
        }
        highest, tick = highest_frequency(run.test.equation), run.record.tick
        signs = find_loss_signs(read, len(run.record[TARGET]), tick, highest)
        found += [(run.label, str(s.channel), s.words) for s in signs]
    return found


def machines(runs: Sequence[ShownRun]) -> list[tuple[str, str, str]]:
    """Give record, yes or no, and words for everything that was asked of the machine."""
    return [
        (run.label, "yes" if a["granted"] else "no", str(a["words"]))
        for run in runs
        for a in run.record.details.get("machine", ())
    ]
