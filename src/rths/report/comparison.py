"""Two records beside each other: what differs in their plans, and by how much they differ."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from typing import Any

import numpy as np

from rths.errors import InputError
from rths.loop.channel_name import name_channel
from rths.records.record import Record
from rths.report.figure import COLOURS, GREY, grid, outline
from rths.report.readable import readable_scale
from rths.report.shown_signals import FORCE, MEASURED, TARGET

SHOWN = (TARGET, MEASURED, FORCE)
"""Signals of which both records are drawn."""


@dataclass(frozen=True)
class SignalDifference:
    """Difference of one channel of a signal over the time that both records have."""

    name: str
    unit: str
    peak_first: float
    peak_second: float
    largest: float
    """Largest absolute difference."""
    relative: float | None
    """Root mean square of the difference over that of the first; None if the first is zero."""
    identical: bool


def plan_differences(first: Record, second: Record) -> list[tuple[str, Any, Any]]:
    """Give the fields in which two plans differ, by their paths."""
    a, b = (_flatten(tomllib.loads(r.plan)) for r in (first, second))
    return [(k, a.get(k), b.get(k)) for k in dict.fromkeys([*a, *b]) if a.get(k) != b.get(k)]


def _flatten(table: Any, prefix: str = "") -> dict[str, Any]:
    if isinstance(table, list) and table and isinstance(table[0], dict):
        table = {f"[{i}]": t for i, t in enumerate(table)}
    if not isinstance(table, dict):
        return {prefix.rstrip("."): table}
    found: dict[str, Any] = {}
    for key, value in table.items():
        joined = f"{prefix.rstrip('.')}{key}." if key.startswith("[") else f"{prefix}{key}."
        found |= _flatten(value, joined)
    return found


def signal_differences(first: Record, second: Record) -> list[SignalDifference]:
    """Compare the signals that both records have, at the times of the first."""
    found = []
    for name in first:
        if name not in second or first[name].shape[1] != second[name].shape[1]:
            continue
        a, b = align(first, second, name)
        for c, unit in enumerate(first.channel(name).units):
            found.append(_difference(name, c, unit, a, b))
    return found


def align(first: Record, second: Record, name: str) -> tuple[Any, Any]:
    """Give a signal of both records at the same times; between samples by straight lines."""
    t, u = first.time(name), second.time(name)
    t = t[t <= u[-1] + 1e-9 * second.tick] if u.size else t[:0]
    a = first[name][: t.size]
    if u.size >= t.size and np.allclose(t, u[: t.size], rtol=0, atol=1e-9 * first.tick):
        return a, second[name][: t.size]
    return a, np.column_stack([np.interp(t, u, column) for column in second[name].T])


def _difference(name: str, c: int, unit: str, a: Any, b: Any) -> SignalDifference:
    x, y = a[:, c], b[:, c]
    off = np.abs(y - x)
    size = float(np.sqrt(np.mean(x**2))) if x.size else 0.0
    return SignalDifference(
        name_channel(name, c, a.shape[1]),
        unit,
        float(np.max(np.abs(x), initial=0.0)),
        float(np.max(np.abs(y), initial=0.0)),
        float(np.max(off, initial=0.0)),
        float(np.sqrt(np.mean(off**2))) / size if size else None,
        bool(np.array_equal(x, y)),
    )


def draw(first: Record, second: Record, labels: tuple[str, str]) -> Any:
    """Draw both records over each other, and their difference beneath, signal by signal."""
    both = [n for n in SHOWN if n in first and n in second]
    same = [n for n in both if first[n].shape[1] == second[n].shape[1]]
    shown = [(name, c) for name in same for c in range(first[name].shape[1])]
    if not shown:
        raise InputError("record", list(second), "has no signal in common", "Nothing to draw.")
    figure, axes = grid(
        2 * len(shown), 1, (7.2, 2.5 * len(shown)), sharex=True, height_ratios=[2, 1] * len(shown)
    )
    for k, (name, c) in enumerate(shown):
        a, b = align(first, second, name)
        t = first.time(name)[: len(a)]
        unit, factor = readable_scale(
            float(np.max(np.abs(a[:, c]), initial=0.0)), first.channel(name).unit
        )
        over, under = axes[2 * k, 0], axes[2 * k + 1, 0]
        over.plot(*outline(t, factor * a[:, c]), color=GREY, lw=2.0, label=labels[0])
        over.plot(*outline(t, factor * b[:, c]), color=COLOURS[1], lw=0.8, label=labels[1])
        under.plot(*outline(t, factor * (b - a)[:, c]), color="0.2", lw=0.7)
        over.set_title(name_channel(name, c, a.shape[1]), loc="left", fontsize=8)
        over.set_ylabel(unit)
        under.set_ylabel(f"difference\n{unit}", fontsize=8)
    axes[0, 0].legend(loc="upper right", ncols=2, fontsize=8)
    axes[-1, 0].set_xlabel("time, s")
    return figure
