"""Bouc-Wen hysteresis with a dashpot.

    f  = a k x + (1-a) k z + c v,   v_k = (x_k - x_k-1)/h                                        (1)
    dz/dx = 1 - |z/d|^n ( b sgn(z dx) + 1 - b )                                                (2)

k: stiffness before yield, a: share of it that remains, d: yield displacement, n: sharpness of the
knee, b: shape (1/2: straight unloading). In the usual letters b/d^n is beta and (1-b)/d^n is gamma.
(2) knows no time: it is integrated along the path, which runs straight between ticks, by
Runge-Kutta steps no longer than d/10 or d/(4n). The kink of (2) at z = 0 gets a step end of its
own, so that the fourth order is kept. |z| <= d always; after 50 d of travel z is d to the last bit.

Use it for smooth yielding: steel, rubber bearings, wire ropes.

[wen1976] J. Eng. Mech. Div. ASCE 102(2), 249-263.
"""

from __future__ import annotations

from math import pow
from typing import Annotated

from rths.loop.block import Block, Vector, kernel
from rths.loop.fields import fields
from rths.quantity import NewtonSecondsPerMetre, NewtonsPerMetre, PositiveMetres, Range, Ratio
from rths.site import Site
from rths.specimen.base import Specimen, describe, register

Sharpness = Annotated[float, Range(low=1, high=50)]
Shape = Annotated[float, Range(low=0.01, high=1)]
LONGEST_PATH = 50.0
"""Travel in yield displacements after which nothing is left of the past: exp(-50) = 2e-22."""


def slope(w: float, n: float, b: float) -> float:
    """Give dw/ds of (2) for w = z/d along a path of growing x, s = x/d."""
    return 1.0 - pow(abs(w), n) * (1.0 if w > 0.0 else 1.0 - 2.0 * b)


def runge_kutta(w: float, ds: float, n: float, b: float) -> float:
    """Take one classical fourth-order step of (2)."""
    k1 = slope(w, n, b)
    k2 = slope(w + 0.5 * ds * k1, n, b)
    k3 = slope(w + 0.5 * ds * k2, n, b)
    k4 = slope(w + ds * k3, n, b)
    return w + ds * (k1 + 2.0 * k2 + 2.0 * k3 + k4) / 6.0


def integrate_path(w: float, s: float, n: float, b: float, longest: float) -> float:
    """Integrate (2) from w over a path of signed length s; w and s in yield displacements."""
    sign = 1.0 if s >= 0.0 else -1.0
    s = min(abs(s), LONGEST_PATH)
    w *= sign  # (2) is odd: a path downwards is one upwards, mirrored
    parts = int(s / longest) + 1
    ds = s / parts
    for _ in range(parts):
        after = runge_kutta(w, ds, n, b)
        if w < 0.0 < after:
            # path to z = 0 by three-point Gauss quadrature of ds = dw/slope, then on from there
            reach = 5.0 / slope(0.1127016653792583 * w, n, b)
            reach += 8.0 / slope(0.5 * w, n, b)
            reach += 5.0 / slope(0.8872983346207417 * w, n, b)
            after = runge_kutta(0.0, max(ds + w * reach / 18.0, 0.0), n, b)
        before, w = w, min(max(after, -1.0), 1.0)
        if w == before:  # z is d: the rest of a long path changes nothing
            break
    return sign * w


P = fields(
    elastic="a k, N/m",
    hysteretic="(1-a) k d, N",
    damping="c/h, N/m",
    yield_displacement="d, m",
    sharpness="n",
    shape="b",
    longest="longest step over d",
)
X = fields(displacement="x_k-1, m", z="z/d")


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    dx = u[0] - x[X.displacement]
    x[X.displacement] = u[0]
    way = dx / p[P.yield_displacement]
    x[X.z] = integrate_path(x[X.z], way, p[P.sharpness], p[P.shape], p[P.longest])  # (2)
    y[0] = p[P.elastic] * u[0] + p[P.hysteretic] * x[X.z] + p[P.damping] * dx  # (1)


@register
@describe
class BoucWen(Specimen):
    """Smooth hysteresis of any sharpness, from rubber (n = 1) to bilinear (large n)."""

    cites = ("wen1976",)
    example = {"stiffness": 2250.0, "yield_displacement": 0.002}

    stiffness: NewtonsPerMetre
    """Stiffness k before yield, N/m."""
    yield_displacement: PositiveMetres
    """Yield displacement d, m."""
    hardening: Ratio = 0.0
    """Ratio a of the stiffness after yield to that before."""
    sharpness: Sharpness = 2.0
    """Exponent n, the sharpness of the knee."""
    shape: Shape = 0.5
    """Share b: 1/2 unloads straight, more bulges the loop, less slims it."""
    damping: NewtonSecondsPerMetre = 0.0
    """Damping coefficient c, N s/m."""

    def block(self, site: Site) -> Block:
        """Yield the block of (1) and (2), at rest where a slow pull from zero has left it."""
        k, a, d = self.stiffness, self.hardening, self.yield_displacement
        n, b = self.sharpness, self.shape
        longest = min(0.1, 0.25 / n)
        params = P.pack(
            elastic=a * k,
            hysteretic=(1 - a) * k * d,
            damping=self.damping / site.tick,
            yield_displacement=d,
            sharpness=n,
            shape=b,
            longest=longest,
        )
        start = integrate_path(0.0, site.displacement / d, n, b, longest)
        return Block(step, params, X.pack(displacement=site.displacement, z=start), work=6.0)
