"""Plans of the sorts that have misled a certificate before: each forces what makes it one.

A trap may go either way: its numbers are drawn on both sides of what the theory of the plain case
says, so that neither a certificate that always warns nor one that never does is right.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from benchmarks.certificates.draw import feedback as feedbacks
from benchmarks.certificates.draw.rig import Dice, Rig, make_late

Table = dict[str, Any]


@dataclass(frozen=True)
class Forced:
    """What a trap decides; all else is drawn as for any other plan."""

    rig: Rig
    tables: dict[str, Table] = field(default_factory=dict)
    """Tables by their role."""


def spring_of(rig: Rig) -> Table:
    """A spring as stiff as the rig wants."""
    return {"kind": "spring", "stiffness": rig.stiffness}


def draw_swinging_delay(dice: Dice, rig: Rig) -> Forced:
    """A delay that is stable on average and swings, most often at twice the slowest mode."""
    rig = make_late(rig, rig.critical * dice.spread(0.3, 1.3))
    swing = rig.lateness * dice.between(0.5, 0.98)
    often = rig.slowest * dice.choose(2.0, 2.0, 1.0, dice.between(1.8, 2.2), 0.15)
    transfer = {"kind": "varying_dead_time", "delay": rig.lateness}
    transfer |= {"swing": swing, "swing_frequency": often}
    return Forced(rig, {"compensator": {"kind": "none"}, "transfer": transfer})


def draw_drifting_delay(dice: Dice, rig: Rig) -> Forced:
    """A delay that grows out of what the loop, or its predictor, bears, or stays within."""
    transfer = {
        "kind": "varying_dead_time",
        "delay": rig.lateness,
        "final_delay": min(rig.lateness * dice.spread(1.0, 4.0), 0.2),
        "drift_time": rig.duration * dice.between(0.2, 0.6),
    }
    return Forced(rig, {"transfer": transfer})


def draw_hand_over(dice: Dice, rig: Rig) -> Forced:
    """From a computed to a measured force, with an actuator that is early or late for it."""
    rig = make_late(rig, rig.critical * dice.spread(0.4, 4.0))
    kind = dice.choose("substructuring_ratio", "substructuring_ratio_implicit")
    feedback = {
        "kind": kind,
        "estimate": spring_of(rig),
        "ratio": dice.choose(1.0, 1.0, 0.5),
        "change": "ramp",
        "initial_ratio": 0.0,
        "ramp_start": 0.3 * rig.duration,
        "ramp_duration": rig.duration * dice.choose(0.0, 0.2, 0.4),
    }
    tables = {"compensator": {"kind": "none"}, "specimen": spring_of(rig), "feedback": feedback}
    return Forced(rig, tables | {"transfer": {"kind": "dead_time", "delay": rig.lateness}})


def draw_fault_window(dice: Dice, rig: Rig) -> Forced:
    """Samples that come late for a part of the test, in a loop that holds without."""
    rig = make_late(rig, rig.critical * dice.spread(0.1, 0.6))
    feedback = {
        "kind": "fault",
        "fault": dice.choose("late", "lost", "stuck"),
        "start": 0.3 * rig.duration,
        "duration": rig.duration * dice.between(0.05, 0.4),
    }
    sizes = {"late": min(rig.critical * dice.spread(0.3, 20.0), 0.1), "lost": 0.95, "stuck": 0.0}
    feedback["size"] = sizes[feedback["fault"]]
    return Forced(rig, {"compensator": {"kind": "none"}, "feedback": feedback})


def draw_quantised_cycle(dice: Dice, rig: Rig) -> Forced:
    """A real limit cycle of a saturating specimen, or none, beside a quantiser."""
    rig = make_late(rig, rig.critical * dice.spread(0.4, 4.0))
    specimen = {
        "kind": "saturating_spring",
        "stiffness": rig.stiffness,
        "saturation_displacement": rig.peak * dice.spread(0.003, 2.0),
    }
    feedback = {"kind": "quantisation", **feedbacks.draw_quantisation(dice, rig)}
    tables = {"compensator": {"kind": "none"}, "specimen": specimen, "feedback": feedback}
    return Forced(rig, tables)


def draw_tiny_cycle(dice: Dice, rig: Rig) -> Forced:
    """A friction-like damper that is a little late: it never comes to rest, and nobody sees it."""
    rig = make_late(rig, dice.spread(0.0005, 0.01))
    force = rig.force * dice.spread(0.001, 0.3)
    exponent = dice.choose(0.0, 0.15, 0.3)
    coefficient = force / rig.speed**exponent
    specimen = {"kind": "power_law_damper", "coefficient": coefficient, "exponent": exponent}
    return Forced(rig, {"compensator": {"kind": "none"}, "specimen": specimen})


def draw_preload(dice: Dice, rig: Rig) -> Forced:
    """A specimen that pushes at rest, so that the loop settles elsewhere than at zero."""
    rig = make_late(rig, rig.critical * dice.spread(0.2, 4.0))
    length = rig.peak / 0.01
    damper = {
        "kind": "mr_bouc_wen",
        "force_scale": rig.force * dice.spread(0.02, 0.5) / 300.0,
        "length_scale": length,
    }
    stop = {
        "kind": "own_blocks:Contact",
        "stiffness": rig.stiffness,
        "gap": -rig.peak * dice.spread(0.01, 1.0),
    }
    return Forced(rig, {"specimen": dice.choose(damper, stop)})


def draw_one_sided(dice: Dice, rig: Rig) -> Forced:
    """A stop that only pushes, late by less or more than a spring on both sides would bear."""
    rig = make_late(rig, rig.critical * dice.spread(0.3, 10.0))
    stop = {
        "kind": "own_blocks:Contact",
        "stiffness": rig.stiffness,
        "gap": rig.peak * dice.choose(0.0, 1e-4, 0.1),
    }
    pull = min(0.3 * rig.stiffness, 0.2 * float(rig.storeys.min()))  # the whole stays stiff
    pulling = stop | {"stiffness": -pull, "gap": 0.0}
    specimen = dice.choose(stop, stop, pulling)
    return Forced(rig, {"compensator": {"kind": "none"}, "specimen": specimen})


def draw_wrapped_delay(dice: Dice, rig: Rig) -> Forced:
    """A spring at another scale, late by nearly what it bears."""
    rig = make_late(rig, rig.critical * dice.spread(0.5, 2.0))
    scale, force, count = dice.spread(0.5, 10.0), dice.spread(0.1, 100.0), dice.choose(1, 3)
    specimen = {
        "kind": "spring",
        "stiffness": rig.stiffness * scale / (force * count),
        "length_scale": scale,
        "force_scale": force,
        "count": count,
    }
    feedback = dice.choose({"kind": "direct"}, {"kind": "delay_estimate"})
    tables = {"compensator": {"kind": "none"}, "specimen": specimen, "feedback": feedback}
    return Forced(rig, tables)


def draw_nested_gap(dice: Dice, rig: Rig) -> Forced:
    """A gap as a bare number, in a table within a table."""
    rig = make_late(rig, rig.critical * dice.spread(0.3, 5.0))
    inner = {
        "kind": "own_blocks:Contact",
        "stiffness": rig.stiffness,
        "gap": rig.peak * dice.spread(0.003, 0.5),
    }
    mass = float(rig.masses.min()) * dice.spread(0.001, 0.02)
    specimen = {"kind": "with_mass", "mass": mass, "specimen": inner}
    return Forced(rig, {"compensator": {"kind": "none"}, "specimen": specimen})


def draw_slow_root(dice: Dice, rig: Rig) -> Forced:
    """A real root of about 0.02 1/s: an integral gain, or yielding that hardly hardens."""
    rig = make_late(rig, rig.critical * dice.spread(0.1, 1.5))
    gain = 1 / max(rig.lateness, 2 * rig.tick)
    actuator = {"kind": "pid_actuator", "proportional": gain, "lag": 0.2 / gain}
    actuator["integral"] = gain * dice.choose(0.0, 0.02)
    specimen = {
        "kind": dice.choose("bilinear", "bouc_wen"),
        "stiffness": rig.stiffness,
        "yield_displacement": rig.peak * dice.spread(0.02, 0.5),
        "hardening": dice.choose(0.0, 0.001, 0.05),
    }
    tables = {"compensator": {"kind": "none"}, "transfer": actuator, "specimen": specimen}
    return Forced(rig, tables)


def draw_noisy_learning(dice: Dice, rig: Rig) -> Forced:
    """A small motion, a noisy transducer and a law that learns from it."""
    rig = replace(rig, peak=dice.spread(0.0003, 0.005))
    noise = {"kind": "noise", "displacement": min(rig.peak * dice.spread(0.002, 0.02), 5e-5)}
    noise["force"] = rig.force * dice.spread(1e-4, 3e-3)
    feedback = dice.choose(noise, {"kind": "chain", "links": [noise]})
    return Forced(rig, {"feedback": feedback})


def draw_collapse(dice: Dice, rig: Rig) -> Forced:
    """A structure that falls over without its specimen, which yields: one floor under gravity."""
    mass, stiffness = float(rig.masses[0]), rig.stiffness
    falling = stiffness * dice.spread(0.005, 0.3)
    structure = {
        "kind": "linear",
        "mass": mass,
        "stiffness": -falling,
        "damping": 2 * rig.damping * (stiffness * mass) ** 0.5,
    }
    specimen = {
        "kind": dice.choose("bilinear", "bouc_wen"),
        "stiffness": stiffness,
        "yield_displacement": rig.peak * dice.spread(0.2, 3.0),
        "hardening": dice.choose(0.0, 0.02, 0.1, 0.5),
    }
    lone = replace(rig, masses=rig.masses[:1], storeys=rig.storeys[:1], interface=(0,))
    lone = make_late(replace(lone, named=""), 2 * rig.damping / rig.rate * dice.spread(0.1, 1))
    return Forced(lone, {"structure": structure, "specimen": specimen})


TRAPS: dict[str, Callable[[Dice, Rig], Forced]] = {
    "swinging_delay": draw_swinging_delay,
    "drifting_delay": draw_drifting_delay,
    "hand_over": draw_hand_over,
    "fault_window": draw_fault_window,
    "quantised_cycle": draw_quantised_cycle,
    "tiny_cycle": draw_tiny_cycle,
    "preload": draw_preload,
    "one_sided": draw_one_sided,
    "wrapped_delay": draw_wrapped_delay,
    "nested_gap": draw_nested_gap,
    "slow_root": draw_slow_root,
    "noisy_learning": draw_noisy_learning,
    "collapse": draw_collapse,
}
"""All traps by their names."""
