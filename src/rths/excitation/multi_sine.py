"""Several sines at once: a periodic load, or a whole band in one run.

    e(t) = sum_i A_i sin(2 pi f_i t + phi_i)                                                  (1)

Frequencies that are whole multiples of 1/T give a signal of period T without leakage.

Use it where the response at a few known frequencies is wanted together.

[wu2013] eq. (12), three tones.
"""

from __future__ import annotations

from math import cos, pi, sin

import numpy as np

from rths.errors import InputError
from rths.excitation.base import Excitation, describe, register
from rths.loop.block import Block, Vector, kernel
from rths.loop.fields import fields, many
from rths.quantity import RealVector
from rths.site import Site

P = fields(interval="time from call to call, s", sines=many("SINE of each"))
SINE = fields(amplitude="A", speed="2 pi f, rad/s", phase="phi, rad")


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # x = calls so far
    t = x[0] * p[P.interval]
    x[0] += 1.0
    e, slope = 0.0, 0.0
    for i in range(P.sines, p.size, len(SINE)):
        A, w = p[i + SINE.amplitude], p[i + SINE.speed]
        angle = w * t + p[i + SINE.phase]
        e += A * sin(angle)  # (1)
        slope += A * w * cos(angle)
    y[0] = e
    if y.size == 2:
        y[1] = slope


@register
@describe
class MultiSine(Excitation):
    """A sum of sines with their own amplitudes, frequencies and phases."""

    cites = ("wu2013",)
    example = {"amplitudes": [1.0, 0.5], "frequencies": [2.0, 7.0]}

    amplitudes: RealVector
    """Amplitudes A_i, in m/s², N or m, as the signal acts."""
    frequencies: RealVector
    """Frequencies f_i, Hz, as many as amplitudes."""
    phases: RealVector = (0.0,)
    """Phases phi_i at t = 0, rad; as many as amplitudes, or one for all."""

    def __post_init__(self) -> None:
        """Check that the lists fit one another."""
        n = len(self.amplitudes)
        if len(self.frequencies) != n or min(self.frequencies) <= 0:
            raise InputError(
                "excitation.frequencies",
                self.frequencies,
                f"is not {n} frequencies above 0",
                "Give one frequency in Hz for each amplitude.",
            )
        if len(self.phases) not in (1, n):
            raise InputError(
                "excitation.phases",
                self.phases,
                f"has {len(self.phases)} entries for {n} sine(s)",
                f"Give one phase, or {n}.",
            )

    def block(self, site: Site) -> Block:
        """Yield the block of (1)."""
        phases = np.broadcast_to(self.phases, (len(self.amplitudes),))
        w = 2 * pi * np.array(self.frequencies)
        sines = np.column_stack([self.amplitudes, w, phases])
        params = P.pack(interval=site.interval, sines=sines)
        return Block(step, params, states=1, outputs=self.outputs, counters=(0,))
