"""Inverse of an identified actuator model, with derivatives that the integrator knows.

    X/U = 1/(a_0 + a_1 s + ... + a_n s^n),   u = sum_i a_i d^(i)(t + ℓ),   n = 2...4             (1)
    d(t + s) = d_k + polynomial in s with d'(t_k-j) = v_(k-j),   j = 0...n-1                    (2)

(2) is the one polynomial of order n through the target and the integrator's last n velocities; its
derivatives at the lead ℓ go into (1), so that a target of that order is tracked exactly. No
difference of displacements is taken: what would be the third is the second. Without coefficients
they follow from the delay τ alone, as those of n equal lags, half way between one lag and a delay:

    a_0 + ... + a_n s^n = (1 + τ s/n)^n                                                       (3)

The inverse of order n amplifies like ω^n: beyond the actuator's range that is what its own poles
take off again. An order below the actuator's leaves its light modes too much gain; ``low_pass``
on the command, two equal lags, takes it off, and its lag is added to the coefficients.

Use it with an actuator that is identified well and does not change.

[carrion2006]; [phillips2014] Smart Struct. Syst. 14(6), 1081-1103.
"""

from __future__ import annotations

from math import comb, exp, factorial, pi
from typing import Literal

import numpy as np

from rths.compensator.base import Compensator, describe, register
from rths.errors import InputError
from rths.loop.block import Block, Vector, kernel
from rths.loop.site import Site
from rths.quantity import Delay, Hertz, RealVector, Seconds

LOST = 1.2
"""Ticks that a sampled loop loses between target and force: between one tick, by which the force
is late, and one and a half, with the hold of the command."""


def coefficients(given: RealVector | None, delay: float | None, order: int) -> Vector:
    """Give a_0...a_n as given, or by (3)."""
    if (given is None) == (delay is None):
        raise InputError(
            "compensator.coefficients",
            given,
            "and delay: one of the two is wanted",
            "Give the identified delay in seconds, or a_0...a_n.",
        )
    if given is None:
        assert delay is not None
        each = delay / order
        return np.array([comb(order, i) * each**i for i in range(order + 1)])  # (3)
    if len(given) != order + 1:
        raise InputError(
            "compensator.coefficients",
            given,
            f"are {len(given)} for order {order}",
            f"Give a_0...a_{order}.",
        )
    return np.array(given)


def lead_of(given: float | None, site: Site) -> float:
    """Give ℓ: if it is not given what a sampled loop loses, none where no command is held."""
    return (LOST * site.tick if site.fresh else 0.0) if given is None else given


def smoothing(a: Vector, edge: float | None, h: float) -> tuple[float, Vector]:
    """Give E of y_k = s_k + E (y_(k-1) - s_k), and coefficients with the lag of two of these."""
    if edge is None:
        return 0.0, a
    forget = exp(-2 * pi * edge * h)
    lag = np.array([1.0, forget / (1 - forget) * h])
    return forget, np.convolve(np.convolve(a, lag), lag)[: a.size]


def derivatives(order: int, ahead: float, h: float) -> Vector:
    """Weights of d_k, v_k, ..., v_(k-n+1) in the derivatives 0...n of (2) at ``ahead``."""
    n = order
    nodes = np.array([[(-j) ** i / factorial(i) for i in range(n)] for j in range(n)], float)
    taylor = np.zeros((n + 1, n + 1))  # h^i d^(i)(t_k) over (d_k, h v_k, h v_(k-1), ...)
    taylor[0, 0] = 1.0
    taylor[1:, 1:] = np.linalg.inv(nodes)
    s = ahead / h
    shift = [[s ** (j - i) / factorial(j - i) if j >= i else 0.0 for j in range(n + 1)]
             for i in range(n + 1)]  # fmt: skip
    scale_out = np.array([h**-i for i in range(n + 1)])
    scale_in = np.array([1.0] + [h] * n)
    return np.asarray(scale_out[:, None] * (np.array(shift) @ taylor) * scale_in)


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # p = share E of the low-pass, weights of d_k, v_k, ..., v_(k-n+1)
    # x = v_(k-1), ..., v_(k-n+1), the two lags;   u = target, velocity at its time
    n = p.size - 2
    s = p[1] * u[0] + p[2] * u[1]
    for j in range(n - 1):
        s += p[3 + j] * x[j]  # (1)
    for j in range(n - 2, 0, -1):
        x[j] = x[j - 1]
    x[0] = u[1]
    x[n - 1] = s + p[0] * (x[n - 1] - s)
    x[n] = x[n - 1] + p[0] * (x[n] - x[n - 1])
    y[0] = x[n]


@register
@describe
class InverseModel(Compensator):
    """Fixed inverse of second to fourth order."""

    inputs = ("integrator.target", "integrator.next_velocity")
    cites = ("carrion2006", "phillips2014")
    example = {"delay": 0.006}
    model_order = 3

    delay: Delay | None = None
    """Identified delay τ at low frequency, s, in place of ``coefficients``."""
    coefficients: RealVector | None = None
    """a_0...a_n of the identified model, in s^i."""
    order: Literal[2, 3, 4] = 3
    """Order n of the inverse."""
    lead: Seconds | None = None
    """ℓ, s, for what is lost elsewhere in the loop; if not given, 1.2 ticks where the actuator
    holds its command over a tick, none otherwise."""
    low_pass: Hertz | None = None
    """Edge of each of two lags on the command, Hz; none if not given."""

    def __post_init__(self) -> None:
        """Refuse a model that is not complete."""
        coefficients(self.coefficients, self.delay, self.order)

    def block(self, site: Site) -> Block:
        """Yield the block of (1), at rest."""
        h = site.interval
        a = coefficients(self.coefficients, self.delay, self.order)
        forget, a = smoothing(a, self.low_pass, h)
        w = a @ derivatives(self.order, lead_of(self.lead, site), h)
        rest = np.zeros(self.order + 1)
        rest[-2:] = a[0] * site.displacement
        return Block(step, [forget, *w], rest)
