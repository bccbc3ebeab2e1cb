"""Derivatives that the integrator knows, and the coefficients that an inverse model weighs them by.

    d(t + s) = d_k + polynomial in s with d'(t_k-j) = v_(k-j),   j = 0...n-1                    (1)
    a_0 + ... + a_n s^n = (1 + τ s/n)^n                                                       (2)

(1) is the one polynomial of order n through the target and the integrator's last n velocities: no
difference of displacements is taken. (2) is a model of n equal lags with the delay τ, half way
between one lag and a delay, for an actuator of which no more is known.
"""

from __future__ import annotations

from math import comb, exp, factorial, pi

import numpy as np

from rths.errors import InputError
from rths.loop.block import Vector
from rths.quantity import RealVector
from rths.site import Site

LOST = 1.2
"""Ticks that a sampled loop loses between target and force: between one tick, by which the force
is late, and one and a half, with the hold of the command."""


def coefficients(given: RealVector | None, delay: float | None, order: int) -> Vector:
    """Give a_0...a_n as given, or by (2)."""
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
        return np.array([comb(order, i) * each**i for i in range(order + 1)])  # (2)
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
    """Weights of d_k, v_k, ..., v_(k-n+1) in the derivatives 0...n of (1) at ``ahead``."""
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
