"""The margins of a plan: more delay, an error of the assumed delay, more gain, a stiffer specimen.

    extra delay        of all actuators together, and of each, in front of the specimen       (1)
    gain               factor on the force of all specimens; a spring's stiffness with it     (2)
    transfer.delay     towards 0: the actuator is quicker than the compensator believes       (3)
    compensator.delay  (or ahead) both ways: the compensator believes in another delay        (4)

Of an unstable plan only what may cure it is searched: less gain, less delay, more compensation.
"""

from __future__ import annotations

from functools import partial
from math import exp, log

import numpy as np

from rths.assembly.hybrid_test import HybridTest
from rths.errors import InputError
from rths.loop.block import Vector
from rths.loop.channel_name import name_actuator
from rths.stability.cut_loop import CutLoop, Opening
from rths.stability.loop_change import PlanRoots
from rths.stability.margin import Margin, first_change, margin_of
from rths.stability.plan_parameter import value_of
from rths.stability.roots import Roots
from rths.stability.structural_modes import LOWEST_FREQUENCY, Modes

FEWEST_TICKS, MOST_TICKS = 20, 128
"""Ticks of extra delay that are searched at least and at most."""
STRONGEST, WEAKEST = 20.0, 0.02
"""Ends of the search for the gain."""
GAINS = 160
"""Gains that are tried, in equal ratios: 2 % from one to the next."""
ROUGHLY = 16
"""Every how many of these are tried in any case."""
FINE = 1e-8
"""Share of a range to which a margin is found."""


def plan_margins(plan: PlanRoots, modes: Modes, stable: bool) -> list[Margin]:
    """Margins of a plan."""
    test, found = plan.test, []
    slowest = 1 / max(float(modes.frequencies[0]), LOWEST_FREQUENCY)
    end = float(np.clip(slowest / test.tick, FEWEST_TICKS, MOST_TICKS))
    loop = CutLoop(test, end)
    forces = loop.opening("specimen")
    if stable:
        channels = [None, *range(test.channels)] if test.channels > 1 else [None]
        found += [_extra_delay(loop, end, c) for c in channels]
        found.append(_gain_margin(forces, "gain", STRONGEST))
    found.append(_gain_margin(forces, "less gain", WEAKEST))
    found += _specimen(test, found[-2] if stable else found[-1])
    compensated = any(not c.passes_target for c in test.descriptions("compensator"))
    if compensated or not stable:
        found += _margins_by_path(plan, "transfer.delay", (0.0,))
    for name in ("compensator.delay", "compensator.ahead"):
        found += _margins_by_path(plan, name, (0.0, 2.0))
    return found


def _extra_delay(loop: CutLoop, end: float, channel: int | None) -> Margin:
    """(1), looked at every half tick up to an end in ticks.

    Between whole ticks a delay line also smooths, so that a fast root may be lost at whole ticks
    alone.
    """
    name = "extra delay" if channel is None else f"extra delay of {name_actuator(channel)}"
    values = np.unique(np.append(np.arange(0.0, end, 0.5), end))
    seen, tick = loop.opening("transfer", channel), loop.test.tick
    ticks = first_change(lambda v: not seen.count_unstable(v), values, FINE * end)
    if ticks is None:
        return Margin(name, "s", 0.0, None, end * tick)
    return Margin(name, "s", 0.0, ticks * tick, end * tick, seen.frequency(ticks))


def _gain_margin(seen: Opening, name: str, end: float) -> Margin:
    """(2), searched in equal ratios, and closely only where a root can cross."""
    powers = _searched_powers(seen, np.linspace(0.0, log(end), GAINS))
    power = first_change(lambda v: not seen.count_unstable(exp(v)), powers, FINE)
    if power is None:
        return Margin(name, "1", 1.0, None, end)
    return Margin(name, "1", 1.0, exp(power), end, seen.frequency(exp(power)))


def _searched_powers(seen: Opening, powers: Vector) -> Vector:
    """Leave out powers between which no root can cross, but some: samples may lack one."""
    crossings = seen.crossing_gains()
    if crossings is None:
        return powers
    chosen = np.arange(powers.size) % ROUGHLY == 0
    chosen[-1] = True
    with np.errstate(divide="ignore"):
        ends = np.sort(np.log(crossings), axis=1)
    way = abs(powers[1] - powers[0])
    for low, high in ends:
        chosen |= (powers >= low - way) & (powers <= high + way)
    return np.asarray(powers[chosen])


def _specimen(test: HybridTest, gain: Margin) -> list[Margin]:
    """Stiffness of springs, from (2)."""
    springs = test.descriptions("specimen")
    if not all(s.elastic for s in springs) or len({s.stiffness for s in springs}) > 1:
        return []
    k = float(springs[0].stiffness)
    critical = None if gain.critical is None else k * gain.critical
    return [Margin("specimen.stiffness", "N/m", k, critical, k * gain.searched, gain.frequency)]


def _margins_by_path(plan: PlanRoots, path: str, factors: tuple[float, ...]) -> list[Margin]:
    """(3) and (4); nothing if the plan has no such number, or it is 0, or differs by channel."""
    test, (role, name) = plan.test, path.split(".")
    given = {getattr(d, name, None) for d in test.descriptions(role)}
    if len(given) != 1 or not isinstance(next(iter(given)), float) or not value_of(test, path):
        return []
    present = float(value_of(test, path))
    found = []
    for factor in factors:
        at = partial(_roots_at, plan, path, present)
        try:
            found.append(margin_of(path, "s", at, present, factor * present))
        except InputError:  # the plan refuses values on the way: no margin is claimed
            continue
    return found


def _roots_at(plan: PlanRoots, path: str, present: float, value: float) -> Roots:
    return plan.present_roots if value == present else plan.roots_at(**{path: value})
