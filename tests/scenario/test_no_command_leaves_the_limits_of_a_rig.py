"""Faults, frequencies, rigs and ways to safety by chance: no command leaves the limits of the rig.

Displacement, velocity and acceleration of every command that is sent are looked at from the first
tick to the last, on a virtual clock. The limits are drawn so that about half of the tests trip.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from rths.config.plan import load
from rths.hardware.emulated.fault import NAMES
from rths.studies.wallace2005.three_ways import PLAN

TICK, DURATION = 1 / 1024, 1.0
KINDS = ("none", *(n for n in NAMES if n != "clock"))
SIZES = {
    "pressure": (0.0, 0.01), "saturation": (1e-4, 2e-3), "drift_displacement": (-0.2, 0.2),
    "drift_force": (-500.0, 500.0), "loss": (0.1, 1.0), "jitter": (1e-4, 0.01),
    "jump_displacement": (-0.05, 0.05), "jump_force": (-200.0, 200.0), "lag": (0.05, 1.0),
}  # fmt: skip
ROUND = 1e-9
"""Round-off of a second difference of some millimetres, as a share of the limits drawn below."""


def draw_fault(random, kind):
    if kind == "none":
        return []
    low, high = SIZES.get(kind, (0.0, 0.0))
    size = f"={random.uniform(low, high):.6g}" if kind in SIZES else ""
    length = f"+{random.uniform(0.01, 0.5):.6g}" if random.random() < 0.5 else ""
    return [f"{kind}{size}@{random.uniform(0.05, DURATION):.6g}{length}"]


def draw_test(random, kind, folder):
    """Give a live plan with a rig, its limits, a fault and a way to safety by chance."""
    limits = {
        "stroke": float(10 ** random.uniform(-2.5, -1)),
        "velocity": float(10 ** random.uniform(-1.3, 0)),
        "acceleration": float(10 ** random.uniform(0.5, 2)),
        "force": float(10 ** random.uniform(1, 3)),
        "noise": 1e-7,
    }
    text = "\n".join(f"{name} = {value!r}" for name, value in limits.items())
    (folder / "lab.toml").write_text(f'[rig]\nname = "drawn"\n[actuator]\n{text}\n')
    safety = {
        "rate": limits["velocity"] * float(random.uniform(0.05, 0.9)),
        "hold": float(random.choice([0.0, 0.1])),
        "fade_in": float(random.choice([0.0, 0.2])),
        "way": str(random.choice(["position", "force"])),
    }
    missed = max(1, min(20, int(2 * limits["stroke"] / limits["velocity"] / TICK)))
    test = load(
        PLAN,
        {
            "clock.tick": TICK, "clock.duration": DURATION, "limits": {}, "safety": safety,
            "excitation.frequency": float(random.uniform(0.5, 6.0)),
            "hardware": {"kind": "simulated", "faults": draw_fault(random, kind), "missed": missed},
            "rig": {"file": str(folder / "lab.toml")}, "seed": int(random.integers(1 << 30)),
        },
    )  # fmt: skip
    return test, limits


def run_test(test):
    layout = test.live_layout
    cycle = test.cycle("table", live=True)
    rows = np.full((test.clock.ticks, len(layout.record_slots)), np.nan)
    done = cycle.advance(len(rows), rows)
    place = layout.record_slots.tolist().index(layout.signals["safety.command"].first)
    return rows[:done, place], cycle.stop


def find_wrong(sent, stop, limits):
    """List what a run did that it must not do."""
    found = []
    steps = np.diff(sent, prepend=0.0) / TICK
    turns = np.diff(np.r_[0.0, 0.0, sent], n=2) / TICK**2
    for name, values in (("stroke", sent), ("velocity", steps), ("acceleration", turns)):
        if not np.all(np.abs(values) <= limits[name] * (1 + ROUND)):  # also what is no number
            found.append(f"a command is beyond its {name}")
    if stop is None or stop.reason not in ("completed", "trip"):
        found.append(f"it ended by {stop and stop.reason}")
    elif stop.reason == "trip" and not (stop.guard and stop.message):
        found.append("a trip names no cause")
    return found


def campaign(each, seed, folder):
    """Run so many tests of each kind of fault; count what was wrong and how they ended."""
    wrong, ended = Counter(), Counter()
    for number, kind in enumerate(KINDS):
        random = np.random.default_rng([seed, number])
        for _ in range(each):
            test, limits = draw_test(random, kind, folder)
            sent, stop = run_test(test)
            wrong.update((kind, what) for what in find_wrong(sent, stop, limits))
            ended[stop.guard if stop.reason == "trip" else stop.reason] += 1
    return wrong, ended


def test_a_few_tests_by_chance_stay_within_their_rigs(tmp_path):
    wrong, ended = campaign(1, 11, tmp_path)
    assert not wrong
    assert sum(ended.values()) == len(KINDS)
    assert len(ended) > 3


def test_the_check_of_the_campaign_can_fail():
    limits = {"stroke": 0.1, "velocity": 0.1, "acceleration": 1.0}
    assert len(find_wrong(np.array([0.0, 0.2, np.nan]), None, limits)) == 4
