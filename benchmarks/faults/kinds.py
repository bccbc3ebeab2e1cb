"""Kinds of faults: how each is drawn, when it matters, and when it is then to trip at the latest.

    latest trip = start + seconds + periods · period of the motion                             (1)
    of several at once:  start + time of (1) / share of replies in time + what hides it         (2)

What a link holds while a reply is missing says nothing about a sensor, and no guard counts it: the
time of (1) is one of ticks with a reply. A reply that comes later hides what comes with it, and a
sensor that is stuck all other faults of it. A fault that matters is of a size that spoils a test;
one that does not may be of any size, and may come and go. Whatever it is, no command goes beyond a
limit.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf

import numpy as np

from benchmarks.faults.plans import MISSED, TICK, Sound


@dataclass(frozen=True)
class Kind:
    """One kind of fault of an emulated rig."""

    any_size: tuple[float, float] | None
    """Range of its value, in its unit; None if it has none."""
    unit: str = ""
    """What its value is a multiple of: peak (m), speed (m/s), limit of force (N), or nothing."""
    matters: tuple[float, float] | None = None
    """Range in which it matters."""
    seconds: float = inf
    periods: float = 0.0
    """Times of (1); infinite for a fault that nothing is promised of."""
    sensor: str = ""
    """The sensor that it is one of."""
    freezes: bool = False
    """Whether the sensor shows no other fault meanwhile."""


AT_ONCE = 0.01
"""s, for what one tick shows, some ticks of a link included."""
LOST = (MISSED + 5) * TICK
"""s, for a link that is lost."""
KINDS: dict[str, Kind] = {
    "stop": Kind(None, seconds=AT_ONCE),
    "pressure": Kind((0.0, 1.0), "speed", (0.0, 0.3), seconds=AT_ONCE),
    "saturation": Kind((0.0, 1.5), "peak", (0.1, 0.7), seconds=0.1, periods=2.0),
    "stuck_displacement": Kind(None, seconds=0.1, periods=2.0, sensor="displacement", freezes=True),
    "stuck_force": Kind(None, seconds=0.1, periods=3.0, sensor="force", freezes=True),
    "drift_displacement": Kind(
        (-5.0, 5.0), "peak", (1.0, 5.0), seconds=0.1, periods=3.0, sensor="displacement"
    ),
    "drift_force": Kind((-6.0, 6.0), "limit", (2.5, 6.0), seconds=1.0, sensor="force"),
    "loss": Kind((0.0, 1.0), "", (1.0, 1.0), seconds=LOST),
    "jitter": Kind((1e-4, 0.01)),
    "nan_displacement": Kind(None, seconds=AT_ONCE, sensor="displacement"),
    "nan_force": Kind(None, seconds=AT_ONCE, sensor="force"),
    "jump_displacement": Kind(
        (-2.0, 2.0), "peak", (0.5, 2.0), seconds=0.1, periods=2.0, sensor="displacement"
    ),
    "jump_force": Kind((-3.0, 3.0), "limit", (2.1, 4.0), seconds=0.1, sensor="force"),
    "flip_displacement": Kind(None, seconds=0.1, periods=3.0, sensor="displacement"),
    "flip_force": Kind(None, seconds=0.1, periods=3.0, sensor="force"),
    "lag": Kind((0.0, 0.1), "", (0.03, 0.3), seconds=0.2, periods=4.0),
}
SIGNED = ("drift_displacement", "drift_force", "jump_displacement", "jump_force")
"""Faults that matter to either side."""


@dataclass(frozen=True)
class Drawn:
    """What goes wrong in one test."""

    text: str
    """As the emulated rig reads it."""
    start: float
    latest: float
    """s, when a trip has to have come; infinite if nothing is promised."""
    hides: float = 0.0
    """s, by which it lets replies come later: so much later every other fault can be seen."""
    answers: float = 1.0
    """Share of replies that come within their tick all the same."""
    sensor: str = ""
    freezes: float = 0.0
    """s, for which its sensor shows no other fault."""


def latest_trip(drawn: Iterable[Drawn]) -> float:
    """Give the time (2) at which faults that come together have to have tripped, s."""
    drawn = list(drawn)
    return min((_latest_beside(d, [o for o in drawn if o is not d]) for d in drawn), default=inf)


def _latest_beside(one: Drawn, others: list[Drawn]) -> float:
    """Give (2) for one of several faults."""
    answers = min((d.answers for d in others), default=1.0)
    within = (one.latest - one.start) / answers if answers > 0 else inf
    hides = max((d.hides for d in (one, *others)), default=0.0)
    own = [d for d in others if one.sensor and d.sensor == one.sensor]
    return one.start + within + hides + max((d.freezes for d in own), default=0.0)


def draw_fault(
    random: np.random.Generator, name: str, sound: Sound, window: tuple[float, float]
) -> Drawn:
    """Draw a fault of a kind that begins within a window; one in three is of any size."""
    kind, begin = KINDS[name], f"{random.uniform(*window):.6g}"
    start = float(begin)  # as the rig reads it: a trip in the tick of a rounded time is none before
    matters = kind.seconds < inf and random.random() < 2 / 3
    span = kind.matters if matters and kind.matters else kind.any_size
    value, size = "", 0.0
    if span is not None:
        size = float(random.uniform(*span)) * _unit(kind.unit, sound)
        if matters and name in SIGNED and random.random() < 0.5:
            size = -size
        value = f"={size:.6g}"
    short = not matters and random.random() < 0.5
    length = f"{random.uniform(0.01, 0.3):.6g}" if short else ""
    within = kind.seconds + kind.periods * sound.period
    text = f"{name}{value}@{begin}{'+' if short else ''}{length}"
    return Drawn(
        text,
        start,
        start + within if matters else inf,
        hides=size if name == "jitter" else 0.0,
        answers=_answers(name, size),
        sensor=kind.sensor,
        freezes=float(length or within) if kind.freezes else 0.0,
    )


def _answers(name: str, size: float) -> float:
    """Share of replies that come in time; jitter lies evenly between nothing and its size."""
    if name == "jitter":
        return min(1.0, TICK / size)
    return 1.0 - size if name == "loss" else 1.0


def _unit(unit: str, sound: Sound) -> float:
    speed = 2 * np.pi / sound.period * sound.peak
    return {"": 1.0, "peak": sound.peak, "speed": float(speed), "limit": sound.limits["force"]}[
        unit
    ]
