"""What follows from a plan, at once: its modes, its verdict, its rehearsal; then its margins.

The verdict comes from the roots, or from a first look where nothing is proved: a twentieth of what
is tried otherwise. The whole certificate, which takes longer, is asked for when no number is being
changed.
"""

from __future__ import annotations

import warnings
from math import pi
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rths.assembly.hybrid_test import HybridTest
from rths.cockpit.packed import pack, plain
from rths.cockpit.tracking import track_windows
from rths.config.attachments import rebuild_test
from rths.config.plan import load
from rths.errors import InputError, InputWarning
from rths.records.hdf5_reader import read
from rths.records.record import Record
from rths.report.certificate_chart import draw_certificate_chart
from rths.report.figure import outline
from rths.report.indices import indices
from rths.report.shown_run import ShownRun
from rths.report.shown_signals import COMMAND, FORCE, MEASURED, TARGET
from rths.run.run_directory import RunDirectory
from rths.run.virtual import simulate
from rths.stability.certificate import Certificate, certify
from rths.stability.structural_modes import LOWEST_FREQUENCY, Modes, bare_modes_of, modes_of

MOST_TICKS = 5_000_000
"""Ticks of a test that is rehearsed while numbers are changed."""
SECTION = 8.0
"""Seconds around the strongest motion of which loops are drawn."""
POINTS = 2500
"""Points of a loop."""
QUICK = ("rms_tracking_error", "maximum_tracking_error", "tracking_error_energy")
"""Indices that are told while numbers are changed."""
REHEARSED = 60.0
"""Seconds of a rehearsal from which the tracking of a live test is told: enough for a middle value,
also where the test takes an hour."""
FIRST_LOOK = 0.05
"""Share of the work of a certificate: some fifty disturbances in a fifth of a second."""
FOLLOWS = "A first look; the whole certificate follows."
MOST_MODES = 6


def judge(text: str, verdict: bool = True) -> dict[str, Any]:
    """Give modes, verdict and rehearsal of the text of a plan; the verdict may come later."""
    test, notes = _read_text(text)
    if test.clock.ticks > MOST_TICKS:
        problem = f"makes {test.clock.ticks:,} ticks"
        remedy = f"Up to {MOST_TICKS:,} are rehearsed here; use rths run for more."
        raise InputError("clock.duration", test.duration, problem, remedy)
    record = simulate(test)
    found = certify(test, margins=False, share=FIRST_LOOK) if verdict else None
    more = [FOLLOWS] if found and found.trial is not None else []
    return {
        "name": test.name,
        "notes": [*notes, *(found.notes if found else ()), *more],
        "verdict": found.verdict if found else "",
        "sentence": found.sentence if found else "",
        "modes": _describe_modes(test, found),
        "rehearsal": show_rehearsal(record),
        "live": test.hardware is not None,
    }


def find_margins(text: str) -> dict[str, Any]:
    """Give the whole certificate of the text of a plan."""
    test, notes = _read_text(text)
    found = certify(test)
    return {**_describe_certificate(found, notes), "modes": _describe_modes(test, found)}


def draw_chart(text: str) -> dict[str, Any]:
    """Give the chart over delay and stiffness, or over extra delay and gain."""
    test, _ = _read_text(text)
    found = certify(test)
    if not found.margins:
        return {"chart": None}
    return {"chart": plain(draw_certificate_chart(test, found).as_dict())}


def find_limits(run: str) -> dict[str, Any]:
    """Give the limits of a test that runs: certificate, and tracking in the rehearsal."""
    return _limits_of(load(RunDirectory(Path(run)).find_plan()))


def find_record_limits(run: str) -> dict[str, Any]:
    """Give the limits of the test of a record, whose files are there as long as it takes."""
    record = read(RunDirectory(Path(run)).record)
    with TemporaryDirectory(prefix="rths_") as folder:
        return _limits_of(rebuild_test(record.plan, record.files, Path(folder)))


def _limits_of(test: HybridTest) -> dict[str, Any]:
    told = _describe_certificate(certify(test), [])
    by_name = {m["name"]: m for m in told["margins"]}
    delay, gain = by_name.get("extra delay"), by_name.get("gain")
    short = test if test.duration <= REHEARSED else test.with_values({"duration": REHEARSED})
    record = simulate(short)
    planned = []
    for c in range(test.channels):
        seen = []
        if ShownRun(test.name, record).has(TARGET, MEASURED):
            seen = track_windows(record[TARGET][:, c], record[MEASURED][:, c], test.tick)
        middle = [float(np.median([getattr(t, k) for t in seen])) for k in ("delay", "gain")]
        planned.append(dict(zip(("delay", "gain"), middle if seen else (0.0, 1.0), strict=True)))
    return {
        "verdict": told["verdict"],
        "sentence": told["sentence"],
        "delay": delay and delay["critical"],
        "searched_delay": delay and delay["searched"],
        "gain": gain and gain["critical"],
        "planned": planned,
    }


def _read_text(text: str) -> tuple[HybridTest, list[str]]:
    """Read the text of a plan; give what was remarked about it."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", InputWarning)
        test = load(text if "\n" in text else text + "\n")
    return test, [str(w.message) for w in told if issubclass(w.category, InputWarning)]


def _describe_certificate(found: Certificate, notes: list[str]) -> dict[str, Any]:
    margins = [
        {
            "name": m.name,
            "unit": m.unit,
            "present": m.present,
            "critical": m.critical,
            "searched": m.searched,
            "frequency": m.frequency,
        }
        for m in found.margins
    ]
    told: dict[str, Any] = {"name": found.name, "verdict": found.verdict}
    told["sentence"] = found.sentence
    told |= {"notes": [*notes, *found.notes], "margins": margins}
    return dict(plain(told))


def _describe_modes(test: HybridTest, found: Certificate | None) -> list[dict[str, Any]]:
    """Give period and damping of each mode: alone, with the specimen, and as the loop has it."""
    alone, joined = bare_modes_of(test), modes_of(test)
    of_loop: dict[int, Any] = {}
    for root in found.dominant if found else ():
        if root.frequency > LOWEST_FREQUENCY:
            of_loop.setdefault(root.mode, root)
    rows = []
    for k in range(min(MOST_MODES, alone.frequencies.size)):
        seen = of_loop.get(k + 1)
        rows.append(
            {
                "mode": k + 1,
                "alone": _mode(test, alone, k),
                "joined": _mode(test, joined, k),
                "loop": seen and {"period": 1 / seen.frequency, "damping": seen.damping},
            }
        )
    return list(plain(rows))


def _mode(test: HybridTest, modes: Modes, k: int) -> dict[str, float | None]:
    """Give period and damping of one mode with the structure's own damping."""
    frequency, shape = float(modes.frequencies[k]), np.asarray(modes.shapes)[:, k]
    if frequency < LOWEST_FREQUENCY:
        return {"period": None, "damping": None}
    mass = float(shape @ np.asarray(test.equation.M) @ shape)
    damping = float(shape @ np.asarray(test.equation.C) @ shape) / (4 * pi * frequency * mass)
    return {"period": 1 / frequency, "damping": damping}


def show_rehearsal(record: Record) -> dict[str, Any]:
    """Give histories, loops and indices of a record, to be drawn."""
    run = ShownRun(record.name, record)
    return {
        "verdict": run.verdict,
        "completed": record.stop.completed,
        "duration": len(record.rows) * record.tick,
        "channels": [_show_channel(run, c) for c in range(run.channels)],
    }


def _show_channel(run: ShownRun, c: int) -> dict[str, Any]:
    record, told = run.record, {}
    histories: dict[str, Any] = {}
    keys = {"target": TARGET, "measured": MEASURED, "command": COMMAND, "force": FORCE}
    for key, name in keys.items():
        if name not in record or c >= record[name].shape[1]:
            continue
        t, y = outline(record.time(name), record[name][:, c])
        histories[key] = {"t": pack(t), "y": pack(y)}
    told["histories"] = histories
    if run.has(TARGET, MEASURED, FORCE):
        target, measured, force = (run.signal(n, c) for n in (TARGET, MEASURED, FORCE))
        told["loops"] = _loops(target, measured, force, record.tick)
        found = indices(record, QUICK, channel=c)
        told["indices"] = plain([{"name": i.name, "value": i.value, "unit": i.unit} for i in found])
    return told


def _loops(
    target: NDArray[np.float64],
    measured: NDArray[np.float64],
    force: NDArray[np.float64],
    tick: float,
) -> dict[str, str]:
    """Cut out the strongest seconds."""
    half = round(0.5 * SECTION / tick)
    peak = int(np.argmax(np.abs(np.nan_to_num(target))))
    first = max(0, min(peak - half, target.size - 2 * half))
    part = slice(first, first + 2 * half, max(1, 2 * half // POINTS))
    names = ("target", "measured", "force")
    return {k: pack(v[part]) for k, v in zip(names, (target, measured, force), strict=True)}
