"""How well a compensator does on a rig, and what many rigs say together.

    ε = rms(x - x_ref)/rms(x_ref)                                                             (1)

x is the displacement at the interface, x_ref that of the emulated structure. A run is lost if it is
ended by its limit or ε is above one: the test then says nothing about the structure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf

import numpy as np

from benchmarks.rigs.rig import Rig, run
from benchmarks.rigs.settings import tell

LOST = 1.0
"""Error (1) above which a run counts as lost."""
FACTOR = 2.0
"""How much smaller another's error must be to beat a compensator clearly."""


def score(kind: str, rig: Rig) -> float:
    """Give the error (1) of a compensator on a rig; infinite if the run is lost."""
    moved, completed = run(rig.fit(tell(kind, rig)))
    if not completed:
        return inf
    size = np.mean(rig.reference**2)
    error = float(np.sqrt(np.mean((moved - rig.reference) ** 2) / size))
    return error if error <= LOST else inf


@dataclass(frozen=True)
class Standing:
    """What a compensator shows over many rigs."""

    kind: str
    lost: int
    median: float
    """Median error, lost runs counted as infinite."""
    upper: float
    """Error that nine of ten rigs do not exceed."""


def standings(errors: Mapping[str, Sequence[float]]) -> list[Standing]:
    """Rank compensators: lost runs first, then the median error."""
    rows = []
    for kind, found in errors.items():
        e = np.asarray(found, float)
        middle, upper = np.quantile(e, [0.5, 0.9], method="lower")
        rows.append(Standing(kind, int(np.isinf(e).sum()), float(middle), float(upper)))
    return sorted(rows, key=lambda row: (row.lost, row.median))


def beaten(errors: Mapping[str, Sequence[float]], kind: str, other: str) -> float:
    """Give the share of rigs in which another has less than half the error of a compensator."""
    own, theirs = np.asarray(errors[kind], float), np.asarray(errors[other], float)
    return float(np.mean(own > FACTOR * theirs))


def table_text(errors: Mapping[str, Sequence[float]]) -> str:
    """Tell the standings as a table; the last column is who beats the kind most often."""
    lines = [f"{'':30s} lost  median, %  nine of ten, %  beaten clearly by"]
    for row in standings(errors):
        others = [(beaten(errors, row.kind, other), other) for other in errors if other != row.kind]
        share, who = max(others, default=(0.0, "nobody"))
        lines.append(
            f"{row.kind:30s} {row.lost:4d}  {100 * row.median:9.3g}  {100 * row.upper:14.3g}  "
            f"{who} in {100 * share:.1f} %"
        )
    return "\n".join(lines)
