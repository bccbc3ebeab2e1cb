"""Why a run ended: which signal, which value, which limit, which tick."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

Reason = Literal[
    "completed",
    "limit",
    "not finite",
    "block",
    "exception",
    "interrupted",
    "record",
    "slips",
    "heartbeat",
    "killed",
    "trip",
]


@dataclass(frozen=True)
class Stop:
    """The end of a run, in words and in numbers."""

    reason: Reason
    tick: int
    """First tick that is not in the record."""
    time: float
    """Time of that tick, s."""
    message: str
    signal: str | None = None
    value: float | None = None
    limit: tuple[float, float] | None = None
    block: str | None = None
    code: int | None = None
    guard: str | None = None
    """Name of the guard that tripped."""
    tripped: int | None = None
    """Tick of the trip: from there the command was led to the safe position."""

    @property
    def completed(self) -> bool:
        """Tell whether the run came to its planned end."""
        return self.reason == "completed"

    def as_dict(self) -> dict[str, Any]:
        """Give all fields by name, for a record or a summary."""
        return asdict(self)

    def __str__(self) -> str:
        return self.message
