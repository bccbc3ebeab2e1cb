"""The margins of a plan: more delay, an error of the assumed delay, more gain, a stiffer specimen.

    extra delay        of all actuators together, and of each, in front of the specimen       (1)
    gain               factor on the force of all specimens; a spring's stiffness with it     (2)
    transfer.delay     towards 0: the actuator is quicker than the compensator believes       (3)
    compensator.delay  (or ahead) both ways: the compensator believes in another delay        (4)

Of an unstable plan only what may cure it is searched: less gain, less delay, more compensation.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from rths.assembly.hybrid_test import HybridTest
from rths.errors import InputError
from rths.stability.loop_change import ChangedLoop, PlanRoots
from rths.stability.margin import Margin, factor_margin, margin_of
from rths.stability.plan_parameter import value_of
from rths.stability.roots import Roots
from rths.stability.structural_modes import Modes

FEWEST_TICKS, MOST_TICKS = 20, 128
"""Ticks of extra delay that are searched at least and at most."""
STRONGEST, WEAKEST = 20.0, 0.02
"""Ends of the search for the gain."""


def plan_margins(test: HybridTest, modes: Modes, stable: bool) -> list[Margin]:
    """Margins of a plan."""
    found = []
    loop = ChangedLoop(test)
    by_gain: Callable[[float], Roots] = lambda g: loop.roots(gain=g)  # noqa: E731
    if stable:
        found += _extra_delays(test, modes)
        found.append(factor_margin("gain", by_gain, STRONGEST))
    found.append(factor_margin("less gain", by_gain, WEAKEST))
    found += _specimen(test, found[-2] if stable else found[-1])
    compensated = any(not c.passes_target for c in test.descriptions("compensator"))
    if compensated or not stable:
        found += _margins_by_path(test, "transfer.delay", (0.0,))
    for name in ("compensator.delay", "compensator.ahead"):
        found += _margins_by_path(test, name, (0.0, 2.0))
    return found


def _extra_delays(test: HybridTest, modes: Modes) -> list[Margin]:
    """(1)."""
    slowest = 1 / max(float(modes.frequencies[0]), 1e-3)
    end = float(np.clip(slowest, FEWEST_TICKS * test.tick, MOST_TICKS * test.tick))
    channels = [None, *range(test.channels)] if test.channels > 1 else [None]
    found = []
    for c in channels:
        loop = ChangedLoop(test, end, c)
        name = "extra delay" if c is None else f"extra delay of actuator {c}"
        found.append(margin_of(name, "s", loop.roots_with_delay, 0.0, end, every=test.tick))
    return found


def _specimen(test: HybridTest, gain: Margin) -> list[Margin]:
    """Stiffness of springs, from (2)."""
    springs = test.descriptions("specimen")
    if not all(s.elastic for s in springs) or len({s.stiffness for s in springs}) > 1:
        return []
    k = float(springs[0].stiffness)
    critical = None if gain.critical is None else k * gain.critical
    return [Margin("specimen.stiffness", "N/m", k, critical, k * gain.searched, gain.frequency)]


def _margins_by_path(test: HybridTest, path: str, factors: tuple[float, ...]) -> list[Margin]:
    """(3) and (4); nothing if the plan has no such number, or it is 0, or differs by channel."""
    role, name = path.split(".")
    given = {getattr(d, name, None) for d in test.descriptions(role)}
    if len(given) != 1 or not isinstance(next(iter(given)), float) or not value_of(test, path):
        return []
    present, roots = float(value_of(test, path)), PlanRoots(test)
    found = []
    for factor in factors:
        at = partial(_roots_at, roots, path)
        try:
            found.append(margin_of(path, "s", at, present, factor * present))
        except InputError:  # the plan refuses values on the way: no margin is claimed
            continue
    return found


def _roots_at(roots: PlanRoots, path: str, value: float) -> Roots:
    return roots.roots_at(**{path: value})
