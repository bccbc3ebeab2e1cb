"""Tables of what drives the test; amplitudes are those that would reach the peak at rest."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from benchmarks.certificates.draw.rig import Dice, Rig

Table = dict[str, Any]


def draw_sine(dice: Dice, rig: Rig) -> Table:
    """One frequency about the slowest mode."""
    return {"amplitude": 1.0, "frequency": rig.slowest * dice.spread(0.3, 3.0)}


def draw_multi_sine(dice: Dice, rig: Rig) -> Table:
    """Three frequencies from below the slowest mode on."""
    tones = [rig.slowest * dice.spread(0.3, 3.0) for _ in range(3)]
    return {"amplitudes": [1.0, 0.7, 0.4], "frequencies": tones, "phases": [0.0, 1.0, 2.0]}


def draw_sweep(dice: Dice, rig: Rig) -> Table:
    """Through the modes within the test."""
    return {
        "amplitude": 1.0,
        "start_frequency": 0.3 * rig.slowest,
        "end_frequency": min(2.0 * rig.fastest, 0.1 / rig.stage),
        "length": 0.8 * rig.duration,
        "spacing": dice.choose("linear", "logarithmic"),
    }


def draw_band_limited_noise(dice: Dice, rig: Rig) -> Table:
    """All modes at once."""
    return {
        "rms": 1.0,
        "lowest_frequency": 0.3 * rig.slowest,
        "highest_frequency": 2.0 * rig.fastest,
        "length": 0.9 * rig.duration,
        "ramp": 0.1 * rig.duration,
    }


def draw_synthetic_ground_motion(dice: Dice, rig: Rig) -> Table:
    """An earthquake as long as the test."""
    T = rig.duration
    return {
        "peak": 1.0,
        "length": 0.9 * T,
        "rise": 0.1 * T,
        "strong": 0.5 * T,
        "decay": 0.1 * T,
        "ground_frequency": rig.slowest * dice.spread(0.5, 3.0),
        "high_pass_frequency": 0.2 * rig.slowest,
        "highest_frequency": max(8.0 * rig.slowest, 20.0),
    }


def draw_ground_motion(dice: Dice, rig: Rig) -> Table:
    """The recorded earthquake that comes with the package."""
    return {"motion": "el_centro_1940_ns", "scale": 1.0, "length": 0.9 * rig.duration}


def draw_force_history(dice: Dice, rig: Rig) -> Table:
    """A blow and what follows it."""
    values = [0.0, *dice.generator.normal(size=12).tolist(), 0.0]
    return {"values": values, "step": 0.25 / rig.slowest, "scale": 1.0}


def draw_free_vibration(dice: Dice, rig: Rig) -> Table:
    """Release from rest."""
    shape = [dice.between(-1.0, 1.0) for _ in range(rig.masses.size)]
    most = max(abs(s) for s in shape)
    return {"displacement": [rig.peak * s / most for s in shape]}


DRAWN: dict[str, tuple[float, Callable[[Dice, Rig], Table]]] = {
    "sine": (3.0, draw_sine),
    "multi_sine": (1.0, draw_multi_sine),
    "sweep": (1.0, draw_sweep),
    "band_limited_noise": (2.0, draw_band_limited_noise),
    "synthetic_ground_motion": (2.0, draw_synthetic_ground_motion),
    "ground_motion": (2.0, draw_ground_motion),
    "force_history": (1.0, draw_force_history),
    "free_vibration": (1.0, draw_free_vibration),
}
"""How often each kind is drawn, and by what."""
SIZE = {
    "sine": "amplitude",
    "sweep": "amplitude",
    "band_limited_noise": "rms",
    "synthetic_ground_motion": "peak",
    "ground_motion": "scale",
    "force_history": "scale",
}
"""Field that scales the signal, of kinds that have a single one."""
SUPPORTED = ("sine", "multi_sine", "sweep", "band_limited_noise")
"""Kinds whose signal may move the support."""


def draw_excitation(dice: Dice, rig: Rig) -> Table:
    """Draw a table with the size 1, to be scaled to the peak of the rig."""
    kind = dice.weigh({name: weight for name, (weight, _) in DRAWN.items()})
    table = {"kind": kind, **DRAWN[kind][1](dice, rig)}
    if kind in SUPPORTED and dice.chance(0.3):
        table |= {"acting": "force", "dof": dice.whole(0, rig.masses.size - 1)}
    elif rig.named == "wallace2005" and kind in SUPPORTED:
        table |= {"acting": "support_displacement"}
    return table


def scale_excitation(table: Table, factor: float) -> Table:
    """Give the same signal, stronger by a factor."""
    kind = table["kind"]
    if kind == "multi_sine":
        return table | {"amplitudes": [factor * a for a in table["amplitudes"]]}
    if kind in SIZE:
        return table | {SIZE[kind]: factor * table[SIZE[kind]]}
    return table
