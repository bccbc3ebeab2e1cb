"""A low-pass filter in second-order sections: Butterworth or elliptic.

    v_j = b_0 u_j + s_1,   s_1 = b_1 u_j - a_1 v_j + s_2,   s_2 = b_2 u_j - a_2 v_j              (1)
    G(ω) = - d arg H/dω = h Σ Re[N(b) - N(a)],   N(c) = Σ k c_k z^-k / Σ c_k z^-k                (2)

Each section takes the output of the one before. The group delay (2), at low frequency 2.61/(2π f)
for four poles of Butterworth, is a delay of the loop like that of the actuator: ``group_delay``
gives it, the compensator must add it. Made from the analogue filter by the bilinear transform, with
the edge of the pass band kept in its place.

Use as high an edge as the noise allows, and the lowest order: elliptic filters are steeper, but
their delay varies more within the pass band.

[oppenheim2010]; [wu2013] section 5.1 (elliptic, 20/30 Hz).
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from rths.errors import InputError
from rths.feedback.base import Feedback, describe, register
from rths.loop.block import Block, Vector, kernel
from rths.loop.fields import fields
from rths.quantity import Count, Hertz, Range
from rths.site import Site

Decibels = Annotated[float, Range("dB", "a ratio", low=0, open_low=True)]
P = fields(b_0="b_0", b_1="b_1", b_2="b_2", a_1="a_1", a_2="a_2")
"""Parameters of one section; those of the next follow."""
X = fields(s_1="s_1", s_2="s_2")
"""States of one section."""


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    v = u[0]
    for i in range(x.size // len(X)):
        w, own, s = v, len(P) * i, len(X) * i
        v = p[own + P.b_0] * w + x[s + X.s_1]  # (1)
        x[s + X.s_1] = p[own + P.b_1] * w - p[own + P.a_1] * v + x[s + X.s_2]
        x[s + X.s_2] = p[own + P.b_2] * w - p[own + P.a_2] * v
    y[0] = v


@register
@describe
class Filter(Feedback):
    """Anti-noise filter of the force, and of the displacement if it has the same."""

    cites = ("oppenheim2010", "wu2013")
    example = {"edge": 60.0, "order": 4}

    family: Literal["butterworth", "elliptic"] = "butterworth"
    """Monotonic, or with ripples of equal height and the steepest fall."""
    edge: Hertz
    """Edge of the pass band, Hz: -3 dB of a Butterworth of given order, otherwise -ripple."""
    order: Count | None = None
    """Number of poles; this or ``stop``."""
    stop: Hertz | None = None
    """Frequency from which on ``attenuation`` is reached, Hz; the order follows from it."""
    ripple: Decibels = 0.5
    """Largest loss in the pass band, dB (elliptic, or if the order follows from ``stop``)."""
    attenuation: Decibels = 40.0
    """Least loss in the stop band, dB (elliptic, or if the order follows from ``stop``)."""
    displacement: bool = False
    """Whether the measured displacement passes the same filter."""

    def __post_init__(self) -> None:
        """Check that the order is given once."""
        if (self.order is None) == (self.stop is None):
            problem = "is given beside stop" if self.stop else "and stop are both missing"
            raise InputError("feedback.order", self.order, problem, "Give one of the two.")
        if self.stop is not None and self.stop <= self.edge:
            raise InputError(
                "feedback.stop", self.stop, "is not above the edge", "The filter is a low-pass."
            )

    def sections(self, interval: float) -> Vector:
        """Design b_0, b_1, b_2, 1, a_1, a_2 of each section for a sampling interval, s."""
        from scipy import signal

        rate, highest = 1 / interval, max(self.edge, self.stop or 0.0)
        if highest >= rate / 2:
            raise InputError(
                "feedback.edge" if highest == self.edge else "feedback.stop",
                highest,
                f"is not below half the rate of {rate:g} Hz",
                "Lower it or shorten the tick.",
            )
        n: Any = self.order
        edge, losses = self.edge, (self.ripple, self.attenuation)
        if self.family == "elliptic":
            if self.stop is not None:
                n, edge = signal.ellipord(self.edge, self.stop, *losses, fs=rate)
            made = signal.ellip(n, *losses, edge, output="sos", fs=rate)
        else:
            if self.stop is not None:
                n, edge = signal.buttord(self.edge, self.stop, *losses, fs=rate)
            made = signal.butter(n, edge, output="sos", fs=rate)
        return np.asarray(made, float)

    def group_delay(self, frequency: ArrayLike, interval: float) -> Vector:
        """Give the delay (2) in s at some frequencies, Hz, for a sampling interval, s."""
        f = np.asarray(frequency, float)
        back = np.exp(-2j * np.pi * f[..., None] * interval) ** np.arange(3)
        G = np.zeros(f.shape)
        for section in self.sections(interval):
            for c, sign in ((section[:3], 1.0), (section[3:], -1.0)):
                G += sign * np.real(back @ (c * np.arange(3)) / (back @ c))  # (2)
        return G * interval

    def displacement_block(self, site: Site) -> Block | None:
        """Yield the block of (1) for the displacement, settled where the actuator stands."""
        return self._block(site, site.displacement) if self.displacement else None

    def block(self, site: Site) -> Block:
        """Yield the block of (1), at rest."""
        return self._block(site, 0.0)

    def _block(self, site: Site, level: float) -> Block:
        states = []
        sections = self.sections(site.interval)
        for b in sections:
            out = level * b[:3].sum() / b[3:].sum()
            s_2 = b[2] * level - b[5] * out
            states += [b[1] * level - b[4] * out + s_2, s_2]
            level = out
        return Block(step, sections[:, [0, 1, 2, 4, 5]], states)
