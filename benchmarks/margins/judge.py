"""Every margin of random plans tried at 0.98 and at 1.02 of it, by simulation.

    present + 0.98 (critical - present): decays;   present + 1.02 (critical - present): grows   (1)

The changed plan is built apart from what found the margin: a delay is an actuator that is later
(`kinds.Later`), a gain a scale of the force, everything else a number of the plan. It is let go
from a small random displacement, its noise silent, until it has grown or decayed beyond doubt;
where 2 % make so little that no simulation shows it, all eigenvalues of the changed plan decide. A
loss that is over again within 2 % (a delay between two ticks smooths) is looked at right behind its
beginning.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from benchmarks.margins.kinds import make_later
from benchmarks.margins.plans import draw_plan
from rths.assembly.hybrid_test import HybridTest
from rths.errors import InputError
from rths.loop.channel_name import name_actuator
from rths.registry import find
from rths.stability.loop_change import PlanRoots, roots_at_rest
from rths.stability.margin import Margin
from rths.stability.plan_margins import plan_margins
from rths.stability.plan_parameter import change_plan
from rths.stability.structural_modes import modes_of

START = 1e-9
"""First displacement, m: nothing yields, saturates or learns."""
STRETCH, STRETCHES, SETTLED = 8_000, 12, 3
"""Ticks of a stretch, how many at most, and those in which the faster motions die out."""
GROWN, DECAYED, EVENLY = 2.0, 1e3, 0.8
"""Factors of growth and of decay since then that leave no doubt, if the last three stretches agree;
a decay that slows down, by more than this from stretch to stretch, may hide a motion that grows."""
BEHIND = 1.0005
"""Share of a margin right behind the loss."""

Fate = Literal["decays", "grows"]


@dataclass(frozen=True)
class Trial:
    """A margin tried at one value."""

    number: int
    margin: Margin
    value: float
    expected: Fate
    seen: Fate

    @property
    def contradicts(self) -> bool:
        """Whether simulation says the opposite of the margin."""
        return self.seen != self.expected


def try_plan(number: int) -> Iterator[Trial]:
    """Try all margins of the plan of a number; none if it is refused, or not stable at rest."""
    test = draw_plan(number)
    try:
        if test is None or roots_at_rest(test).growth_rate >= 0:
            return
        margins = plan_margins(PlanRoots(test), modes_of(test), stable=True)
    except InputError:
        return
    for margin in margins:
        if margin.critical is None:
            continue
        for share, expected in ((0.98, "decays"), (1.02, "grows")):
            value = margin.present + share * (margin.critical - margin.present)
            try:
                changed = change_margin(test, margin.name, value)
            except InputError:
                continue
            seen = fate_of(changed, number)
            if seen == "decays" and expected == "grows":
                value = margin.present + BEHIND * (margin.critical - margin.present)
                seen = fate_of(change_margin(test, margin.name, value), number)
            yield Trial(number, margin, value, expected, seen)


def change_margin(test: HybridTest, name: str, value: float) -> HybridTest:
    """The plan with what a margin is about set to a value, by means of its own."""
    every, own = "extra delay", [f"extra delay of {name_actuator(c)}" for c in range(test.channels)]
    if name in (every, *own):
        transfers = [
            make_later(t, value) if name in (every, own[c]) else t
            for c, t in enumerate(test.descriptions("transfer"))
        ]
        return replace(test, transfer=tuple(transfers))
    if name in ("gain", "less gain"):
        scaled = [
            replace(s, force_scale=s.force_scale * value) for s in test.descriptions("specimen")
        ]
        return replace(test, specimen=tuple(scaled))
    return change_plan(test, {name: value})


def fate_of(test: HybridTest, seed: int) -> Fate:
    """Let the loop go and see whether it grows or decays; if neither shows, ask all eigenvalues."""
    start = START * np.random.default_rng(seed).uniform(0.2, 1.0, test.equation.size)
    free = replace(
        test,
        excitation=find("excitation", "free_vibration")(displacement=tuple(start.tolist())),
        record=("integrator.target",),
        duration=STRETCH * STRETCHES * test.tick,
    )
    cycle = free.cycle("table")
    free.layout.silence(cycle.arena)
    rows, sizes = np.zeros((STRETCH, test.channels)), []
    while len(sizes) < STRETCHES:
        if cycle.advance(STRETCH, rows) < STRETCH or not np.abs(rows).max() < 1e100:
            return "grows"
        sizes.append(float(np.sqrt(np.mean(rows**2))))
        if sizes[-1] < 1e-200:
            return "decays"
        steps = np.diff(np.log(sizes[SETTLED:]))
        if steps.sum() > np.log(GROWN) and np.all(steps[-3:] > 0):
            return "grows"
        even = steps.size > 3 and np.all(steps[-3:] <= EVENLY * steps[-4:-1])
        if steps.sum() < -np.log(DECAYED) and even:
            return "decays"
    return "grows" if roots_at_rest(test).growth_rate >= 0 else "decays"
