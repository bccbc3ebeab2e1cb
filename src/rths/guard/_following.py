"""What guards on a displacement that follows its command have: which signals they look at.

    u = x_m, c, replies missed in a row                                                       (1)

A link holds the last answer while replies are missed: what is held tells nothing of the rig.
"""

from __future__ import annotations

from rths.guard._rehearsal import NEVER, Rehearsal, Suggestion
from rths.guard.base import Guard, describe


@describe
class Following(Guard):
    """Base of guards on (1)."""

    signal: str = "feedback.displacement"
    """The measured displacement."""
    target: str = "safety.command"
    """The command that it should follow."""
    missed: str = "hardware.missed"
    """The signal that counts missed replies."""

    @property
    def watches(self) -> tuple[str, ...]:
        """Name displacement, command and missed replies."""
        return (self.signal, self.target, self.missed)


def suggest_share(
    kind: type[Following],
    seen: Rehearsal,
    given: dict[str, float],
    margin: float,
    least: float,
) -> tuple[Suggestion, ...]:
    """Allow some times the value of the rehearsal, and a share of its largest motion at least."""
    usual = seen.furthest(kind(warn=NEVER, **given))  # type: ignore[arg-type]  # fields of the kind
    level = max(margin * usual, least * seen.peak)
    reason = f"{usual:.3g} m in the rehearsal, whose largest motion is {seen.peak:.3g} m"
    return (seen.suggestion(kind, given, level, reason),)
