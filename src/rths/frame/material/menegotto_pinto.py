"""Giuffré, Menegotto and Pinto: steel that bends into yield, with the Bauschinger effect.

    s* = b e* + (1 - b) e* / (1 + |e*|^R)^(1/R)                                                (1)
    e* = (e - e_r)/(e_0 - e_r),   s* = (s - s_r)/(s_0 - s_r)                                     (2)
    R = R_0 (1 - c_1 ξ/(c_2 + ξ)),   ξ = |(e_p - e_0)/e_y|                                       (3)
    f = 1 + a_1 ((e_max - e_min)/(2 a_2 e_y))^0.8    downwards; upwards with a_3, a_4            (4)

(e_r, s_r) is the last reversal, (e_0, s_0) the point where the line from it with slope E meets the
yield line of the new direction, which (4) shifts outwards (isotropic hardening), and e_p the
largest strain so far in that direction. OpenSees calls it Steel02.

Use it for reinforcing bars, and for steel where the work in the hysteresis matters.

[menegotto1973]; (4) is from [filippou1983].
"""

from __future__ import annotations

from math import pow

import numpy as np

from rths.errors import InputError
from rths.frame.material.base import MENEGOTTO_PINTO, Material, describe
from rths.loop.block import Vector
from rths.loop.fields import fields
from rths.quantity import NonNegative, Positive, Ratio

P = fields(
    stress="fy, Pa",
    modulus="E, Pa",
    hardening="b",
    roundness="R_0",
    c_1="c_1",
    c_2="c_2",
    a_1="a_1",
    a_2="a_2",
    a_3="a_3",
    a_4="a_4",
)
X = fields(
    strain="e",
    stress="s, Pa",
    way="0 never strained, 1 upwards, -1 downwards",
    largest="e_max",
    smallest="e_min",
    past="e_p",
    met_strain="e_0",
    met_stress="s_0, Pa",
    back_strain="e_r",
    back_stress="s_r, Pa",
)
STILL = 2.2e-15
"""A first strain below this is none: the direction would be one of round-off."""


def follow_menegotto_pinto(p: Vector, x: Vector, z: Vector, e: float) -> tuple[float, float]:
    """Take a strain; give stress and tangent."""
    last, moved = x[X.strain], e - x[X.strain]
    way, sign = x[X.way], 1.0 if moved > 0.0 else -1.0
    for i in range(x.size):
        z[i] = x[i]
    if way == 0.0:
        if abs(moved) < STILL:
            return 0.0, p[P.modulus]
        leave_origin(p, z, sign)
    elif moved != 0.0 and sign != way:
        turn_back(p, z, sign, last, x[X.stress])
    s, k = on_curve(p, z, e)
    z[X.strain], z[X.stress] = e, s
    return s, k


def leave_origin(p: Vector, z: Vector, sign: float) -> None:
    """Aim at the yield line of the first direction."""
    strain = p[P.stress] / p[P.modulus]
    z[X.way] = sign
    z[X.largest], z[X.smallest] = strain, -strain
    z[X.past] = z[X.met_strain] = sign * strain
    z[X.met_stress] = sign * p[P.stress]
    z[X.back_strain] = z[X.back_stress] = 0.0


def turn_back(p: Vector, z: Vector, sign: float, e: float, s: float) -> None:
    """Reverse at (e, s): find where the elastic line meets the shifted yield line."""
    fy, E = p[P.stress], p[P.modulus]
    strain, slope = fy / E, p[P.hardening] * E
    if sign > 0.0:
        z[X.smallest] = min(z[X.smallest], e)
        a, width, z[X.past] = p[P.a_3], p[P.a_4], z[X.largest]
    else:
        z[X.largest] = max(z[X.largest], e)
        a, width, z[X.past] = p[P.a_1], p[P.a_2], z[X.smallest]
    reach = (z[X.largest] - z[X.smallest]) / (2.0 * width * strain)
    shift = 1.0 + a * pow(reach, 0.8)  # (4)
    offset = sign * (fy - slope * strain) * shift
    met = (offset - s + E * e) / (E - slope)
    z[X.way], z[X.back_strain], z[X.back_stress] = sign, e, s
    z[X.met_strain], z[X.met_stress] = met, offset + slope * met


def on_curve(p: Vector, z: Vector, e: float) -> tuple[float, float]:
    """Give stress and tangent at e by (1) to (3)."""
    b, strain = p[P.hardening], p[P.stress] / p[P.modulus]
    xi = abs((z[X.past] - z[X.met_strain]) / strain)
    R = p[P.roundness] * (1.0 - p[P.c_1] * xi / (p[P.c_2] + xi))  # (3)
    run = z[X.met_strain] - z[X.back_strain]
    rise = z[X.met_stress] - z[X.back_stress]
    ratio = (e - z[X.back_strain]) / run  # (2)
    inner = 1.0 + pow(abs(ratio), R)
    outer = pow(inner, 1.0 / R)
    s = (b * ratio + (1.0 - b) * ratio / outer) * rise + z[X.back_stress]  # (1)
    k = (b + (1.0 - b) / (inner * outer)) * rise / run
    return s, k


@describe
class MenegottoPinto(Material):
    """A curve that bends into its yield line."""

    kind = "menegotto_pinto"
    code = MENEGOTTO_PINTO
    states = len(X)
    example = {"modulus": 200e9, "yield_stress": 420e6, "hardening": 0.01}

    modulus: Positive
    """Young's modulus E, Pa."""
    yield_stress: Positive
    """Stress fy of the yield lines at their start, Pa."""
    hardening: Ratio = 0.0
    """Ratio b of the slope of the yield lines to E, below 1."""
    roundness: Positive = 20.0
    """R_0: 10 to 20 are usual, more is sharper."""
    c_1: NonNegative = 0.925
    """c_1 of (3)."""
    c_2: Positive = 0.15
    """c_2 of (3)."""
    isotropic: tuple[NonNegative, Positive, NonNegative, Positive] = (0.0, 1.0, 0.0, 1.0)
    """a_1, a_2 (compression) and a_3, a_4 (tension) of (4); zeros in a_1 and a_3 are none."""

    def __post_init__(self) -> None:
        """Refuse curves that are none."""
        if self.hardening >= 1.0:
            problem = "leaves no yield line to meet"
            raise InputError("material.hardening", self.hardening, problem, "1 % is 0.01.")
        if self.c_1 >= 1.0:
            problem = "lets R of (3) vanish after a large cycle"
            raise InputError("material.c_1", self.c_1, problem, "0.925 is usual; stay below 1.")

    def parameters(self) -> Vector:
        """Give the places of P."""
        return np.array(
            [
                self.yield_stress,
                self.modulus,
                self.hardening,
                self.roundness,
                self.c_1,
                self.c_2,
                *self.isotropic,
            ]
        )

    @property
    def initial_tangent(self) -> float:
        """E."""
        return self.modulus
