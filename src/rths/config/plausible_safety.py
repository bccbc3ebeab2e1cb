"""Ranges of what makes a test safe: beyond them a number was mistaken, or nothing would ever trip.

    missed · tick <= stroke / velocity        blind for no longer than a way through the stroke  (1)

Rates, velocities and levels must lie within the rig (``assembly/rig_bounds.py``); what has no
rig to be compared with is compared with what no rig reaches.
"""

from __future__ import annotations

from math import inf
from typing import Any

from rths.assembly.hybrid_test import HybridTest
from rths.assembly.rig_bounds import rig_bounds
from rths.errors import InputError
from rths.safety.rig import FASTEST, HARDEST

LONGEST_SILENCE = 60.0
"""Seconds for which a loop may run with nobody who looks after it: a busy machine may keep its
supervisor waiting, but not for minutes."""
LONGEST_HOLD = 60.0
"""Seconds for which a loaded specimen is held before it is led to safety: it creeps meanwhile."""
LONGEST_BRAKING = 10.0
"""Seconds in which the way to safety is at its rate, or at rest: longer ones never brake."""
LONGEST_PATIENCE = 10.0
"""Seconds on a way that does not help: an operator at the emergency button needs a fraction."""


def check_safety(test: HybridTest) -> None:
    """Refuse numbers with which [safety], guards or link would not do what they are for."""
    _check_guards(test)
    if test.safety is not None:
        _check_way(test)
    _check_link(test)


def _check_way(test: HybridTest) -> None:
    safety: Any = test.safety
    for name, most, unit in (
        ("rate", FASTEST, "m/s"),
        ("velocity", FASTEST, "m/s"),
        ("acceleration", HARDEST, "m/s²"),
    ):
        value = getattr(safety, name)
        if value is not None and value > most:
            remedy = f"It is in {unit}: {value:g} m{unit} is {value / 1000:g}."
            raise InputError(f"safety.{name}", value, "is beyond any actuator", remedy)
    for name, longest in (("hold", LONGEST_HOLD), ("patience", LONGEST_PATIENCE)):
        value = getattr(safety, name)
        if value > longest:
            remedy = f"Give at most {longest:g} s: {value:g} ms is {value / 1000:g}."
            raise InputError(f"safety.{name}", value, "is too long on a way to safety", remedy)
    if safety.acceleration is not None and safety.rate > LONGEST_BRAKING * safety.acceleration:
        problem = f"takes {safety.rate / safety.acceleration:.3g} s to brake from safety.rate"
        remedy = f"Give {safety.rate / LONGEST_BRAKING:.3g} m/s² or more."
        raise InputError("safety.acceleration", safety.acceleration, problem, remedy)
    if safety.fade_in >= test.duration:
        problem = f"is not over before the test, which takes {test.duration:g} s"
        raise InputError("safety.fade_in", safety.fade_in, problem, "Fade in faster.")


def _check_guards(test: HybridTest) -> None:
    for i, guard in enumerate(test.guards):
        levels = guard.trip if isinstance(guard.trip, tuple) else (guard.trip,)
        if any(v is not None and abs(v) == inf for v in levels):
            remedy = "Give the level beyond which the test must end, or warn alone."
            raise InputError(f"guard[{i}].trip", guard.trip, "never trips", remedy)
        if guard.watches_supervisor and guard.bounds["trip_high"] > LONGEST_SILENCE:
            if guard.trip is None:
                continue
            problem = "leaves the loop alone for too long when its supervisor has died"
            remedy = f"Give at most {LONGEST_SILENCE:g} s."
            raise InputError(f"guard[{i}].trip", guard.trip, problem, remedy)


def _check_link(test: HybridTest) -> None:
    if test.hardware is None or not rig_bounds(test):
        return
    longest = min(own.length / own.velocity for own in rig_bounds(test))
    blind = test.hardware.missed * test.tick
    if blind > longest:  # (1)
        problem = f"leaves the loop blind for {blind:.3g} s, and the rig crosses its stroke "
        problem += f"in {longest:.3g} s"
        remedy = f"Give at most {int(longest / test.tick)} missed replies in a row."
        raise InputError("hardware.missed", test.hardware.missed, problem, remedy)
