"""What can go wrong with an emulated rig, and when.

    NAME[=VALUE][@START[+LENGTH]][:ACTUATOR]                                                  (1)

Times are seconds after the first command; without them a fault is there from the start to the end,
and without an actuator all have it. A fault that could do nothing is refused: a test of what goes
wrong must not pass because nothing did.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, isfinite

from rths.errors import InputError
from rths.loop.block import Vector
from rths.loop.fields import fields

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
    "nan_displacement": "the displacement sensor gives no number",
    "nan_force": "the force sensor gives no number",
    "jump_displacement": "the displacement sensor is off by VALUE m",
    "jump_force": "the force sensor is off by VALUE N",
    "flip_displacement": "the displacement sensor has the wrong sign",
    "flip_force": "the force sensor has the wrong sign",
    "lag": "the actuator lags behind by VALUE s more each second",
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
    NAN_DISPLACEMENT,
    NAN_FORCE,
    JUMP_DISPLACEMENT,
    JUMP_FORCE,
    FLIP_DISPLACEMENT,
    FLIP_FORCE,
    LAG,
) = range(len(NAMES))
BARE = (
    "stop",
    *(
        f"{what}_{sensor}"
        for what in ("stuck", "nan", "flip")
        for sensor in ("displacement", "force")
    ),
)
"""Faults that have no value; that of pressure may be left out."""
OF_THE_WHOLE_RIG = ("stop", "loss", "jitter", "clock")
RANGES = {
    "loss": (0.0, 1.0),
    "clock": (-0.9, 10.0),
    "jitter": (0.0, 1e6),
    "pressure": (0.0, 1e300),
    "saturation": (0.0, 1e300),
    "lag": (0.0, 1e300),
}
"""Least and most that a value may be; the others may be any number."""
ROW = fields(kind="which of NAMES", value="VALUE", start="s", end="s", actuator="or -1 for all")
"""Numbers of a fault in the parameters of a block."""
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
    def name(self) -> str:
        """Its name in (1)."""
        return list(NAMES)[self.kind]

    @property
    def row(self) -> list[float]:
        """The numbers of a block's parameters."""
        end = min(self.end, 1e300)
        row = ROW.pack(
            kind=self.kind, value=self.value, start=self.start, end=end, actuator=self.actuator
        )
        return [float(v) for v in row]


def parse_fault(text: str) -> Fault:
    """Read a fault (1)."""
    match = _FORM.fullmatch(text.strip())
    if match is None or match["name"] not in NAMES:
        known = "; ".join(f"{name}: {words}" for name, words in NAMES.items())
        raise InputError(
            "fault", text, "is unknown", f"Write NAME=VALUE@START+LENGTH:ACTUATOR. {known}."
        )
    try:
        value, start = float(match["value"] or 0.0), float(match["start"] or 0.0)
        length = float(match["length"] or inf)
    except ValueError:
        raise InputError(
            "fault", text, "has something else than a number in it", "As in loss=0.1@2.5+1."
        ) from None
    name = match["name"]
    _check_value(text, name, match["value"] is not None, value)
    if not (isfinite(start) and length > 0):
        problem = "is never there"
        raise InputError("fault", text, problem, "Give a start and a length above 0, in seconds.")
    if match["actuator"] and name in OF_THE_WHOLE_RIG:
        problem = "is a fault of the whole rig, not of one actuator"
        raise InputError("fault", text, problem, f"Leave out :{match['actuator']}.")
    actuator = int(match["actuator"]) if match["actuator"] else -1
    return Fault(list(NAMES).index(name), value, start, start + length, actuator)


def _check_value(text: str, name: str, given: bool, value: float) -> None:
    """Refuse a value that is missing, not needed or impossible."""
    low, high = RANGES.get(name, (-1e300, 1e300))
    if given and name in BARE:
        raise InputError("fault", text, "has a value that means nothing", f"Write {name} alone.")
    if not (given or name in BARE or name == "pressure"):
        raise InputError("fault", text, "needs a value", f"{name}=VALUE: {NAMES[name]}.")
    if not low <= value <= high:
        between = f" VALUE is {low:g} to {high:g}." if name in RANGES else ""
        raise InputError("fault", text, "has an impossible value", f"{NAMES[name]}.{between}")


def check_actuators(faults: Sequence[Fault], actuators: int) -> None:
    """Refuse a fault of an actuator that the rig does not have."""
    for each in faults:
        if each.actuator >= actuators:
            raise InputError(
                "fault",
                f"{each.name}:{each.actuator}",
                f"is of an actuator that is not there: the rig has {actuators}",
                f"They count from 0 to {actuators - 1}; without a number all have it.",
            )


def rows_of(faults: tuple[Fault, ...]) -> list[float]:
    """Put faults one after the other."""
    return [number for fault in faults for number in fault.row]


def is_present(p: Vector, k: int, kind: int, actuator: int, t: float) -> bool:
    """Tell whether the row at ``k`` is a fault of a kind that an actuator has now."""
    whose = p[k + ROW.actuator]
    mine = whose == -1.0 or whose == float(actuator)
    now = p[k + ROW.start] <= t < p[k + ROW.end]
    return bool(p[k + ROW.kind] == float(kind) and mine and now)


def active_value(p: Vector, first: int, kind: int, actuator: int, t: float) -> float:
    """Give the value of a fault that is there now, or -1; ``first`` is where the rows begin."""
    for k in range(first, p.size, len(ROW)):
        if is_present(p, k, kind, actuator, t):
            return p[k + ROW.value]  # type: ignore[no-any-return]
    return -1.0


def offset(p: Vector, first: int, drift: int, jump: int, actuator: int, t: float) -> float:
    """Add up jumps that are there now, and drifts times how long each has been there."""
    total = 0.0
    for k in range(first, p.size, len(ROW)):
        if is_present(p, k, drift, actuator, t):
            total += p[k + ROW.value] * (t - p[k + ROW.start])
        elif is_present(p, k, jump, actuator, t):
            total += p[k + ROW.value]
    return total


def draw_random(x: Vector, place: int) -> float:
    """Draw a number from 0 to 1; the generator keeps its state, a whole number, at x[place]."""
    s = (1664525 * int(x[place]) + 1013904223) & 0xFFFFFFFF
    x[place] = float(s)
    return s / 4294967296.0
