"""When a sweep has seen enough.

    seconds       so long, whatever is done                                                    (1)
    lost          so many runs that did not come to their end                                  (2)
    precision     half the 95 % interval of the mean of an outcome, over that mean             (3)

(2) and (3) are asked of the runs in their order, batch by batch, as if they had come in it: the
last run that counts is the same on one core and on a thousand machines. (1) is not; it only ends
the work, and the same command goes on with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf, sqrt
from typing import Any

from rths.errors import InputError, suggest

NORMAL_95 = 1.959963984540054
"""Quantile of 97.5 % of the normal distribution."""
FEWEST = 30
"""Runs before a mean has an interval."""
TAKES = ("seconds", "lost", "precision", "of")


@dataclass(frozen=True)
class Stopping:
    """The rules of a study; what is None has none."""

    seconds: float | None = None
    lost: int | None = None
    precision: float | None = None
    of: str | None = None
    """Outcome whose mean is looked at."""


@dataclass
class Tally:
    """What the rules look at, summed up in the order of the runs."""

    rules: Stopping
    lost: int = 0
    count: int = 0
    mean: float = 0.0
    square: float = 0.0

    def add(self, batch: Mapping[str, Any]) -> None:
        """Count the runs of the next batch (Welford's sums)."""
        self.lost += sum(end != "completed" for end in batch["end"])
        for value in batch[self.rules.of] if self.rules.of else ():
            if value == value and abs(value) != inf:
                self.count += 1
                step = value - self.mean
                self.mean += step / self.count
                self.square += step * (value - self.mean)

    @property
    def is_enough(self) -> bool:
        """Tell whether a rule is fulfilled."""
        rules = self.rules
        if rules.lost is not None and self.lost >= rules.lost:
            return True
        if rules.precision is None or self.count < FEWEST:
            return False
        half = NORMAL_95 * sqrt(self.square / (self.count - 1) / self.count)
        return half <= rules.precision * abs(self.mean)


def read_stopping(given: Any) -> Stopping:
    """Read the table [stop] of a study."""
    if not isinstance(given, Mapping):
        raise InputError("stop", given, "is not a table", "Write [stop].")
    for name, value in given.items():
        if name not in TAKES:
            remedy = f"{suggest(name, TAKES)}Rules: {', '.join(TAKES)}."
            raise InputError(f"stop.{name}", value, "is not known", remedy)
        if name == "of" and not isinstance(value, str):
            remedy = 'Name an outcome: of = "peak.feedback.force".'
            raise InputError("stop.of", value, "is no name", remedy)
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if name != "of" and not (number and 0 < value < inf):
            raise InputError(f"stop.{name}", value, "is no rule", "Give a number above 0.")
    if ("precision" in given) != ("of" in given):
        remedy = 'Give both: precision = 0.01, of = "peak.feedback.force".'
        raise InputError("stop.precision", given.get("precision"), "needs an outcome", remedy)
    if "lost" in given and given["lost"] != int(given["lost"]):
        raise InputError("stop.lost", given["lost"], "is no number of runs", "Give 1 or more.")
    return Stopping(**given)
