"""Forward prediction: fit a polynomial to the last targets by least squares and read it ahead.

    u(t) = P(t + rho),   P of order N through d(t), d(t - Delta), ..., d(t - (n-1) Delta)        (1)
    u_k = sum_j w_j d_(k-jm),   w_j = sum_(i <= N) phi_i(rho/Delta) phi_i(-j),   Delta = m h     (2)
    phi_0 = 1/sqrt(n),   b_(i+1) phi_(i+1)(s) = (s + (n-1)/2) phi_i(s) - b_i phi_(i-1)(s)        (3)
    b_i = i/2 sqrt((n² - i²)/(4 i² - 1))

The phi_i are orthonormal on the n samples (Gram polynomials): raising the order adds a term and
leaves the others as they are. Polynomials up to order N are predicted exactly. With n > N + 1 the
fit smooths and does not pass through its newest point, so that rho = 0 is not quite "no
compensation". A low order allows a long prediction, a high order is more exact: for the rig of the
paper (tau = 9.4 ms, n = 12, Delta = 1 ms) the loop is stable for 2.53 ms < rho < 40.5 ms with
N = 2 and for 2.63 ms < rho < 23.4 ms with N = 3. Use it for a known delay and a noisy target.

[wallace2005] eqs (13), (14); [gram1883] (the polynomials).
"""

from __future__ import annotations

import numpy as np

from rths.compensator._gram import check_points, gram
from rths.compensator._past import past_block
from rths.compensator.base import Compensator, describe, register
from rths.loop.block import Block, Vector
from rths.quantity import Count, Delay, Duration, Order
from rths.site import Site


def weights(order: int, points: int, ahead: float) -> Vector:
    """Weights (2), newest target first, for a prediction of ``ahead`` sampling times."""
    at_samples = np.array([gram(order, points, -float(j)) for j in range(points)])
    return at_samples @ gram(order, points, ahead)


@register
@describe
class ForwardPrediction(Compensator):
    """Least-squares polynomial prediction over a fixed time."""

    clock = "tick"
    cites = ("wallace2005", "gram1883")
    example = {"ahead": 0.006}
    predicts_polynomial = True

    ahead: Delay
    """Time rho to predict ahead: the delay of the actuator, s."""
    order: Order = 3
    """Order N of the polynomial."""
    points: Count = 12
    """Number n of targets that the polynomial is fitted to."""
    sampling: Duration | None = None
    """Time Delta between these targets, s, rounded to whole ticks; one tick if not given."""

    def __post_init__(self) -> None:
        """Refuse a fit with more coefficients than samples."""
        check_points(self.order, self.points)

    def block(self, site: Site) -> Block:
        """Yield the block of (2), with a history at rest."""
        h = site.interval
        m = 1 if self.sampling is None else max(1, round(self.sampling / h))
        w = weights(self.order, self.points, self.ahead / (m * h))
        return past_block(w, m, site.displacement)
