"""A sine whose frequency runs from one value to another, up or down, once or there and back.

    e = A r sin Phi(t),   e' = A (r Phi' cos Phi + r' sin Phi),   Phi(t) = 2 pi int_0^t f dt   (1)
    linear:          f = f_0 + (f_1 - f_0) t/T,   Phi = 2 pi (f_0 t + (f_1 - f_0) t²/2T)        (2)
    logarithmic:     f = f_0 (f_1/f_0)^(t/T),     Phi = 2 pi (f - f_0) T/ln(f_1/f_0)            (3)
    there and back:  Phi(t) = 2 Phi(T) - Phi(2T - t),   T < t <= 2T                             (4)

r(t) grows from 0 to 1 and falls back to 0 as a half cosine over the ramp; without one the sweep
breaks off wherever it is. Zero after the end. A linear sweep spends the same time on each hertz, a
logarithmic one on each octave.

Use it to find resonances, the roll-off of an actuator, or a jump that differs up and down.
"""

from __future__ import annotations

from math import cos, exp, log, pi, sin
from typing import Literal

from rths.errors import InputError
from rths.excitation.base import ROUND_OFF, Excitation, describe, register
from rths.loop.block import Block, Vector, kernel
from rths.loop.fields import fields
from rths.quantity import Amplitude, Duration, Hertz, Seconds
from rths.site import Site


def phase(t: float, w: float, b: float, logarithmic: float) -> float:
    """Give Phi of (2), b = 2 pi (f_1 - f_0)/T, or of (3), b = ln(f_1/f_0)/T."""
    if logarithmic == 0.0 or b == 0.0:
        return w * t + 0.5 * b * t * t
    return w * (exp(b * t) - 1.0) / b


def rate(t: float, w: float, b: float, logarithmic: float) -> float:
    """Give Phi'."""
    return w + b * t if logarithmic == 0.0 else w * exp(b * t)


def ramp(t: float, R: float) -> tuple[float, float]:
    """Give r and r' at a time t after the start, or before the end, of a ramp of length R."""
    if t >= R:
        return 1.0, 0.0
    return 0.5 - 0.5 * cos(pi * t / R), 0.5 * pi / R * sin(pi * t / R)


P = fields(
    amplitude="A",
    start="2 pi f_0, rad/s",
    bend="b",
    logarithmic="whether it is logarithmic",
    length="T, s",
    end="time of the end, s",
    ramp="time in which it grows and fades, s",
    interval="time between two calls, s",
)
X = fields(calls="calls so far")


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    t, T = x[X.calls] * p[P.interval], p[P.length]
    w, b, bent = p[P.start], p[P.bend], p[P.logarithmic]
    x[X.calls] += 1.0
    a = p[P.amplitude] if t <= p[P.end] else 0.0
    back = t > T
    s = 2.0 * T - t if back else t
    angle = phase(s, w, b, bent)
    if back:
        angle = 2.0 * phase(T, w, b, bent) - angle  # (4)
    r, slope = ramp(t, p[P.ramp])
    if p[P.end] - t < p[P.ramp]:
        r, slope = ramp(max(p[P.end] - t, 0.0), p[P.ramp])
        slope = -slope
    y[0] = a * r * sin(angle)  # (1)
    if y.size == 2:
        y[1] = a * (r * rate(s, w, b, bent) * cos(angle) + slope * sin(angle))


@register
@describe
class Sweep(Excitation):
    """Constant amplitude, changing frequency."""

    example = {"amplitude": 1.0, "start_frequency": 1.0, "end_frequency": 20.0, "length": 0.2}

    amplitude: Amplitude
    """Amplitude A, in m/s², N or m, as the signal acts."""
    start_frequency: Hertz
    """Frequency f_0 at t = 0, Hz."""
    end_frequency: Hertz
    """Frequency f_1 at t = T, Hz; below the start for a sweep down."""
    length: Duration
    """Time T from one frequency to the other, s."""
    spacing: Literal["linear", "logarithmic"] = "linear"
    """Equal time for each hertz (2), or for each octave (3)."""
    back: bool = False
    """Whether the sweep returns to the start frequency, over another T (4)."""
    ramp: Seconds = 0.0
    """Time in which the sweep grows at the start and fades at the end, s: give one to a command."""

    def __post_init__(self) -> None:
        """Check that it can grow and fade."""
        if 2 * self.ramp > self.length * (2 if self.back else 1):
            problem = f"does not fit twice into {self.length:g} s"
            raise InputError("excitation.ramp", self.ramp, problem, "Shorten the ramp.")

    def block(self, site: Site) -> Block:
        """Yield the block of (1)."""
        f_0, f_1, T = self.start_frequency, self.end_frequency, self.length
        bent = self.spacing == "logarithmic"
        b = log(f_1 / f_0) / T if bent else 2 * pi * (f_1 - f_0) / T
        end = (2 * T if self.back else T) + ROUND_OFF * site.interval
        params = P.pack(
            amplitude=self.amplitude,
            start=2 * pi * f_0,
            bend=b,
            logarithmic=bent,
            length=T,
            end=end,
            ramp=self.ramp,
            interval=site.interval,
        )
        return Block(step, params, X.pack(calls=0), outputs=self.outputs, counters=[X.calls])
