"""What the guards of a test said: who warned or tripped, when first, how often and how far."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rths.loop.channel_name import name_channel

ROLE, LEVEL, VALUE = "guard", "_level", "_value"
"""Role of the two signals of a guard, and how they end: the wiring names them so."""


@dataclass(frozen=True)
class GuardWarning:
    """A guard that left its bounds."""

    guard: str
    first: float
    """Time of the first sample, s."""
    samples: int
    tripped: bool
    furthest: float | None
    """Its value of the largest size; None if it is not recorded."""


def guard_warnings(
    record: Mapping[str, NDArray[np.float64]], sampling: Mapping[str, Any]
) -> Iterator[GuardWarning]:
    """Go through the guards of a record; ``sampling`` has start and step of each signal."""
    for name in record:
        role, _, own = name.partition(".")
        if role != ROLE or not own.endswith(LEVEL):
            continue
        guard, levels = own.removesuffix(LEVEL), np.asarray(record[name])
        values = f"{ROLE}.{guard}{VALUE}"
        for c, level in enumerate(levels.T):
            beyond = np.flatnonzero(level > 0)
            if not beyond.size:
                continue
            first = sampling[name].start + int(beyond[0]) * sampling[name].step
            furthest = None
            if values in record:
                there = np.asarray(record[values])[beyond, c]
                furthest = float(there[np.argmax(np.abs(there))])
            one = name_channel(guard, c, levels.shape[1])
            yield GuardWarning(one, first, int(beyond.size), bool(level.max() >= 2), furthest)
