"""Optimal feedback: the force measured where the specimen came closest to the target.

    f(t) = f_m(s*),   s* = argmin |x_m(s) - x(t)|,   s in [t - T, t]                            (1)
    J = number of s with x_m(s) = x(t)                                                        (2)

An over-compensated specimen has passed the target already: the force belonging to the target is in
the record of the last T. J = 1 is the rule, the force is then exact. With J = 2, around a peak, the
solution is taken at which the specimen moves the way the target moves; with J = 0 the specimen has
not got there and only the closest point is left. For a rate-dependent specimen velocities take
the place of displacements, and accelerations decide between two solutions.

Displacement and force run straight between samples; ``sampled`` takes the nearest sample as it is.

Use it with the compensator ``upper_bound_delay``, T about twice the largest over-compensation.

[wu2013] section 3 and Figs 4, 5.
"""

from __future__ import annotations

from typing import Literal

from rths.feedback.base import Feedback, describe, register
from rths.loop.block import Block, Ring, Vector, kernel, ring_size
from rths.loop.fields import fields, many
from rths.loop.port import Port
from rths.quantity import Duration
from rths.site import Site


def residual(x: Vector, k: int, rate: float, goal: float) -> float:
    """Give what sample k misses of the goal; with a rate its velocity, else its displacement."""
    mask = x.size - 1
    if rate > 0.0:
        return float((x[k & mask] - x[(k - 1) & mask]) * rate - goal)
    return float(x[k & mask] - goal)


P = fields(
    samples="samples in T",
    sampled="whether only samples count",
    rate="1/h if velocities are compared, else 0",
)
X = fields(
    newest="newest place in both rings",
    begun="whether there was a sample",
    rings=many("displacements, then forces"),
)


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # u = force, displacement, target, its velocity, acceleration;   y = f, J, x_m(s*)
    size = (x.size - X.rings) // 2
    moved, force = x[X.rings : X.rings + size], x[X.rings + size :]
    n, rate, sampled, mask = int(p[P.samples]), p[P.rate], p[P.sampled] != 0.0, size - 1
    if x[X.begun] == 0.0:  # the specimen has stood there before
        for j in range(size):
            moved[j] = u[1]
            force[j] = u[0]
        x[X.begun] = 1.0
    k = (int(x[X.newest]) + 1) & mask
    x[X.newest] = k
    moved[k] = u[1]
    force[k] = u[0]
    goal, way = (u[3], u[4]) if rate > 0.0 else (u[2], u[3])
    new = residual(moved, k, rate, goal)
    solutions, best, share, right = 0, 0, 0.0, False
    closest, least = 0, abs(new)
    if new == 0.0:
        solutions, right = 1, True
    for j in range(1, n + 1):
        old = residual(moved, k - j, rate, goal)
        if abs(old) < least:
            closest, least = j, abs(old)
        if new * old < 0.0 or (old == 0.0 and new != 0.0):  # (2), a common end counts once
            solutions += 1
            fits = (new - old) * way > 0.0
            if solutions == 1 or (fits and not right):
                best, share, right = j, old / (old - new), fits  # share of the newer end
        new = old
    if solutions == 0 or (sampled and solutions == 1):
        best, share = closest, 0.0
    elif sampled:
        best, share = (best - 1 if share > 0.5 else best), 0.0
    a, b = (k - best) & mask, (k - best + 1) & mask
    y[0] = force[a] + share * (force[b] - force[a])  # (1)
    y[1] = float(solutions)
    y[2] = moved[a] + share * (moved[b] - moved[a])


@register
@describe
class Optimal(Feedback):
    """Takes the force from the recent past, where it belongs to the target."""

    cites = ("wu2013",)
    example = {"window": 0.006}
    inputs = (
        "specimen.force",
        "transfer.displacement",
        "integrator.target",
        "integrator.next_velocity",
        "integrator.acceleration",
    )
    ports = (Port("solutions"), Port("matched_displacement", "m"))

    window: Duration
    """Length T of the search, s, rounded to whole ticks."""
    search: Literal["continuous", "sampled"] = "continuous"
    """Whether between samples a straight line is taken, or the nearest sample."""
    closest: Literal["displacement", "velocity"] = "displacement"
    """What is compared; velocity for a specimen that depends on it alone."""

    def block(self, site: Site) -> Block:
        """Yield the block of (1), with a specimen that has stood still before."""
        n = max(1, round(self.window / site.tick))
        size = ring_size(n + 2)
        rate = 1 / site.tick if self.closest == "velocity" else 0.0
        rings = [Ring(X.rings + i * size, size, X.newest) for i in range(2)]
        params = P.pack(samples=n, sampled=self.search == "sampled", rate=rate)
        states = X.rings + 2 * size
        return Block(step, params, states, outputs=3, rings=rings, counters=[X.begun])
