"""Chatter: how fast a signal moves by that part of it that lies above the motion that is wanted.

    b = high-pass of s, fourth order, 3 dB down at f_l                                         (1)
    m' = (((b_k - b_(k-1))/T)² - m)/w,   value = sqrt(m)                                      (2)

The value is a root mean square over about the last w seconds, in units of s a second: of a
displacement, m/s. It begins at rest, whatever s is at first, and has no past to fill. Chatter above
f_l whose velocity has the amplitude V and grows like exp(σt) gives

    value = V / sqrt(2 (1 + 2σw))                                                              (3)

so that a level of a tenth of the limit on the velocity trips long before that limit. The window
tells chatter from a swing that is over in a few hundredths of a second. Use it on the
command, with f_l above the motion that is wanted; ``rths guards`` suggests both.
"""

from __future__ import annotations

from math import cos, exp, pi, sin, sqrt
from typing import Any, ClassVar

import numpy as np

from rths.errors import InputError
from rths.guard._rehearsal import NEVER, Rehearsal, Suggestion
from rths.guard.base import BOUNDS, Guard, describe, judge, register
from rths.loop.block import Block, Vector, kernel
from rths.loop.fields import fields
from rths.quantity import Duration, Hertz
from rths.site import Site

QUALITIES = (0.5411961001461969, 1.3065629648763766)
"""1/(2 cos(π/8)) and 1/(2 cos(3π/8)): two sections of second order make a Butterworth filter."""
MARGIN = 4.0
"""Level over what the rehearsal shows: chatter doubles in a moment. Noise of another seed never
triples its root mean square over a window of fifty samples; on a rig whose delay is 7 % off an
adaptive compensator does (3.01 times in one of 216 healthy ones)."""
SHARE = 0.15
"""Least level as a share of the velocity that is allowed, at the most three times the rehearsed
one: by (3) a trip at 0.2 of it, at 0.4 of it if the chatter grows with 5 1/s. What was not
rehearsed stays below: noise of a sensor, and an adaptive law that swings for a moment on a rig that
is a little off (0.13 in one of 393 healthy ones, over a window of 0.3 s)."""
USELESS = 0.35
"""Level over the velocity that the motion leaves from which on the limit is as good: by (3) chatter
that grows with 5 1/s is then at 0.99 of it."""
EDGES = (20.0, 60.0)
"""Hz: the motion of a structure ends, and chatter of servo valves and light modes begins at about
100 Hz."""
HIGHEST_SHARE = 0.2
"""Highest edge as a share of the rate of samples: something must be left above it."""
WANTED = 0.999
"""Share of the square of the velocity that is the motion that is wanted."""
P = fields(
    **BOUNDS.meaning,
    g1="gain of the first section g (1 - z^-1)²/(1 + a z^-1 + b z^-2)",
    a1="a of the first section",
    b1="b of the first section",
    g2="gain of the second section",
    a2="a of the second section",
    b2="b of the second section",
    interval="T, s",
    of_now="share of a sample in m",
)
X = fields(
    last="s_k-1",
    before="s_k-2",
    middle="first section at k-1",
    middle_before="first section at k-2",
    band="b_k-1",
    band_before="b_k-2",
    square="m",
    begun="whether there was a sample",
)


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    if x[X.begun] == 0.0:
        x[X.last], x[X.before], x[X.begun] = u[0], u[0], 1.0
    c = p[P.g1] * (u[0] - 2.0 * x[X.last] + x[X.before])
    c -= p[P.a1] * x[X.middle] + p[P.b1] * x[X.middle_before]
    b = p[P.g2] * (c - 2.0 * x[X.middle] + x[X.middle_before])
    b -= p[P.a2] * x[X.band] + p[P.b2] * x[X.band_before]  # (1)
    v = (b - x[X.band]) / p[P.interval]
    x[X.before], x[X.last] = x[X.last], u[0]
    x[X.middle_before], x[X.middle] = x[X.middle], c
    x[X.band_before], x[X.band] = x[X.band], b
    x[X.square] += p[P.of_now] * (v * v - x[X.square])  # (2)
    judge(sqrt(x[X.square]), p, y)


@register
@describe
class HighFrequency(Guard):
    """Bound on the velocity of what lies above a frequency."""

    example = {"signal": "compensator.command", "lowest": 30.0, "warn": 1e-05}

    one_sided: ClassVar[bool] = True
    unsuggested: ClassVar[str] = (
        "the rehearsed command leaves no room below its velocity limit, which alone stops chatter"
    )

    signal: str
    """The signal to listen to."""
    lowest: Hertz
    """Frequency f_l from which on it listens, Hz."""
    window: Duration = 0.3
    """Time w over which the mean is taken, s."""

    @property
    def watches(self) -> tuple[str, ...]:
        """Name the signal."""
        return (self.signal,)

    @classmethod
    def suggest(cls, seen: Rehearsal) -> tuple[Suggestion, ...]:
        """Listen to the command above the rehearsed motion, at four times what is there."""
        edge = max(2.0 * _edge_of_motion(seen), EDGES[0])
        edge = min(edge, EDGES[1], HIGHEST_SHARE / seen.tick)
        given: dict[str, Any] = {"signal": "compensator.command", "lowest": float(f"{edge:.2g}")}
        usual = seen.furthest(cls(warn=NEVER, **given))
        speed = seen.largest_velocity
        highest = USELESS * seen.room
        level = max(MARGIN * usual, min(SHARE * speed, highest))
        if level > highest:
            return ()
        reason = f"{usual:.3g} m/s in the rehearsal, and {speed:.3g} m/s is too fast for a command"
        return (seen.suggestion(cls, given, level, reason),)

    def block(self, site: Site) -> Block:
        """Yield the block of (1) and (2)."""
        T = site.interval
        if 2 * self.lowest * T >= 1:
            problem = f"is beyond half of {1 / T:g} samples a second"
            raise InputError("guard.lowest", self.lowest, problem, "Lower it.")
        sections = [_high_pass(2 * pi * self.lowest * T, q) for q in QUALITIES]
        (g1, a1, b1), (g2, a2, b2) = sections
        params = P.pack(
            **self.bounds, g1=g1, a1=a1, b1=b1, g2=g2, a2=a2, b2=b2,
            interval=T, of_now=1 - exp(-T / self.window),
        )  # fmt: skip
        return Block(step, params, len(X), outputs=2, counters=[X.begun])


def _high_pass(angle: float, quality: float) -> tuple[float, float, float]:
    """Give g, a, b of a section by the bilinear transform with its edge kept in place."""
    alpha = sin(angle) / (2 * quality)
    gain = 0.5 * (1 + cos(angle)) / (1 + alpha)
    return gain, -2 * cos(angle) / (1 + alpha), (1 - alpha) / (1 + alpha)


def _edge_of_motion(seen: Rehearsal) -> float:
    """Give the frequency, Hz, below which nearly all of the target's velocity lies."""
    highest = 1.0
    for row in seen.columns("integrator.target"):
        power = np.abs(np.fft.rfft(np.diff(row) * np.hanning(len(row) - 1))) ** 2
        total = np.cumsum(power)
        if total[-1] > 0:
            at = int(np.searchsorted(total, WANTED * total[-1]))
            highest = max(highest, at / ((len(row) - 1) * seen.tick))
    return highest
