"""Guards that a rig brings along: its limits, on every command and on every measurement.

    command       velocity, acceleration, where it would come to rest, oil of all together      (1)
    measurement   displacement, velocity, acceleration, force                                 (2)
    sent beside   velocity and force, if the plan sends them                                  (3)

A rehearsal has them as the live test has them. Of a measurement that is noisy, velocity and
acceleration are those of a fit over as many samples as the noise of the rig asks for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from rths.assembly.rig_bounds import ChannelBounds, command_bounds, rig_bounds
from rths.guard._fitted_motion import samples_for
from rths.guard.acceleration import Acceleration
from rths.guard.base import Guard
from rths.guard.braking import Braking
from rths.guard.flow import Flow
from rths.guard.limit import Limit
from rths.guard.measured_acceleration import MeasuredAcceleration
from rths.guard.measured_velocity import MeasuredVelocity
from rths.guard.rate import Rate
from rths.loop.block import Block
from rths.site import Site


@dataclass(frozen=True)
class EachChannel:
    """Guards of one kind, each with the bounds of its channel."""

    name: str
    members: tuple[Guard, ...]
    joint = False

    @property
    def kind(self) -> str:
        """The kind of all of them."""
        return self.members[0].kind

    @property
    def watches(self) -> tuple[str, ...]:
        """Name the signals they read."""
        return self.members[0].watches

    def block(self, site: Site) -> Block:
        """Yield the block of a channel."""
        return self.members[site.channel].block(site)


def rig_guards(test: Any, leaving: str, slowing: float | None) -> list[Any]:
    """Give the guards of a test's rig; ``leaving`` is the command, which brakes by ``slowing``."""
    rig = rig_bounds(test)
    found: list[Any] = _on_measurements(test.tick, rig) if rig else []  # they are a tick older
    if rig:
        found += [*_on_commands(test, leaving, rig), *_on_companions(test, rig)]
    if slowing is not None:
        bounds = command_bounds(test)
        members = [Braking(signal=leaving, trip=b, acceleration=slowing) for b in bounds]
        found.append(EachChannel("command_braking", tuple(members)))
    return found


def _each(
    name: str, rig: Sequence[ChannelBounds], make: Callable[[ChannelBounds], Guard]
) -> EachChannel:
    return EachChannel(name, tuple(make(own) for own in rig))


def _on_commands(test: Any, leaving: str, rig: Sequence[ChannelBounds]) -> list[Any]:
    """Guard (1)."""
    found: list[Any] = [
        _each("command_velocity", rig, lambda own: Rate(signal=leaving, trip=own.velocity)),
        _each(
            "command_acceleration",
            rig,
            lambda own: Acceleration(signal=leaving, trip=own.acceleration),
        ),
    ]
    if test.rig.rig.flow is not None:
        areas = tuple(own.area or 0.0 for own in rig)
        flow = test.rig.rig.flow
        found.append(Flow(signal=leaving, areas=areas, trip=flow, name="command_flow"))
    return found


def _on_measurements(tick: float, rig: Sequence[ChannelBounds]) -> list[Any]:
    """Guard (2)."""
    moved = "transfer.displacement"
    fitted = [
        max(samples_for(own.noise, own.velocity, tick, 1) for own in rig),
        max(samples_for(own.noise, own.acceleration, tick, 2) for own in rig),
    ]
    return [
        _each("measured_displacement", rig, lambda own: Limit(signal=moved, trip=_stroke(own))),
        _each("measured_force", rig, lambda own: Limit(signal="specimen.force", trip=own.force)),
        _each(
            "measured_velocity",
            rig,
            lambda own: MeasuredVelocity(signal=moved, trip=own.velocity, samples=fitted[0]),
        ),
        _each(
            "measured_acceleration",
            rig,
            lambda own: MeasuredAcceleration(
                signal=moved, trip=own.acceleration, samples=fitted[1]
            ),
        ),
    ]


def _on_companions(test: Any, rig: Sequence[ChannelBounds]) -> list[Any]:
    """Guard (3)."""
    velocity, force = (getattr(test.hardware, name, None) for name in ("velocity", "force"))
    found = []
    if velocity is not None:
        found.append(
            _each("sent_velocity", rig, lambda own: Limit(signal=velocity, trip=own.velocity))
        )
    if force is not None and force != "specimen.force":
        found.append(_each("sent_force", rig, lambda own: Limit(signal=force, trip=own.force)))
    return found


def _stroke(own: ChannelBounds) -> tuple[float, float]:
    return own.low, own.high
