"""Tables of transfer systems that are late by about the delay of the rig."""

from __future__ import annotations

from collections.abc import Callable
from math import pi
from typing import Any

from benchmarks.certificates.draw.rig import Dice, Rig

Table = dict[str, Any]
SHORTEST = 1.5
"""Shortest lag of an actuator with dynamics, in ticks."""


def lag_of(rig: Rig) -> float:
    """Give the lag of an actuator with dynamics, s: not below what a tick resolves."""
    return max(rig.lateness, SHORTEST * rig.tick)


def draw_dead_time(dice: Dice, rig: Rig, length: float) -> Table:
    """Nothing but the delay."""
    return {"delay": rig.lateness}


def draw_first_order(dice: Dice, rig: Rig, length: float) -> Table:
    """One lag, some with a gain that is off."""
    table: Table = {"time_constant": lag_of(rig)}
    return table | ({"gain": dice.between(0.95, 1.05)} if dice.chance(0.2) else {})


def draw_sampled_lag(dice: Dice, rig: Rig, length: float) -> Table:
    """One lag in ticks."""
    return {"alpha": 1.0 + rig.lateness / rig.tick}


def draw_second_order(dice: Dice, rig: Rig, length: float) -> Table:
    """A resonance, and the rest of the delay as dead time: 2 ζ/ω + τ is the lateness."""
    zeta, share = dice.between(0.35, 1.2), dice.between(0.3, 1.0)
    frequency = zeta / (pi * share * lag_of(rig))
    highest = 0.2 / rig.tick
    frequency = min(frequency, highest)
    return {
        "frequency": frequency,
        "damping": zeta,
        "delay": max(lag_of(rig) - zeta / (pi * frequency), 0.0),
    }


def draw_pid_actuator(dice: Dice, rig: Rig, length: float) -> Table:
    """An inner loop with the lag 1/P; a small integral gain leaves a slow real root, about I/P."""
    gain = 1 / lag_of(rig)
    slow = dice.choose(0.0, 0.02, 0.2, 2.0)
    return {
        "proportional": gain,
        "lag": lag_of(rig) * dice.between(0.1, 0.4),
        "integral": gain * slow,
    }


def draw_servo_hydraulic(dice: Dice, rig: Rig, length: float) -> Table:
    """A piston that is strong and fast enough, with the lag A/(G Q_0)."""
    supply = 2.07e7
    force = rig.force / rig.peak * length  # in the actuator's own length
    area = dice.between(2.0, 6.0) * max(force, 1.0) / supply
    flow = area * dice.between(4.0, 12.0) * rig.rate * length
    return {
        "proportional": area / (flow * lag_of(rig)),
        "flow": flow,
        "area": area,
        "volume": area * 20 * length,
        "mass": 0.002 * float(rig.masses.min()),
        "leakage": 0.02 * flow / supply,
        "specimen_stiffness": rig.stiffness,
    }


def draw_varying_dead_time(dice: Dice, rig: Rig, length: float) -> Table:
    """A delay that drifts up to twice or half its value, or swings, within the test."""
    table: Table = {"delay": rig.lateness}
    if dice.chance(0.6):
        table |= {
            "final_delay": rig.lateness * dice.spread(0.3, 3.0),
            "drift_time": rig.duration * dice.between(0.2, 0.7),
        }
    least = min(table["delay"], table.get("final_delay", 1.0))
    if "final_delay" not in table or dice.chance(0.3):
        table |= {
            "swing": least * dice.between(0.2, 0.95),
            "swing_frequency": rig.slowest * dice.choose(0.1, 0.5, 1.0, 2.0, dice.spread(0.2, 4.0)),
        }
    return table


def draw_actuator(dice: Dice, rig: Rig, length: float) -> Table:
    """Draw a plain actuator to stand inside another table."""
    kind = dice.choose("dead_time", "first_order", "second_order")
    return {"kind": kind, **DRAWN[kind][1](dice, rig, length)}


def draw_backlash(dice: Dice, rig: Rig, length: float) -> Table:
    """A gap from next to nothing to a tenth of the motion."""
    return {"gap": length * dice.spread(1e-4, 0.1), "actuator": draw_actuator(dice, rig, length)}


def draw_limited(dice: Dice, rig: Rig, length: float) -> Table:
    """An actuator with little or much to spare."""
    table: Table = {"actuator": draw_actuator(dice, rig, length)}
    if dice.chance(0.7):
        table["velocity"] = rig.rate * length * dice.spread(0.7, 10.0)
        if dice.chance(0.3):
            table["force"] = rig.force / rig.peak * length * dice.spread(2.0, 10.0)
    if "velocity" not in table or dice.chance(0.3):
        table["stroke"] = length * dice.spread(0.8, 6.0)
    return table


def draw_fault(dice: Dice, rig: Rig, length: float) -> Table:
    """An actuator that is slow or short from the middle of the test on."""
    what = dice.choose("oil_pressure_loss", "oil_pressure_loss", "saturation")
    speed = rig.rate * length * dice.spread(0.3, 10.0)
    return {
        "fault": what,
        "start": rig.duration * dice.between(0.2, 0.6),
        "size": speed if what == "oil_pressure_loss" else length * dice.spread(0.5, 4.0),
        "actuator": draw_actuator(dice, rig, length),
    }


def draw_series(dice: Dice, rig: Rig, length: float) -> Table:
    """A lag behind a dead time."""
    lag = lag_of(rig) * dice.between(0.2, 0.8)
    late = max(rig.lateness - lag, 0.0)
    links = [{"kind": "dead_time", "delay": late}, {"kind": "first_order", "time_constant": lag}]
    return {"links": links}


DRAWN: dict[str, tuple[float, Callable[[Dice, Rig, float], Table]]] = {
    "dead_time": (5.0, draw_dead_time),
    "first_order": (3.0, draw_first_order),
    "second_order": (4.0, draw_second_order),
    "sampled_lag": (1.0, draw_sampled_lag),
    "pid_actuator": (1.5, draw_pid_actuator),
    "servo_hydraulic": (1.0, draw_servo_hydraulic),
    "varying_dead_time": (3.0, draw_varying_dead_time),
    "backlash": (1.5, draw_backlash),
    "limited": (1.5, draw_limited),
    "fault": (1.0, draw_fault),
    "series": (1.0, draw_series),
}
"""How often each kind is drawn, and by what."""
LINEAR = ("dead_time", "first_order", "second_order", "sampled_lag", "pid_actuator", "series")
"""Kinds that leave a loop linear."""


def draw_transfer(dice: Dice, rig: Rig, length: float, linear: bool) -> Table:
    """Draw a table; ``length`` is the peak of the motion at the actuator's own scale, m."""
    kinds = LINEAR if linear else tuple(DRAWN)
    kind = dice.weigh({name: DRAWN[name][0] for name in kinds})
    return {"kind": kind, **DRAWN[kind][1](dice, rig, length)}
