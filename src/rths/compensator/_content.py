"""How fast the motion of an interface is, from the structure that is calculated.

    c = sum_j (L φ_j)²/ω_j²                                                                   (1)

The static compliance (1) of an interface is a sum over the modes. Those that make up most of it,
from the lowest on, are what the target will contain.
"""

from __future__ import annotations

import numpy as np

from rths.site import Site

SHARE = 0.98
"""Part of the compliance (1) that the modes in question make up."""
STIFFER = 1.2
"""Frequencies with the specimen over those without it: it has up to a third of the stiffness."""
LOOSE = 1e-9
"""Lowest over highest eigenvalue below which the calculated part alone is not held."""


def highest_content(site: Site) -> float | None:
    """Give the highest frequency of the target, rad/s; None if the structure alone is not held."""
    e = site.equation
    if e is None:
        return None
    factor = np.linalg.inv(np.linalg.cholesky(e.M))
    squares, modes = np.linalg.eigh(factor @ e.K @ factor.T)
    if not squares[0] > LOOSE * squares[-1]:
        return None
    compliance = (e.L[site.channel] @ factor.T @ modes) ** 2 / squares
    reached = np.cumsum(compliance)
    last = int(np.searchsorted(reached, SHARE * reached[-1]))
    return STIFFER * float(np.sqrt(squares[last]))
