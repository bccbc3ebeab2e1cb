"""What the rehearsals of a test show a guard that suggests its own level.

    furthest = largest value that the guard's own block gives over all rehearsals               (1)

A rehearsal is not the rig: `later` shifts what is measured by a time against the target, as a rig
does that is a little slower than its model.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf, pi
from typing import TYPE_CHECKING, Any

import numpy as np

from rths.loop.block import Vector
from rths.loop.solo import respond
from rths.site import Site

if TYPE_CHECKING:
    from rths.guard.base import Guard

MEASURED = ("feedback.force", "feedback.displacement")
"""Signals that come later from a rig that is slower than its model."""
SHORTEST_WINDOW = 0.1
"""s: a hundred samples at the usual rates."""
NEVER = 1e300
"""Level of a guard that is only looked at: a number, as a guard must have a level, which no value
of a rehearsal reaches."""
WARN_SHARE = 0.75
"""Level to warn over the one to trip: levels are most often three times what a rehearsal shows, and
a warning then comes at 2.25 times, which good order does not reach, with a quarter left to act."""
VELOCITY_MARGIN = 3.0
"""Largest velocity of a command over the rehearsed one where the plan allows more: as far as the
levels of other guards lie above what a rehearsal shows."""
DIGITS = 3
"""Digits of a suggested number: a level is no measurement."""


@dataclass(frozen=True)
class Suggestion:
    """A guard with its level, and why it is this one."""

    guard: Guard
    reason: str


@dataclass(frozen=True, eq=False)
class Rehearsal:
    """Signals of one or several rehearsals, a row a tick and a column a channel."""

    tick: float
    runs: Sequence[Mapping[str, Vector]]
    rest: Vector
    """Where each channel stands before the test, m."""
    allowed_velocity: float | None = None
    """Velocity of the command that trips, m/s; None if the plan has none."""

    def columns(self, signal: str) -> Iterator[Vector]:
        """Go through all channels of a signal in all rehearsals."""
        for run in self.runs:
            yield from run[signal].T

    def furthest(self, guard: Guard, later: float = 0.0) -> float:
        """Give (1), of all channels, with measurements that come later."""
        late, found = round(later / self.tick), 0.0
        for run in self.runs:
            for c, place in enumerate(self.rest.tolist()):
                site = Site(self.tick, self.tick, c, place)
                rows = [self._row(run, s, c, late) for s in guard.watches]
                values = respond(guard.block(site), np.column_stack(rows))[:, 1]
                found = max(found, float(values.max() if guard.one_sided else abs(values).max()))
        return found

    def _row(self, run: Mapping[str, Vector], signal: str, channel: int, late: int) -> Vector:
        """Give a signal of a channel; what only a rig has is 0 in a rehearsal."""
        if signal not in run:
            return np.zeros(len(next(iter(run.values()))))
        whole = run[signal]
        row: Vector = whole[:, min(channel, whole.shape[1] - 1)]
        if not late or signal not in MEASURED:
            return row
        return np.concatenate([np.full(late, row[0]), row[: len(row) - late]])

    @cached_property
    def largest_velocity(self) -> float:
        """Velocity that the command must not have, m/s: thrice the rehearsed one at the most."""
        return min(self.allowed_velocity or inf, VELOCITY_MARGIN * self._fastest)

    @property
    def room(self) -> float:
        """Velocity that is left above the rehearsed one, m/s."""
        return min((self.allowed_velocity or inf) - self._fastest, self.largest_velocity)

    @cached_property
    def _fastest(self) -> float:
        """Largest velocity of a rehearsed command, m/s."""
        return max(float(abs(np.diff(r)).max()) for r in self.columns(COMMAND)) / self.tick

    @cached_property
    def peak(self) -> float:
        """Largest way of a target from where it began, m."""
        return max(float(abs(r - r[0]).max()) for r in self.columns(TARGET))

    @cached_property
    def period(self) -> float:
        """Period of the target's motion, 2π rms(x)/rms(x'), s; the longest of all channels."""
        found = SHORTEST_WINDOW
        for row in self.columns(TARGET):
            speed = float(np.std(np.diff(row))) / self.tick
            if speed > 0.0:
                found = max(found, 2 * pi * float(np.std(row)) / speed)
        return found

    @cached_property
    def lag(self) -> float:
        """How late the displacement is behind the command, s: Σ c'(c - x) / Σ c'²."""
        found = self.tick
        for c, x in zip(self.columns(SENT), self.columns(MEASURED[1]), strict=True):
            speed = np.gradient(c) / self.tick
            if float(speed @ speed) > 0.0:
                found = max(found, float(speed @ (c - x) / (speed @ speed)))
        return found

    @cached_property
    def noise(self) -> float:
        """Standard deviation of the noise of the displacement sensor, m, by second differences."""
        return max(float(np.std(np.diff(x, 2))) for x in self.columns(MEASURED[1])) / 6**0.5

    def suggestion(
        self, kind: type[Guard], given: Mapping[str, Any], level: float, reason: str
    ) -> Suggestion:
        """Make a guard that trips at a level and warns at WARN_SHARE of it."""
        trip = round_up(level)
        return Suggestion(kind(**given, warn=round_up(WARN_SHARE * trip), trip=trip), reason)


TARGET, COMMAND, SENT = "integrator.target", "compensator.command", "safety.command"
SIGNALS = (TARGET, COMMAND, SENT, *MEASURED)
"""What a rehearsal must record."""


def round_up(value: float) -> float:
    """Round a number to a few digits, upwards in its size."""
    if value == 0.0:
        return 0.0
    unit = 10.0 ** (int(np.floor(np.log10(abs(value)))) - DIGITS + 1)
    return float(f"{np.ceil(abs(value) / unit) * unit:.{DIGITS}g}")
