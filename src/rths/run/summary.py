"""A run in a few numbers: how it ended, peaks of every channel, tracking, delay, time it took.

The record is read in portions and with NumPy alone, so that the summary of a long run needs little
memory and that of a short one no time. The delay is that of the strongest motion.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rths.errors import InputError
from rths.identification.cross_correlation import delay_by_cross_correlation
from rths.loop.channel_name import name_channel
from rths.loop.stop import Stop
from rths.records.guard_levels import guard_warnings
from rths.records.hdf5 import open_record
from rths.records.record import units_of
from rths.records.timing import GROUP, PERCENTILES
from rths.run.loss_signs import Read, find_loss_signs

PORTION = 1 << 18
"""Rows that are read at once."""
WINDOW = 1 << 13
"""Rows around the strongest motion from which the delay is estimated."""
LONGEST_DELAY = 0.1
"""Longest delay looked for, s: actuators are a few to some tens of ms late."""
MOST_OF_RECORD = 0.2
"""Part of the samples that a delay may shift, so that most of both signals are compared."""
TARGET, COMMAND, MEASURED = "integrator/target", "compensator/command", "transfer/displacement"
"""Where the signals lie in a record between which tracking is judged."""

COMMANDS = ("compensator.command", "compensator.stage_command")
"""What compensators write for others; all else is what they found out."""

Array = NDArray[np.float64]


def summarise(path: Path, stop: Stop, highest: float = np.inf) -> dict[str, Any]:
    """Read what a person wants to know first from the record of a run.

    ``highest`` is the highest frequency of the structure, Hz: what is faster comes from the loop.
    """
    with open_record(path) as (file, _):
        given: dict[str, Any] = stop.as_dict()
        given["name"] = str(file.attrs["name"])
        given["wall_seconds"] = float(file.attrs["wall_seconds"])
        given["real_time_factor"] = float(file.attrs["real_time_factor"])
        given["peaks"] = _peaks(file)
        given["warnings"] = _warnings(file)
        if GROUP in file:
            given["timing"] = _timing(file[GROUP])
        given["signs"] = _signs(file, highest)
        given["estimates"] = _estimates(file)
        given["tracking"] = _tracking(file) if TARGET in file and MEASURED in file else []
    return given


def _peaks(file: Any) -> list[dict[str, Any]]:
    """Smallest and largest value of every channel."""
    found: list[dict[str, Any]] = []
    for role in file.values():
        for data in role.values():
            if "signal" not in data.attrs or not len(data):
                continue
            low, high = np.full(data.shape[1], np.inf), np.full(data.shape[1], -np.inf)
            for k in range(0, len(data), PORTION):
                columns = np.ascontiguousarray(data[k : k + PORTION].T)  # twenty times as fast
                low = np.fmin(low, columns.min(axis=1))
                high = np.fmax(high, columns.max(axis=1))
            name = str(data.attrs["signal"])
            units = units_of(str(data.attrs["unit"]), data.shape[1])
            order = int(data.attrs["order"])
            found += [
                {
                    "signal": name_channel(name, c, data.shape[1]),
                    "unit": units[c],
                    "smallest": float(low[c]),
                    "largest": float(high[c]),
                    "order": order + c,
                }
                for c in range(data.shape[1])
            ]
    found.sort(key=lambda peak: peak["order"])
    return [{k: v for k, v in peak.items() if k != "order"} for peak in found]


def _estimates(file: Any) -> list[dict[str, Any]]:
    """First and last value of what the compensators write beside their commands."""
    written = file["compensator"].values() if "compensator" in file else ()
    found: list[dict[str, Any]] = []
    for data in written:
        if "signal" not in data.attrs or str(data.attrs["signal"]) in COMMANDS or not len(data):
            continue
        name, width = str(data.attrs["signal"]), data.shape[1]
        for c, unit in enumerate(units_of(str(data.attrs["unit"]), width)):
            signal = name_channel(name, c, width)
            ends = {"first": float(data[0, c]), "last": float(data[-1, c])}
            found.append({"signal": signal, "unit": unit, **ends})
    return found


def _warnings(file: Any) -> list[dict[str, Any]]:
    """Guards that warned or tripped: when first, for how many samples, and how far it went."""
    guards = file["guard"].values() if "guard" in file else ()
    levels = {str(d.attrs["signal"]): d for d in guards if "signal" in d.attrs}
    sampling = {
        name: SimpleNamespace(start=float(d.attrs["start"]), step=1 / float(d.attrs["rate"]))
        for name, d in levels.items()
    }
    return [asdict(w) for w in sorted(guard_warnings(levels, sampling), key=lambda w: w.first)]


def _signs(file: Any, highest: float) -> list[dict[str, Any]]:
    """Signs that the loop was about to be lost, if what shows them was recorded at every tick."""
    names = {"target": TARGET, "command": COMMAND, "measured": MEASURED}
    if not all(n in file and int(file[n].attrs["every"]) == 1 for n in names.values()):
        return []
    read: dict[str, Read] = {k: file[n].__getitem__ for k, n in names.items()}
    rows = min(len(file[n]) for n in names.values())
    tick = 1 / float(file[TARGET].attrs["rate"])
    return [asdict(s) for s in find_loss_signs(read, rows, tick, highest)]


def _timing(group: Any) -> dict[str, Any]:
    """Counts and percentiles of a run on the clock."""
    counts = {name: int(d[()]) for name, d in group.items() if d.shape == ()}
    found: dict[str, dict[str, float]] = {}
    for name in ("latency", "execution_time", "round_trip"):
        given = {p: group.attrs.get(f"{name}_{p}") for p in PERCENTILES}
        if None not in given.values():
            found[name] = {p: float(v) for p, v in given.items()}
    return {"counts": counts, "percentiles": found}


def _tracking(file: Any) -> list[dict[str, Any]]:
    """Tracking error and delay of every channel."""
    target, measured = file[TARGET], file[MEASURED]
    if int(target.attrs["every"]) != 1 or not len(target):
        return []
    width, tick = target.shape[1], 1 / float(target.attrs["rate"])
    error, power, worst = np.zeros(width), np.zeros(width), np.zeros(width)
    peak, where = np.zeros(width), np.zeros(width, int)
    for k in range(0, len(target), PORTION):
        x, off = target[k : k + PORTION], target[k : k + PORTION] - measured[k : k + PORTION]
        error += np.sum(off**2, axis=0)
        power += np.sum(x**2, axis=0)
        worst = np.fmax(worst, np.abs(off).max(axis=0))
        size, at = np.abs(x).max(axis=0), np.abs(x).argmax(axis=0)
        where, peak = np.where(size > peak, k + at, where), np.maximum(size, peak)
    found = []
    for c in range(width):
        first = max(0, min(int(where[c]) - WINDOW // 2, len(target) - WINDOW))
        near = slice(first, first + WINDOW)
        found.append(
            {
                "channel": c,
                "rms_error": float(np.sqrt(error[c] / power[c])) if power[c] else None,
                "largest_error": float(worst[c]),
                "delay": _delay(target[near, c], measured[near, c], tick),
            }
        )
    return found


def _delay(target: Array, measured: Array, tick: float) -> float | None:
    longest = min(LONGEST_DELAY, MOST_OF_RECORD * target.size * tick)
    try:
        return delay_by_cross_correlation(
            target, measured, tick, interpolated=True, longest=longest
        )
    except InputError:
        return None
