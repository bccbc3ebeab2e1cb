"""What can go wrong with an emulated rig, and when.

    NAME[=VALUE][@START[+LENGTH]][:ACTUATOR]                                                  (1)

Times are seconds after the first command; without them a fault is there from the start to the end,
and without an actuator all have it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import inf, isfinite

from rths.errors import InputError
from rths.loop.block import Vector

NAMES = {
    "stop": "the operator stops the rig",
    "pressure": "oil pressure is lost: the actuator moves at VALUE m/s at most (0: not at all)",
    "saturation": "the actuator goes no further than plus and minus VALUE m",
    "stuck_displacement": "the displacement sensor keeps its value",
    "stuck_force": "the force sensor keeps its value",
    "drift_displacement": "the displacement sensor drifts by VALUE m/s",
    "drift_force": "the force sensor drifts by VALUE N/s",
    "loss": "a reply is lost with probability VALUE",
    "jitter": "a reply comes up to VALUE s later, at random",
    "clock": "the rig's clock is fast by VALUE (50e-6 is 50 millionths)",
}
(
    STOP,
    PRESSURE,
    SATURATION,
    STUCK_DISPLACEMENT,
    STUCK_FORCE,
    DRIFT_DISPLACEMENT,
    DRIFT_FORCE,
    LOSS,
    JITTER,
    CLOCK,
) = range(len(NAMES))
BARE = ("stop", "pressure", "stuck_displacement", "stuck_force")
"""Faults that need no value."""
ROW = 5
"""Numbers of a fault in the parameters of a block: kind, value, start, end, actuator (or -1)."""
_FORM = re.compile(
    r"(?P<name>[a-z_]+)(=(?P<value>[^@:+]+(e[+-]?\d+)?))?(@(?P<start>[^+:]+)(\+(?P<length>[^:]+))?)?"
    r"(:(?P<actuator>\d+))?"
)


@dataclass(frozen=True)
class Fault:
    """One fault of (1)."""

    kind: int
    value: float = 0.0
    start: float = 0.0
    end: float = inf
    actuator: int = -1

    @property
    def row(self) -> list[float]:
        """The numbers of a block's parameters."""
        return [self.kind, self.value, self.start, min(self.end, 1e300), self.actuator]


def parsed(text: str) -> Fault:
    """Read a fault (1)."""
    match = _FORM.fullmatch(text.strip())
    if match is None or match["name"] not in NAMES:
        known = "; ".join(f"{name}: {words}" for name, words in NAMES.items())
        raise InputError(
            "fault", text, "is unknown", f"Write NAME=VALUE@START+LENGTH:ACTUATOR. {known}."
        )
    try:
        value, start = float(match["value"] or 0.0), float(match["start"] or 0.0)
        end = start + float(match["length"]) if match["length"] else inf
    except ValueError:
        raise InputError(
            "fault", text, "has something else than a number in it", "As in loss=0.1@2.5+1."
        ) from None
    name = match["name"]
    proper = (
        0 <= value <= 1 if name == "loss" else value >= 0 or name.startswith(("drift", "clock"))
    )
    proper = proper and (match["value"] is not None or name in BARE)
    if not (isfinite(value) and isfinite(start) and proper):
        raise InputError("fault", text, "has an impossible value", f"{name}: {NAMES[name]}.")
    actuator = int(match["actuator"]) if match["actuator"] else -1
    return Fault(list(NAMES).index(name), value, start, end, actuator)


def rows_of(faults: tuple[Fault, ...]) -> list[float]:
    """Put faults one after the other."""
    return [number for fault in faults for number in fault.row]


def active(p: Vector, first: int, kind: int, actuator: int, t: float) -> float:
    """Give the value of a fault that is there now, or -1; ``first`` is where the rows begin."""
    for k in range(first, p.size, ROW):
        mine = p[k + 4] == -1.0 or p[k + 4] == float(actuator)
        if p[k] == float(kind) and mine and p[k + 2] <= t < p[k + 3]:
            return p[k + 1]  # type: ignore[no-any-return]
    return -1.0


def begun(p: Vector, first: int, kind: int, actuator: int, t: float) -> float:
    """Give the value of a drift that is there now times how long it has been there, or 0."""
    for k in range(first, p.size, ROW):
        mine = p[k + 4] == -1.0 or p[k + 4] == float(actuator)
        if p[k] == float(kind) and mine and p[k + 2] <= t < p[k + 3]:
            return p[k + 1] * (t - p[k + 2])  # type: ignore[no-any-return]
    return 0.0


def random(x: Vector, place: int) -> float:
    """Draw a number from 0 to 1; the generator keeps its state, a whole number, at x[place]."""
    s = (1664525 * int(x[place]) + 1013904223) & 0xFFFFFFFF
    x[place] = float(s)
    return s / 4294967296.0
