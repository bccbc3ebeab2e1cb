"""Delay of the specimen behind the target, estimated while the test runs.

    e = x_m(t - D) - x(t - D - τ̂),   v = x'(t - D - τ̂)                                         (1)
    P ← P + h/T (v² - P),   τ̂ ← τ̂ - h/T e v / (P + v_0²),   |τ̂| <= D                           (2)

(1) compares the two signals D ago, so that a specimen that leads (τ < 0) can be seen as well; the
target between its samples is a cubic. Near the true delay e = -(τ - τ̂) v, and (2) is

    (τ - τ̂)' = -(τ - τ̂) v²/(P + v_0²)/T + τ'                                                   (3)

a low-pass of time T: a constant delay is met exactly, one that drifts by r s/s is followed at a
distance of r T (and shown D late). Where the target is slower than v_0 nothing is learnt. The first
guess must be right within half a period of the motion.

The force passes unchanged. Use it to watch the delay of an actuator, or to see a compensator drift.

Normalised gradient descent: [widrow1985] chapter 6.
"""

from __future__ import annotations

from typing import Annotated

from rths.errors import InputError
from rths.feedback.base import Feedback, describe, register
from rths.loop.block import Block, Ring, Vector, kernel, ring_size
from rths.loop.fields import fields, many
from rths.loop.port import Port
from rths.quantity import Delay, Duration, PositiveMetresPerSecond, Range
from rths.site import Site

Lag = Annotated[float, Range("s", "a time", remark="negative if the specimen is early")]

P = fields(tick="h, s", share="h/T", quiet="v_0², m²/s²", back="D, ticks by which it looks back")
X = fields(
    newest="newest place in both rings",
    estimate="τ, s",
    power="P, m²/s²",
    begun="whether there was a sample",
    rings=many("displacements, then targets"),
)


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # u = force, displacement, target;   y = force, estimate
    size = (x.size - X.rings) // 2
    moved, target = x[X.rings : X.rings + size], x[X.rings + size :]
    mask, h, share, back = size - 1, p[P.tick], p[P.share], int(p[P.back])
    if x[X.begun] == 0.0:  # both have stood there before
        for j in range(size):
            moved[j] = u[1]
            target[j] = u[2]
        x[X.begun] = 1.0
    k = (int(x[X.newest]) + 1) & mask
    x[X.newest] = k
    moved[k] = u[1]
    target[k] = u[2]
    tau = x[X.estimate]
    late = back + tau / h
    q = int(late)
    r = late - q
    a = target[(k - q + 1) & mask]
    b = target[(k - q) & mask]
    c = target[(k - q - 1) & mask]
    d = target[(k - q - 2) & mask]
    # the cubic through a, b, c, d at r behind b
    c1 = 0.5 * (c - a)
    c2 = a - 2.5 * b + 2.0 * c - 0.5 * d
    c3 = 0.5 * (d - a) + 1.5 * (b - c)
    e = moved[(k - back) & mask] - (b + r * (c1 + r * (c2 + r * c3)))  # (1)
    v = -(c1 + r * (2.0 * c2 + 3.0 * r * c3)) / h
    power = x[X.power]
    power += share * (v * v - power)
    x[X.power] = power
    tau -= share * e * v / (power + p[P.quiet])  # (2)
    reach = back * h
    x[X.estimate] = min(max(tau, -reach), reach)
    y[0] = u[0]
    y[1] = x[X.estimate]


@register
@describe
class DelayEstimate(Feedback):
    """Reports the delay between target and measured displacement; changes nothing."""

    cites = ("widrow1985",)
    example = {}
    inputs = ("specimen.force", "transfer.displacement", "integrator.target")
    ports = (Port("delay", "s"),)

    memory: Duration = 1.0
    """Time T in which the estimate follows a change, s: a period of the motion or more."""
    initial: Lag = 0.0
    """Estimate to start from, s."""
    longest: Delay = 0.1
    """Longest delay or lead D that is looked for, s."""
    quiet_speed: PositiveMetresPerSecond = 1e-4
    """Speed v_0 of the target below which hardly anything is learnt, m/s: that of the noise."""

    def __post_init__(self) -> None:
        """Check that the start lies within the range."""
        if abs(self.initial) > self.longest:
            raise InputError(
                "feedback.initial",
                self.initial,
                f"is outside the longest delay of {self.longest:g} s",
                "Delays are in seconds: raise longest or correct initial.",
            )

    def block(self, site: Site) -> Block:
        """Yield the block of (1) and (2)."""
        h, back = site.tick, max(1, round(self.longest / site.tick))
        size = ring_size(2 * back + 4)
        share = min(1.0, h / self.memory)
        empty = [0.0] * (2 * size)
        return Block(
            step,
            P.pack(tick=h, share=share, quiet=self.quiet_speed**2, back=back),
            X.pack(newest=0, estimate=self.initial, power=0, begun=0, rings=empty),
            outputs=2,
            rings=[Ring(X.rings + i * size, size, X.newest) for i in range(2)],
            counters=[X.begun],
        )
