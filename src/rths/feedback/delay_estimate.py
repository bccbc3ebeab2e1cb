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

from typing import Annotated, ClassVar

from rths.errors import InputError
from rths.feedback.base import Feedback, describe, register
from rths.loop.block import Block, Ring, Vector, kernel, ring_size
from rths.loop.site import Site
from rths.quantity import Delay, Duration, PositiveMetresPerSecond, Range

Lag = Annotated[float, Range("s", "a time", remark="negative if the specimen is early")]


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # p = h, h/T, v_0², D in ticks;   u = force, displacement, target;   y = force, estimate
    # x = rings of displacements and targets, their newest place, estimate, P, whether begun
    size = (x.size - 4) // 2
    mask, h, share, back = size - 1, p[0], p[1], int(p[3])
    if x[2 * size + 3] == 0.0:  # both have stood there before
        for j in range(size):
            x[j] = u[1]
            x[size + j] = u[2]
        x[2 * size + 3] = 1.0
    k = (int(x[2 * size]) + 1) & mask
    x[2 * size] = k
    x[k] = u[1]
    x[size + k] = u[2]
    tau = x[2 * size + 1]
    late = back + tau / h
    q = int(late)
    r = late - q
    a = x[size + ((k - q + 1) & mask)]
    b = x[size + ((k - q) & mask)]
    c = x[size + ((k - q - 1) & mask)]
    d = x[size + ((k - q - 2) & mask)]
    # the cubic through a, b, c, d at r behind b
    c1 = 0.5 * (c - a)
    c2 = a - 2.5 * b + 2.0 * c - 0.5 * d
    c3 = 0.5 * (d - a) + 1.5 * (b - c)
    e = x[(k - back) & mask] - (b + r * (c1 + r * (c2 + r * c3)))  # (1)
    v = -(c1 + r * (2.0 * c2 + 3.0 * r * c3)) / h
    power = x[2 * size + 2]
    power += share * (v * v - power)
    x[2 * size + 2] = power
    tau -= share * e * v / (power + p[2])  # (2)
    reach = back * h
    x[2 * size + 1] = min(max(tau, -reach), reach)
    y[0] = u[0]
    y[1] = x[2 * size + 1]


@register
@describe
class DelayEstimate(Feedback):
    """Reports the delay between target and measured displacement; changes nothing."""

    cites = ("widrow1985",)
    example = {}
    inputs = ("specimen.force", "transfer.displacement", "integrator.target")
    reports: ClassVar[tuple[tuple[str, str], ...]] = (("delay", "s"),)

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
        states = [0.0] * (2 * size) + [0.0, self.initial, 0.0, 0.0]
        return Block(
            step,
            [h, min(1.0, h / self.memory), self.quiet_speed**2, back],
            states,
            outputs=2,
            rings=[Ring(0, size, 2 * size), Ring(size, size, 2 * size)],
            counters=(2 * size + 3,),
        )
