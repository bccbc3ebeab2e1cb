"""The rig of a laboratory: what its machines may do, whoever writes the plan of a test.

    low <= x <= high,   |dx/dt| <= velocity,   |d²x/dt²| <= acceleration,   |f| <= force       (1)
    Σ area |dx/dt| <= flow   over all actuators on one pump                                   (2)

All at the scale of the rig, for commands as for what is measured. (1) and (2) belong to the machine
and not to the test: they are kept in a file of the laboratory, and a plan may be narrower but never
wider. What a rig shows at rest (noise, how near it stands to its command) is what arming expects.
"""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import BeforeValidator

from rths.description import describe
from rths.errors import InputError
from rths.quantity import (
    CubicMetresPerSecond,
    Numbers,
    PositiveAcceleration,
    PositiveMetres,
    PositiveMetresPerSecond,
    PositiveNewtons,
    SquareMetres,
    check_numbers,
)

OF_STROKE, OF_FORCE = 0.0002, 0.002
"""Noise of a sensor at rest, as shares of its range: a displacement transducer and a load cell of
ordinary class, where the laboratory says nothing."""
LONGEST_STROKE, FASTEST, HARDEST = 10.0, 20.0, 10_000.0
"""No actuator reaches, moves or accelerates so, m, m/s and m/s²: larger values are in mm."""
STRONGEST = 1e9
"""No actuator has such a force, N: the largest testing machines have a tenth of it."""
FARTHEST = 0.2
"""Share of stroke and force beyond which an actuator is not near at all: arming would take it
wherever it stands."""
NEAR = 0.01
"""Share of the stroke and of the force within which an actuator counts as where it should be."""


def _both_sides(value: object) -> object:
    """Let a number stand for plus and minus."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return (-abs(value), abs(value))
    return check_numbers(value, "Give a number for plus and minus, or [low, high].")


Stroke = Annotated[
    tuple[float, float],
    BeforeValidator(_both_sides),
    Numbers("a number for plus and minus, or [low, high]", "m"),
]


@describe
class Actuator:
    """What one actuator may do, at the scale of the rig."""

    kind: ClassVar[str] = "actuator"

    stroke: Stroke
    """Displacements that it may be sent to and may reach, m: [low, high], or one for both sides."""
    velocity: PositiveMetresPerSecond
    """Fastest motion, m/s."""
    acceleration: PositiveAcceleration
    """Largest acceleration, m/s²: a test is also left with no more than that."""
    force: PositiveNewtons
    """Largest force, N."""
    area: SquareMetres | None = None
    """Area of its piston, m²; needed where the rig has a flow."""
    noise: PositiveMetres | None = None
    """Largest noise of the measured displacement at rest, m rms; 0.02 % of the stroke if not
    given."""
    force_noise: PositiveNewtons | None = None
    """Largest noise of the measured force at rest, N rms; 0.2 % of the force if not given."""
    near: PositiveMetres | None = None
    """How far from its command it may stand at rest, m; 1 % of the stroke if not given."""
    force_near: PositiveNewtons | None = None
    """How far the force may be from that of the plan at rest, N; 1 % of the force if not given."""

    def __post_init__(self) -> None:
        """Refuse a stroke that leaves nothing, and what is in millimetres."""
        for name, most, unit in (("velocity", FASTEST, "m/s"), ("acceleration", HARDEST, "m/s²")):
            value = getattr(self, name)
            if value > most:
                remedy = f"It is in {unit}: {value:g} m{unit} is {value / 1000:g}."
                raise InputError(f"actuator.{name}", value, "is beyond any actuator", remedy)
        if self.force > STRONGEST:
            remedy = f"It is in N: {self.force:g} mN is {self.force / 1000:g}."
            raise InputError("actuator.force", self.force, "is beyond any actuator", remedy)
        low, high = self.stroke
        if not low < high or not -LONGEST_STROKE <= low < high <= LONGEST_STROKE:
            problem = "is no stroke of an actuator"
            remedy = "Give [low, high] in metres, low below high: 250 mm is 0.25."
            raise InputError("actuator.stroke", self.stroke, problem, remedy)
        self._check_rest()

    def _check_rest(self) -> None:
        """Refuse what would let arming take an actuator wherever it stands."""
        for name, whole, unit in (
            ("noise", self.length, "m"),
            ("near", self.length, "m"),
            ("force_noise", self.force, "N"),
            ("force_near", self.force, "N"),
        ):
            value, most = getattr(self, name), FARTHEST * whole
            if value is not None and value > most:
                problem = f"is more than {100 * FARTHEST:g} % of what the actuator has"
                remedy = f"Give at most {most:g} {unit}: {value:g} m{unit} is {value / 1000:g}."
                raise InputError(f"actuator.{name}", value, problem, remedy)

    @property
    def length(self) -> float:
        """The whole stroke, m."""
        return self.stroke[1] - self.stroke[0]

    @property
    def rest(self) -> tuple[float, float, float, float]:
        """Noise, force noise, and how near displacement and force are at rest, given or usual."""
        return (
            self.noise or OF_STROKE * self.length,
            self.force_noise or OF_FORCE * self.force,
            self.near or NEAR * self.length,
            self.force_near or NEAR * self.force,
        )


@describe
class Rig:
    """The machines of a laboratory that a test moves."""

    kind: ClassVar[str] = "rig"

    name: str
    """What the laboratory calls it; a trip belongs to the rig itself, which says who it is."""
    actuator: Actuator | tuple[Actuator, ...]
    """Its actuators in the order of the channels, or one description for all."""
    flow: CubicMetresPerSecond | None = None
    """Oil that its pump delivers, m³/s; not limited if not given."""
    emulated: bool = False
    """Whether it is a program: nothing can be hurt."""
    real_time: bool | None = None
    """Whether it is moved only with real-time scheduling and locked memory; yes if not given,
    unless it is emulated."""

    def __post_init__(self) -> None:
        """Refuse a flow that cannot be told from motions."""
        several = self.actuator if isinstance(self.actuator, tuple) else (self.actuator,)
        if self.flow is not None and any(a.area is None for a in several):
            remedy = "Give each actuator its area, m²."
            raise InputError("rig.flow", self.flow, "is not known from velocities alone", remedy)
        if not self.name.strip():
            remedy = "Name it as the laboratory does."
            raise InputError("rig.name", self.name, "is empty", remedy)

    @property
    def needs_real_time(self) -> bool:
        """Whether the machine must grant real-time scheduling and locked memory."""
        return not self.emulated if self.real_time is None else self.real_time

    def actuators(self, channels: int) -> tuple[Actuator, ...]:
        """Give the actuator of each channel."""
        if isinstance(self.actuator, Actuator):
            return (self.actuator,) * channels
        if len(self.actuator) != channels:
            problem = f"has {len(self.actuator)} actuator(s) for a test with {channels}"
            remedy = "Use the rig of this test, or give the test one interface for each actuator."
            raise InputError("rig.actuator", self.name, problem, remedy)
        return self.actuator
