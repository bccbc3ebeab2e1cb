"""A record as a report shows it: its label, its channels, its test and its stability limit."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rths.assembly.hybrid_test import HybridTest
from rths.config.attachments import rebuild_test
from rths.errors import InputError
from rths.records.record import Record
from rths.report.shown_signals import TARGET

Array = NDArray[np.float64]


def name_in_words(signal: str | None) -> str:
    """Name a signal without the dots of the program."""
    role, _, what = str(signal).partition(".")
    return what.replace("_", " ") if role in ("compensator", "safety") else f"{what} of the {role}"


LONGEST_CRITICAL_DELAY = 0.1
"""Longest critical delay that is looked for, s."""
LARGEST = 60
"""Degrees of freedom of a structure with histories, such as a frame, up to which it is looked for:
of hundred and more a report would wait for minutes."""


@dataclass(frozen=True, eq=False)
class ShownRun:
    """One record of a report."""

    label: str
    record: Record
    reference: Record | None = None
    """The emulated structure, which the test should reproduce."""

    @cached_property
    def errors(self) -> list[dict[str, Any]]:
        """Error of each channel against the emulated structure; none if it was not run."""
        from rths.report.emulated import emulated_errors

        return [] if self.reference is None else emulated_errors(self.record, self.reference)

    @property
    def channels(self) -> int:
        """Number of actuators."""
        return int(self.record[TARGET].shape[1]) if TARGET in self.record else 0

    @property
    def verdict(self) -> str:
        """How it ended, in a few words."""
        stop = self.record.stop
        if stop.completed:
            return "ran to its planned end"
        if stop.reason == "limit" and stop.limit is not None:
            return f"stopped at {stop.time:.3g} s: the {name_in_words(stop.signal)} left its limits"
        return str(stop)

    def has(self, *names: str) -> bool:
        """Tell whether all of these signals were recorded, every tick, and more than two rows."""
        long = len(self.record.rows) > 2
        return long and all(n in self.record and self.record.channel(n).every == 1 for n in names)

    def signal(self, name: str, channel: int = 0) -> Array:
        """Give one channel of a signal."""
        return np.ascontiguousarray(self.record[name][:, channel])

    @cached_property
    def test(self) -> HybridTest | None:
        """The test of the record's plan; None if it cannot be built here."""
        try:
            with TemporaryDirectory(prefix="rths_") as folder:
                return rebuild_test(self.record.plan, self.record.files, Path(folder))
        except (InputError, ImportError, ValueError):
            return None

    @cached_property
    def critical_delay(self) -> float | None:
        """Delay at which the loop with an ideal actuator is lost, s.

        None if it is not lost up to 0.1 s, if the loop has no linear range around rest, or if its
        structure is a large frame.
        """
        if self.test is None or _is_large(self.test):
            return None
        from rths.stability.loop_change import ChangedLoop
        from rths.stability.margin import first_loss

        try:
            loop = ChangedLoop(self.test.reference_test(), longest=LONGEST_CRITICAL_DELAY)
            if not loop.linearise().differentiable:
                return None
            found = first_loss(lambda delay: loop.roots(delay), 0.0, LONGEST_CRITICAL_DELAY)
        except (InputError, np.linalg.LinAlgError):
            return None
        return found[0] if found else None


def _is_large(test: HybridTest) -> bool:
    """Tell whether a structure with histories has too many degrees of freedom to be searched."""
    return test.equation.restoring is not None and test.equation.size > LARGEST
