"""The limits of a rig at the scale of the test, and a plan that must stay within them.

    length of the test = length_scale · length of the rig,   force likewise                   (1)

Time is not scaled: velocities and accelerations go with the length.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rths.assembly.guarding import bounds_of
from rths.errors import InputError
from rths.loop.channel_name import name_actuator, name_channel, split_channel

if TYPE_CHECKING:
    from rths.assembly.hybrid_test import HybridTest

COMMAND = "compensator.command"
LENGTHS = (COMMAND, "safety.faded", "safety.command", "transfer.displacement")
"""Signals that are displacements of the actuators."""
FORCES = ("specimen.force", "feedback.force")
"""Signals that are forces on the actuators."""


@dataclass(frozen=True)
class ChannelBounds:
    """What the actuator of one channel may do, and what it shows at rest, as the test sees it."""

    low: float
    high: float
    velocity: float
    acceleration: float
    force: float
    noise: float
    force_noise: float
    near: float
    force_near: float
    area: float | None
    """Area by which a velocity of the test is the rig's own flow, m²."""

    @property
    def length(self) -> float:
        """The whole stroke, m."""
        return self.high - self.low


def rig_bounds(test: HybridTest) -> tuple[ChannelBounds, ...]:
    """Give the bounds (1) of each channel; none if the test has no rig."""
    if test.rig is None:
        return ()
    found = []
    actuators = test.rig.rig.actuators(test.channels)
    for actuator, specimen in zip(actuators, test.descriptions("specimen"), strict=True):
        length, force = specimen.length_scale, specimen.force_scale * specimen.count
        noise, force_noise, near, force_near = actuator.rest
        found.append(
            ChannelBounds(
                low=length * actuator.stroke[0],
                high=length * actuator.stroke[1],
                velocity=length * actuator.velocity,
                acceleration=length * actuator.acceleration,
                force=force * actuator.force,
                noise=length * noise,
                force_noise=force * force_noise,
                near=length * near,
                force_near=force * force_near,
                area=None if actuator.area is None else actuator.area / length,
            )
        )
    return tuple(found)


def command_bounds(test: HybridTest) -> list[tuple[float, float]]:
    """Give the limits of each channel's command: those of the plan, else those of the rig."""
    if test.channels == 0:
        problem, remedy = "names nothing that moves", "Name a degree of freedom, or drop [safety]."
        raise InputError("structure.interface", None, problem, remedy)
    rig = rig_bounds(test)
    found = []
    for c in range(test.channels):
        own = name_channel(COMMAND, c)
        name = own if own in test.limits else COMMAND
        if name in test.limits:
            found.append(bounds_of(name, test.limits[name]))
        elif rig:
            found.append((rig[c].low, rig[c].high))
        else:
            remedy = "Add compensator.command = half the stroke to [limits]."
            raise InputError(f"limits.{COMMAND}", None, "is required with [safety]", remedy)
    return found


def check_within_rig(test: HybridTest) -> None:
    """Refuse a plan that would let its rig do more than the rig may."""
    rig = rig_bounds(test)
    if not rig or test.safety is None:
        return
    for c, own in enumerate(rig):
        for field, value, (low, high), (least, most), what in _claims(test, c, own):
            if not (least <= low and high <= most):
                problem = f"is beyond the {what} of the rig, {least:g} to {most:g}"
                file = test.rig.path.name  # type: ignore[union-attr]
                remedy = f"Stay within what {file} allows {name_actuator(c)}."
                raise InputError(field, value, problem, remedy)
    _check_flow(test, rig)


def _check_flow(test: HybridTest, rig: tuple[ChannelBounds, ...]) -> None:
    """Refuse a way to safety on which all actuators together need more oil than the pump gives."""
    assert test.rig is not None
    assert test.safety is not None
    flow, area = test.rig.rig.flow, sum(own.area or 0.0 for own in rig)
    if flow is not None and area * test.safety.rate > flow:
        problem = f"needs {area * test.safety.rate:.3g} m³/s of oil, and the pump gives {flow:g}"
        remedy = f"Give at most {flow / area:.3g} m/s."
        raise InputError("safety.rate", test.safety.rate, problem, remedy)


def _claims(test: HybridTest, c: int, own: ChannelBounds) -> Iterator[tuple[Any, ...]]:
    """Give each field that bounds a motion, its value and bounds, and those of the rig."""
    stroke, force = (own.low, own.high), (-own.force, own.force)
    velocity, acceleration = (-own.velocity, own.velocity), (-own.acceleration, own.acceleration)
    for name, limit in test.limits.items():
        base, channel = split_channel(name)
        if channel not in (None, c):
            continue
        if base in LENGTHS:
            yield f"limits.{name}", limit, bounds_of(name, limit), stroke, "stroke"
        elif base in FORCES:
            yield f"limits.{name}", limit, bounds_of(name, limit), force, "force"
    safety = test.safety
    assert safety is not None
    for field, value, bound, what in (
        ("rate", safety.rate, velocity, "velocity"),
        ("velocity", safety.velocity, velocity, "velocity"),
        ("acceleration", safety.acceleration, acceleration, "acceleration"),
    ):
        if value is not None:
            yield f"safety.{field}", value, (-value, value), bound, what
    motion = (stroke, "stroke"), (velocity, "velocity"), (acceleration, "acceleration")
    for i, guard in enumerate(test.guards):
        base, channel = split_channel(guard.watches[0])
        if guard.trip is None or channel not in (None, c):
            continue
        bound = (guard.bounds["trip_low"], guard.bounds["trip_high"])
        if base in LENGTHS and guard.derivative is not None:
            yield f"guard[{i}].trip", guard.trip, bound, *motion[guard.derivative]
        elif base in FORCES and guard.derivative == 0:
            yield f"guard[{i}].trip", guard.trip, bound, force, "force"
