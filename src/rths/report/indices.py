"""The published indices applied to a record, by name.

An index gets what its signature asks for: target, measured and step always, a reference, the force,
a window or a delay where it names them. What it returns becomes rows of a table: a number is one, a
named tuple one for each of its numbers, a history its end and its largest size.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rths.errors import InputError
from rths.loop.block import Vector
from rths.metrics import metric, metric_names
from rths.metrics._declaration import declaration_of
from rths.records.record import Record
from rths.report.shown_signals import FORCE, MEASURED, TARGET

KNOWN = ("target", "measured", "step", "response", "reference", "force", "window", "longest")
"""What a record can give to an index."""


@dataclass(frozen=True)
class Index:
    """One number: which index, which part of it, for which channel, in which unit."""

    name: str
    value: float | None
    unit: str
    problem: str = ""


def indices(
    record: Record,
    names: Iterable[str] | None = None,
    reference: Record | None = None,
    channel: int = 0,
) -> list[Index]:
    """Apply indices to one channel of a record; all that apply if none is named."""
    asked = list(names or [])
    found: list[Index] = []
    for name in asked or [n for n in metric_names() if not missing_arguments(n)]:
        if name == "nrmse" and reference is None and not asked:
            continue
        try:
            found += _rows(name, _apply(name, record, reference, channel))
        except InputError as error:
            if asked:
                raise
            found.append(Index(name, None, "", error.problem))
    return found


def metrics(
    record: Record | Path | str,
    names: Iterable[str] | None = None,
    reference: Record | Path | str | None = None,
    channel: int = 0,
) -> dict[str, float | None]:
    """Compute the published indices of one channel of a record by name; None where one fails."""
    from rths.records.hdf5 import read

    given = record if isinstance(record, Record) else read(Path(record))
    other = reference
    if other is not None and not isinstance(other, Record):
        other = read(Path(other))
    return {i.name: i.value for i in indices(given, names, other, channel)}


def missing_arguments(name: str) -> list[str]:
    """Name what an index needs beyond a record."""
    wanted = inspect.signature(metric(name)).parameters.values()
    needed = [p.name for p in wanted if p.default is p.empty]
    given = set(KNOWN) - ({"window"} if name == "solution_counts" else set())
    return [p for p in needed if p not in given]


def _apply(name: str, record: Record, reference: Record | None, channel: int) -> Any:
    index = metric(name)
    wanted = inspect.signature(index).parameters
    if missing_arguments(name):
        raise InputError(
            "metric",
            name,
            f"needs {', '.join(missing_arguments(name))}, which a record does not have",
            "Use it from Python.",
        )
    target, measured = _signal(record, TARGET, channel), _signal(record, MEASURED, channel)
    given: dict[str, Any] = {"target": target, "measured": measured, "step": record.tick}
    given |= {"response": target}
    if "reference" in wanted:
        if reference is None:
            raise InputError("--reference", None, f"is needed by {name}", "Name a second record.")
        wanted_response = _signal(reference, TARGET, channel)
        count = min(len(wanted_response), len(target))
        given |= {"reference": wanted_response[:count], "response": target[:count]}
    if "force" in wanted:
        given["force"] = _signal(record, FORCE, channel)
    if "window" in wanted:
        given["window"] = min(1.0, 0.5 * len(target) * record.tick)
        if "longest" in wanted:
            given["longest"] = 0.1 * given["window"]
    return index(**{k: v for k, v in given.items() if k in wanted})


def _signal(record: Record, name: str, channel: int) -> Any:
    found = record.channel(name)
    table = record[name]
    if found.every != 1:
        raise InputError("signal", name, "is not recorded every tick", "Record it as it is.")
    if channel >= table.shape[1]:
        raise InputError("--channel", channel, "does not exist", f"0 to {table.shape[1] - 1}.")
    return np.ascontiguousarray(table[:, channel])


def _rows(name: str, result: Any) -> list[Index]:
    declared = declaration_of(metric(name))
    parts = [f for f in getattr(result, "_fields", (None,)) if f is None or f != declared.axis]
    found = []
    for part in parts:
        label, value = (name, result) if part is None else (f"{name}.{part}", getattr(result, part))
        unit = declared.unit_of(part)
        if np.ndim(value) == 0:
            found.append(Index(label, float(value), unit))
        elif np.isfinite(value).any():
            tell = _tell_spread if declared.spread else _tell_course
            found += [Index(f"{label} {word}", v, unit) for word, v in tell(value)]
        else:
            found.append(Index(label, None, "", "has no value"))
    return found


def _tell_spread(history: Vector) -> list[tuple[str, float]]:
    """Tell a history whose moments are alike."""
    ways = (("median", np.nanmedian), ("least", np.nanmin), ("most", np.nanmax))
    return [(word, float(way(history))) for word, way in ways]


def _tell_course(history: Vector) -> list[tuple[str, float]]:
    """Tell a history that adds up: where it ends, and how far it went."""
    finite = history[np.isfinite(history)]
    extreme = float(finite[np.argmax(np.abs(finite))])
    return [("at the end", float(finite[-1])), ("extreme", extreme)]
