"""A sine: the steady test of a rig.

e(t) = A sin(2 pi f t + phi),   e'(t) = 2 pi f A cos(2 pi f t + phi)                          (1)
"""

from __future__ import annotations

from math import cos, pi, sin

from rths.excitation.base import Excitation, describe, register
from rths.loop.block import Block, Vector, kernel
from rths.loop.fields import fields
from rths.quantity import Amplitude, Hertz, Radians
from rths.site import Site

P = fields(
    amplitude="A", frequency="2 pi f, rad/s", phase="phi, rad", interval="time between calls, s"
)
X = fields(calls="calls so far")


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    w = p[P.frequency]
    angle = w * (x[X.calls] * p[P.interval]) + p[P.phase]
    y[0] = p[P.amplitude] * sin(angle)  # (1)
    if y.size == 2:
        y[1] = p[P.amplitude] * w * cos(angle)
    x[X.calls] += 1.0


@register
@describe
class Sine(Excitation):
    """Constant amplitude and frequency."""

    example = {"amplitude": 1.0, "frequency": 3.0}

    amplitude: Amplitude
    """Amplitude A, in m/s², N or m, as the signal acts."""
    frequency: Hertz
    """Frequency f, Hz."""
    phase: Radians = 0.0
    """Phase phi at t = 0, rad."""

    def block(self, site: Site) -> Block:
        """Yield the block of (1)."""
        params = P.pack(
            amplitude=self.amplitude,
            frequency=2 * pi * self.frequency,
            phase=self.phase,
            interval=site.interval,
        )
        return Block(step, params, X.pack(calls=0), outputs=self.outputs, counters=[X.calls])
