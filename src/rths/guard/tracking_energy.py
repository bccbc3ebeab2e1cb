"""Energy that the tracking error puts into the structure: a warning that comes before the limits.

    P_k = (f_k + f_(k-1))/2 · (Δx_m - Δx_t)                                                    (1)
    E_k = (1 - T/w) E_(k-1) + P_k                                                             (2)

An actuator that lags feeds energy into the structure; a loop becomes unstable when this is more
than its damping takes away, and long before the amplitudes are large. E of (2) is what came in over
about the last w seconds, J; without a window it is the whole. A spring k at amplitude X and lag φ
takes in π k X² sin φ a cycle. Use it with a window of a few cycles; ``rths guards`` suggests window
and level.
"""

from __future__ import annotations

from typing import Any, ClassVar

from rths.guard._rehearsal import NEVER, Rehearsal, Suggestion, round_up
from rths.guard.base import BOUNDS, Guard, describe, judge, register
from rths.loop.block import Block, Vector, kernel
from rths.loop.fields import fields
from rths.quantity import Duration
from rths.site import Site

CYCLES = 2.0
"""Window in periods of the motion: what goes to and fro within one cancels out."""
MARGIN = 3.0
"""Level over what the rehearsal shows: energy goes with the square, a motion 1.7 times larger. One
of 218 tests by chance that were in good order came to twice."""
LATER = 0.15
"""Share of the delay by which a rig may be slower than its model and still be in good order."""
P = fields(**BOUNDS.meaning, keep="1 - T/w")
X = fields(
    energy="E, J",
    force="f of the sample before, N",
    measured="x_m of the sample before, m",
    target="x_t of the sample before, m",
    begun="whether there was one",
)


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # u = f, x_m, x_t
    if x[X.begun] != 0.0:
        way = (u[1] - x[X.measured]) - (u[2] - x[X.target])
        power = 0.5 * (u[0] + x[X.force]) * way  # (1)
        x[X.energy] = p[P.keep] * x[X.energy] + power  # (2)
    x[X.force], x[X.measured], x[X.target], x[X.begun] = u[0], u[1], u[2], 1.0
    judge(x[X.energy], p, y)


@register
@describe
class TrackingEnergy(Guard):
    """Bound on the energy put in by tracking errors; energy taken out does not count."""

    example = {"warn": 1e-07, "trip": 1.0, "window": 1.0}

    one_sided: ClassVar[bool] = True

    signal: str = "feedback.force"
    """The measured force."""
    measured: str = "feedback.displacement"
    """The measured displacement."""
    target: str = "integrator.target"
    """The displacement that the structure takes for granted."""
    window: Duration | None = None
    """Time w over which energy is counted, s; the whole test if not given."""

    @property
    def watches(self) -> tuple[str, ...]:
        """Name force, measured displacement and target."""
        return (self.signal, self.measured, self.target)

    @classmethod
    def suggest(cls, seen: Rehearsal) -> tuple[Suggestion, ...]:
        """Allow three times the energy of the rehearsal, or of one on a slightly slower rig."""
        given: dict[str, Any] = {"window": round_up(CYCLES * seen.period)}
        guard, later = cls(warn=NEVER, **given), max(seen.tick, LATER * seen.lag)
        usual, slower = seen.furthest(guard), seen.furthest(guard, later)
        level = MARGIN * max(usual, slower)
        if not level > 0.0:
            return ()
        reason = f"{usual:.3g} J in the rehearsal, {slower:.3g} J on a rig {later:.2g} s slower"
        return (seen.suggestion(cls, given, level, f"{MARGIN:g} times the larger of {reason}"),)

    def block(self, site: Site) -> Block:
        """Yield the block of (1) and (2)."""
        keep = 1.0 if self.window is None else max(0.0, 1.0 - site.interval / self.window)
        return Block(step, P.pack(**self.bounds, keep=keep), len(X), outputs=2, counters=[X.begun])
