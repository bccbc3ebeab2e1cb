"""A sine: the steady test of a rig.

e(t) = A sin(2 pi f t + phi),   e'(t) = 2 pi f A cos(2 pi f t + phi)                          (1)
"""

from __future__ import annotations

from math import cos, pi, sin

from rths.excitation.base import Excitation, describe, register
from rths.loop.block import Block, Vector, kernel
from rths.loop.site import Site
from rths.quantity import Amplitude, Hertz, Radians


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # p = A, 2 pi f, phi, interval;   x = calls so far
    w = p[1]
    angle = w * (x[0] * p[3]) + p[2]
    y[0] = p[0] * sin(angle)  # (1)
    if y.size == 2:
        y[1] = p[0] * w * cos(angle)
    x[0] += 1.0


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
        params = [self.amplitude, 2 * pi * self.frequency, self.phase, site.interval]
        return Block(step, params, states=1, outputs=self.outputs, counters=(0,))
