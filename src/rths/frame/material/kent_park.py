"""Kent and Park: concrete in compression, none in tension.

    s = fc (2 η - η²),   η = e/e_c                      as far as e_c                           (1)
    s = fc + (fu - fc)(e - e_c)/(e_u - e_c)             as far as e_u,   s = fu beyond          (2)
    e_end/e_c = 0.145 η² + 0.13 η  for η < 2,  0.707 (η - 2) + 0.834  beyond,   η = e_min/e_c    (3)

Strains and stresses are negative in compression. From the envelope at e_min the law unloads along a
straight line to (e_end, 0), never steeper than the initial tangent 2 fc/e_c, and loads again along
the same line. OpenSees calls it Concrete01.

Use it for concrete, confined or not, whose tension does not matter.

[kent1971]; (3) is from [karsan1969].
"""

from __future__ import annotations

from rths.errors import InputError
from rths.frame.material.base import KENT_PARK, Material, describe
from rths.loop.block import Vector
from rths.loop.fields import fields
from rths.quantity import NonNegative, Positive

P = fields(peak="fc, Pa", at_peak="e_c", last="fu, Pa", at_last="e_u")
X = fields(
    strain="e", stress="s, Pa", smallest="e_min", end="e_end", slope="of the line to e_end, Pa"
)
STILL = 2.2e-16
"""A change of strain below this is none."""


def follow_kent_park(p: Vector, x: Vector, z: Vector, e: float) -> tuple[float, float]:
    """Take a strain; give stress and tangent."""
    last, slope = x[X.strain], x[X.slope]
    on_line = x[X.stress] + slope * (e - last)
    for i in range(x.size):
        z[i] = x[i]
    s, k = 0.0, 0.0
    if abs(e - last) < STILL:
        return x[X.stress], slope
    if e > 0.0:
        pass
    elif e < last:
        s, k = compress(p, z, e)
        if on_line > s:
            s, k = on_line, slope
    elif on_line <= 0.0:
        s, k = on_line, slope
    z[X.strain], z[X.stress] = e, s
    return s, k


def compress(p: Vector, z: Vector, e: float) -> tuple[float, float]:
    """Go further into compression: along the line of (3), or along the envelope."""
    if e > z[X.smallest]:
        if e > z[X.end]:
            return 0.0, 0.0
        return z[X.slope] * (e - z[X.end]), z[X.slope]
    s, k = on_envelope(p, e)
    z[X.smallest] = e
    eta = max(e, p[P.at_last]) / p[P.at_peak]
    if eta < 2.0:
        end = (0.145 * eta * eta + 0.13 * eta) * p[P.at_peak]  # (3)
    else:
        end = (0.707 * (eta - 2.0) + 0.834) * p[P.at_peak]
    steepest = 2.0 * p[P.peak] / p[P.at_peak]
    length = e - end
    if length > -STILL:
        z[X.end], z[X.slope] = end, steepest
    elif length <= s / steepest:
        z[X.end], z[X.slope] = end, s / length
    else:
        z[X.end], z[X.slope] = e - s / steepest, steepest
    return s, k


def on_envelope(p: Vector, e: float) -> tuple[float, float]:
    """Give stress and tangent of (1) or (2)."""
    fc, e_c = p[P.peak], p[P.at_peak]
    if e > e_c:
        eta = e / e_c
        return fc * (2.0 * eta - eta * eta), 2.0 * fc / e_c * (1.0 - eta)  # (1)
    if e > p[P.at_last]:
        k = (fc - p[P.last]) / (e_c - p[P.at_last])
        return fc + k * (e - e_c), k  # (2)
    return p[P.last], 0.0


@describe
class KentPark(Material):
    """A parabola, a falling line, a plateau; values are given without their sign."""

    kind = "kent_park"
    code = KENT_PARK
    states = len(X)
    example = {"strength": 30e6, "peak_strain": 0.002, "residual": 6e6, "residual_strain": 0.006}

    strength: Positive
    """Compressive strength |fc|, Pa."""
    peak_strain: Positive = 0.002
    """Strain |e_c| at the strength."""
    residual: NonNegative = 0.0
    """Stress |fu| of the plateau, Pa."""
    residual_strain: Positive
    """Strain |e_u| at which the plateau begins."""

    def __post_init__(self) -> None:
        """Refuse an envelope that does not go down and on."""
        if self.residual_strain <= self.peak_strain:
            raise InputError(
                "material.residual_strain",
                self.residual_strain,
                f"is not beyond peak_strain = {self.peak_strain:g}",
                "Give both without their sign; 0.6 % is 0.006.",
            )
        if self.residual > self.strength:
            raise InputError(
                "material.residual",
                self.residual,
                f"is above the strength of {self.strength:g} Pa",
                "Give the stress of the plateau after crushing.",
            )

    def parameters(self) -> Vector:
        """Give the places of P, negative in compression."""
        packed: Vector = P.pack(
            peak=-self.strength,
            at_peak=-self.peak_strain,
            last=-self.residual,
            at_last=-self.residual_strain,
        )
        return packed

    def start(self) -> Vector:
        """Give the history of fresh concrete: its line has the initial tangent."""
        packed: Vector = X.pack(
            strain=0.0, stress=0.0, smallest=0.0, end=0.0, slope=self.initial_tangent
        )
        return packed

    @property
    def initial_tangent(self) -> float:
        """2 fc/e_c."""
        return 2.0 * self.strength / self.peak_strain
