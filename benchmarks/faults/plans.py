"""Tests by chance that are in good order: a plan, the limits of its rig, and the guards suggested.

The limits are 1.5 to 4 times what the rehearsal needs, so that the guards and not the limits are
asked first in some tests, and the limits in others.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from rths.assembly.hybrid_test import HybridTest
from rths.config.plan import load
from rths.errors import InputError
from rths.run.guard_suggestion import suggest_guards
from rths.run.virtual import simulate
from rths.studies.wallace2005.three_ways import PLAN

TICK = 1 / 1024
RAMP = 0.25
"""s of fade-in: a motion that begins with a step needs accelerations that it never needs again."""
STEADY = 1.0
"""s after which less than 4 % of the beginning are left: its envelope goes by exp(-3.4 t)."""
ROOM = (1.5, 4.0)
MISSED = 20
"""Replies in a row after which the link is lost, on a virtual clock."""
SIGNALS = ["safety.command", "transfer.displacement", "feedback.displacement", "feedback.force"]
LIMITS = ("stroke", "velocity", "acceleration", "force")


@dataclass(frozen=True)
class Sound:
    """A test in good order: what its motion is, and what its rig may do."""

    test: HybridTest
    limits: dict[str, float]
    period: float
    """s, of the motion."""
    peak: float
    """m, of the command once its beginning has died away."""


def needs(test: HybridTest) -> dict[str, float]:
    """Tell how far, fast and hard a rehearsal moves."""
    record = simulate(test, "table")
    sent = record["safety.command"][:, 0]
    return {
        "stroke": float(np.abs(sent).max()),
        "velocity": float(np.abs(np.diff(sent)).max() / test.tick),
        "acceleration": float(np.abs(np.diff(sent, n=2)).max() / test.tick**2),
        "force": float(np.abs(record["feedback.force"]).max()),
    }


def steady_peak(test: HybridTest) -> float:
    """Give the largest command between the beginning and the way back, m."""
    record = simulate(test, "table")
    part = slice(round(STEADY / test.tick), -round(0.2 / test.tick))
    return float(np.abs(record["safety.command"][part]).max())


def write_rig(limits: dict[str, float], path: Path) -> None:
    """Write the laboratory's file of a rig that is a program."""
    rows = "\n".join(f"{name} = {limits[name]!r}" for name in LIMITS)
    rest = f"near = 1e-3\nforce_near = {0.1 * limits['force']!r}\nnoise = 1e-7\n"
    text = f'[rig]\nname = "drawn"\nemulated = true\n[actuator]\n{rows}\n{rest}'
    path.write_text(text, "utf-8")


def draw_sound(random: np.random.Generator, folder: Path, duration: float) -> Sound | None:
    """Draw a test; None if it has no room to brake within its limits, or trips nothing wrong."""
    frequency = float(random.uniform(2.0, 5.0))
    path = folder / f"rig{random.integers(1 << 40)}.toml"
    write_rig(dict.fromkeys(LIMITS, 10.0) | {"acceleration": 1e4, "force": 1e4}, path)
    given: dict[str, Any] = {
        "clock.tick": TICK, "clock.duration": duration, "limits": {},
        "excitation.frequency": frequency, "record.signals": SIGNALS,
        "excitation.amplitude": float(random.uniform(0.001, 0.005)),
        "hardware": {"kind": "simulated", "missed": MISSED}, "rig": {"file": str(path)},
        "safety": {"rate": 0.02, "fade_in": RAMP, "hold": float(random.choice([0.0, 0.05]))},
    }  # fmt: skip
    needed = needs(load(PLAN, given))
    limits = {name: float(random.uniform(*ROOM)) * value for name, value in needed.items()}
    write_rig(limits, path)
    given["safety"]["rate"] = 0.3 * limits["velocity"]
    given["safety"]["way"] = str(random.choice(["position", "force"]))
    try:
        test = load(PLAN, given)
        guards = tuple(s.guard for s in suggest_guards(test, 1))
        test = replace(test, guards=guards)
        if not simulate(test, "table", live=True).stop.completed:
            return None
    except InputError:
        return None
    return Sound(test, limits, 1 / frequency, steady_peak(test))


def sound_tests(random: np.random.Generator, folder: Path, duration: float) -> Iterator[Sound]:
    """Draw tests in good order, one after the other."""
    while True:
        found = draw_sound(random, folder, duration)
        if found is not None:
            yield found
