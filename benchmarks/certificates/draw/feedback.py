"""Tables of what stands between specimen and structure: sensors, their faults, corrections."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from benchmarks.certificates.draw.rig import Dice, Rig

Table = dict[str, Any]


def draw_noise(dice: Dice, rig: Rig) -> Table:
    """Up to half a percent of what is measured."""
    return {
        "force": rig.force * dice.choose(0.0, dice.spread(1e-5, 5e-3)),
        "displacement": rig.peak * dice.choose(0.0, dice.spread(1e-5, 5e-3)),
    }


def draw_low_pass(dice: Dice, rig: Rig) -> Table:
    """An edge well above the modes."""
    edge = min(rig.fastest * dice.spread(5.0, 30.0), 0.3 / rig.tick)
    return {"edge": edge, "order": dice.choose(1, 2, 4), "displacement": dice.chance(0.3)}


def draw_quantisation(dice: Dice, rig: Rig) -> Table:
    """From a fine converter to one whose steps are seen."""
    table = {
        "bits": dice.choose(8, 10, 12, 16),
        "force_range": rig.force * dice.spread(10.0, 100.0),
    }
    if dice.chance(0.4):
        table["displacement_range"] = rig.peak * dice.spread(10.0, 100.0)
    return table


def draw_delay_estimate(dice: Dice, rig: Rig) -> Table:
    """It reports and changes nothing."""
    return {"quiet_speed": 0.01 * rig.speed}


def draw_fault(dice: Dice, rig: Rig) -> Table:
    """Samples that are lost or late, a reading that sticks or jumps, for a part of the test."""
    what = dice.choose("lost", "late", "stuck", "jump")
    sizes = {
        "lost": dice.between(0.05, 0.9),
        "late": max(rig.lateness, 2 * rig.tick) * dice.spread(0.3, 3.0),
        "stuck": 0.0,
        "jump": 0.2 * rig.force,
    }
    start = dice.between(0.2, 0.5)
    table = {"fault": what, "start": rig.duration * start, "size": sizes[what]}
    if what == "stuck" or dice.chance(0.5):
        table["duration"] = rig.duration * dice.between(0.05, 0.8 - start)
    return table


def draw_force_correction(dice: Dice, rig: Rig) -> Table:
    """The delay taken out of the force."""
    span = max(rig.told, 4 * rig.tick) * dice.spread(0.5, 3.0)
    return {"delay": rig.told * dice.between(0.3, 1.0), "span": span, "order": dice.choose(1, 2)}


def draw_optimal(dice: Dice, rig: Rig) -> Table:
    """Looks back over the delay."""
    return {"window": max(rig.told, 2 * rig.tick), "search": dice.choose("continuous", "sampled")}


def draw_smith_predictor(dice: Dice, rig: Rig) -> Table:
    """Models that are about right."""
    k = rig.stiffness * dice.between(0.7, 1.3)
    return {
        "transfer": {"kind": "dead_time", "delay": rig.told},
        "specimen": {"kind": "spring", "stiffness": k},
    }


def draw_substructuring_ratio(dice: Dice, rig: Rig) -> Table:
    """A constant share, or a hand-over within the test."""
    spring = {"kind": "spring", "stiffness": rig.stiffness * dice.between(0.7, 1.3)}
    table: Table = {"estimate": spring, "ratio": dice.between(0.3, 1.0)}
    if dice.chance(0.6):
        table |= {
            "change": "ramp",
            "initial_ratio": dice.choose(0.0, 0.2),
            "ramp_start": rig.duration * dice.between(0.1, 0.4),
            "ramp_duration": rig.duration * dice.between(0.0, 0.3),
        }
    return table


def draw_chain(dice: Dice, rig: Rig) -> Table:
    """A measuring chain: noise, filter, converter, and some with a fault or a correction behind."""
    links = [{"kind": "noise", **draw_noise(dice, rig)}]
    if dice.chance(0.7):
        links.append({"kind": "filter", **draw_low_pass(dice, rig)})
    if dice.chance(0.5):
        links.append({"kind": "quantisation", **draw_quantisation(dice, rig)})
    last = dice.choose("", "", "fault", "optimal", "force_correction", "substructuring_ratio")
    if last:
        links.append({"kind": last, **DRAWN[last][1](dice, rig)})
    return {"links": links}


def draw_nothing(dice: Dice, rig: Rig) -> Table:
    """No fields at all."""
    return {}


DRAWN: dict[str, tuple[float, Callable[[Dice, Rig], Table]]] = {
    "direct": (7.0, draw_nothing),
    "noise": (4.0, draw_noise),
    "chain": (4.0, draw_chain),
    "filter": (1.0, draw_low_pass),
    "quantisation": (1.2, draw_quantisation),
    "delay_estimate": (0.5, draw_delay_estimate),
    "fault": (1.0, draw_fault),
    "force_correction": (0.7, draw_force_correction),
    "optimal": (0.7, draw_optimal),
    "smith_predictor": (0.7, draw_smith_predictor),
    "substructuring_ratio": (1.0, draw_substructuring_ratio),
    "substructuring_ratio_implicit": (0.7, draw_substructuring_ratio),
    "own_blocks:Smooth": (0.5, draw_nothing),
}
"""How often each kind is drawn, and by what."""
LINEAR = ("direct", "filter", "force_correction", "smith_predictor", "delay_estimate", "noise")
"""Kinds that leave a loop linear."""


def draw_feedback(dice: Dice, rig: Rig, linear: bool) -> Table:
    """Draw a table."""
    kinds = LINEAR if linear else tuple(DRAWN)
    kind = dice.weigh({name: DRAWN[name][0] for name in kinds})
    return {"kind": kind, **DRAWN[kind][1](dice, rig)}
