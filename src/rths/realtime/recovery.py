"""From a journal and what is left in shared memory to a record, after a crash or a good end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rths.config.plan import load
from rths.loop.stop import Stop
from rths.realtime.journal import read_journal
from rths.realtime.ring import HEAD, HEADER, LOST, SLIPS, SharedRing
from rths.records.record import Record, channels_of


def recover(folder: Path) -> Stop:
    """Make the record of a run directory from everything that was taken; keep it beside."""
    about, rows = read_journal(folder / "journal")
    ring_path = Path(about["ring"])
    counted = {"slips": 0, "lost": 0}
    ring = SharedRing.attach(ring_path, about["width"]) if ring_path.exists() else None
    if ring is not None:
        counted = {"slips": ring.word(SLIPS), "lost": ring.word(LOST)}
        rows = np.concatenate([rows, left_in(ring, rows)])
    test = load(folder / "plan.toml")
    stop = _stop(folder, rows, test.tick, counted)
    channels = channels_of(test.live_layout, test.tick)
    plan = (folder / "plan.toml").read_text(encoding="utf-8")
    record = Record(test.name, test.tick, channels, rows[:, len(HEADER) :], stop, plan)
    from rths.records.hdf5 import write

    write(record, folder / "record.h5", "table, real time")
    _timing(folder, rows, counted)
    if ring is not None:
        ring.remove()
    return stop


def left_in(ring: SharedRing, journal: NDArray[np.float64]) -> NDArray[np.float64]:
    """Read the rows that are in the ring and not in the journal."""
    head = ring.word(HEAD)
    first = max(int(journal[-1, 0]) + 1 if len(journal) else 0, head - len(ring.rows))
    rows: NDArray[np.float64] = ring.rows[np.arange(first, head) & (len(ring.rows) - 1)].copy()
    return rows


def _stop(folder: Path, rows: NDArray[np.float64], tick: float, counted: dict[str, int]) -> Stop:
    """Say why the run ended, as far as the loop could tell."""
    done = len(rows)
    path = folder / "status.json"
    status: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {"reason": None}
    if status.get("stop"):
        limit = status["stop"]["limit"]
        return Stop(**{**status["stop"], "limit": tuple(limit) if limit else None})
    when = f"stopped at tick {done} (t = {done * tick:.6g} s)"
    texts = {
        "completed": "completed",
        "asked": f"{when}: the operator asked for it",
        "slips": f"{when}: {counted['slips']} periods slipped, more than the plan allows",
        "heartbeat": f"{when}: the supervisor's heartbeat was lost",
        None: f"{when}: the loop's process was killed",
    }
    reason = status["reason"]
    kind = {"completed": "completed", "slips": "slips", "heartbeat": "heartbeat"}.get(reason)
    return Stop(kind or "interrupted", done, done * tick, texts[reason])  # type: ignore[arg-type]


def _timing(folder: Path, rows: NDArray[np.float64], counted: dict[str, int]) -> None:
    """Write the timing statistics of a run, in microseconds."""
    quantiles = (50.0, 99.0, 99.9, 100.0)
    timing: dict[str, Any] = dict(counted)
    for name, column in (("latency", 1), ("busy", 2)):
        values = np.percentile(rows[:, column], quantiles) / 1e3 if len(rows) else [0.0] * 4
        timing[name] = dict(zip(("p50", "p99", "p99.9", "max"), map(float, values), strict=True))
    (folder / "timing.json").write_text(json.dumps(timing, indent=2))
