"""What was tried of a test, and what became of it: copies, pushes, the noise alone, other ends."""

from __future__ import annotations

from dataclasses import dataclass
from math import log

from rths.stability.other_ends import Ending
from rths.stability.quiet_end import Release
from rths.stability.quiet_noise import QuietNoise
from rths.stability.shadows import MEMORY, Shadow

CONFIDENCE = 0.95
"""Of the bound that no failure in n trials gives."""


@dataclass(frozen=True)
class Trial:
    """What was tried, and what became of it."""

    motion: float
    """Motion of the test, m, that all shares refer to."""
    matters: float
    """Share of it from which a motion matters."""
    limit: float
    """Share of it up to which was tried."""
    window: float
    """Length of the windows, s."""
    lost: float | None
    """When the test itself is lost, s; None if it comes to its end."""
    shadows: tuple[Shadow, ...] = ()
    releases: tuple[Release, ...] = ()
    noise: QuietNoise | None = None
    excess: str = ""
    """How the rehearsed test goes too far, in words; "" if it does not."""
    lengths: tuple[float, ...] = ()
    """Length of a push of size 1 of each actuator, m."""
    learns: bool = False
    """Whether a law adapts."""
    beyond: Release | None = None
    """A push further than is answered for that does not decay; None if all do."""
    endings: tuple[Ending, ...] = ()
    """Other ends of the test of what learns, and late pushes."""
    followed: float = 0.0
    """How long after the test a loop with its own time was pushed, s; 0 of any other."""
    timed: float = 0.0
    """How long it was watched after pushes that set something counting, s; 0 if none does."""
    remembers: bool = False
    """Whether a block of one's own has states."""
    by_noise: bool = False
    """Whether a test that is lost is not without its noise."""

    @property
    def count(self) -> int:
        """Disturbances that were tried."""
        return len(self.shadows) + sum(r.size > 0 and not r.in_test for r in self.releases)

    @property
    def memory(self) -> float:
        """Time over which deviations must have shrunk, s."""
        return MEMORY * self.window

    @property
    def exponent(self) -> float | None:
        """Largest finite-time exponent, 1/s, of all states moved a little; None if all ended early.

        ln(d/ε)/t over times t of a memory or more: shorter ones take phase for growth.
        """
        small = [s for s in self.shadows if not s.mode and s.until - s.time >= self.memory]
        found = [
            log(s.left * self.motion / s.size) / (s.until - s.time) for s in small if s.left > 0
        ]
        return max(found, default=None)

    @property
    def bound(self) -> float:
        """Share of such disturbances that may still lose the test, if none of those tried did.

        (1 - p)^n = 1 - CONFIDENCE: Clopper and Pearson's bound with no failure in n trials. Those
        in the test and those after it are two samples: n is the smaller of their numbers.
        """
        fewest = min(len(self.shadows), self.count - len(self.shadows))
        return float(1 - (1 - CONFIDENCE) ** (1 / max(1, fewest)))
