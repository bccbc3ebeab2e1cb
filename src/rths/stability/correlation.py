"""Numbers of a plan that are uncertain together.

    g ~ N(0, R),   u_i = Φ(g_i),   p_i: a share u_i of distribution i lies below it             (1)

R holds the correlations that were given, 0 for all other pairs. Each number keeps its own
distribution exactly, whatever R; for two normal numbers the correlation is that of the numbers
themselves, for others it is that of their ranks, nearly. (1) is the Gaussian copula.

[nataf1962] Comptes Rendus de l'Académie des Sciences 225, 42-43.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.random import Generator

from rths.errors import InputError
from rths.loop.block import Vector
from rths.stability.distribution import Distribution

Correlations = Mapping[tuple[str, str], float]
DEFINITE = 1e-9
"""Least eigenvalue of R: correlations that contradict each other have one below 0, and next to 0
one number is but the sum of others, of which the factor of R has round-off for its last row."""


def correlation_matrix(paths: Sequence[str], given: Correlations) -> Vector:
    """R of (1), checked: every pair is of numbers that are uncertain, and all fit together."""
    R = np.eye(len(paths))
    for pair, value in given.items():
        unknown = [path for path in pair if path not in paths]
        if unknown or pair[0] == pair[1]:
            remedy = f"Name two different ones of {', '.join(paths)}."
            raise InputError("correlated", pair, "is no pair of uncertain numbers", remedy)
        require_correlation(value, "correlated")
        i, j = (paths.index(path) for path in pair)
        R[i, j] = R[j, i] = value
    if np.linalg.eigvalsh(R).min() < DEFINITE:
        remedy = "If a goes with b and b with c, then a goes with c as well: give that too."
        raise InputError("correlated", dict(given), "contradict each other", remedy)
    return R


def require_correlation(value: float, field: str) -> None:
    """Refuse what is no correlation, or leaves but one number of two: R would be singular."""
    if not -1 <= value <= 1:
        remedy = "Give a number between -1 and 1, as 0.7."
        raise InputError(field, value, "is no correlation", remedy)
    if 1 - abs(value) < DEFINITE:  # the least eigenvalue of two numbers
        problem = "leaves but one number, as the other one follows from it"
        remedy = f"Give less, as {0.999 * value:g}, or let only one of them vary."
        raise InputError(field, value, problem, remedy)


def draw_numbers(
    uncertain: Mapping[str, Distribution], given: Correlations, rng: Generator, count: int
) -> Vector:
    """Draw (1): a row for each sample, a column for each number."""
    from scipy.special import ndtr

    factor = np.linalg.cholesky(correlation_matrix(list(uncertain), given))
    shares = ndtr(rng.standard_normal((count, len(uncertain))) @ factor.T)
    columns = [d.quantile(u) for d, u in zip(uncertain.values(), shares.T, strict=True)]
    return np.column_stack(columns)


def read_correlation(text: str) -> tuple[tuple[str, str], float]:
    """Read ``path,path=correlation``."""
    pair, equals, value = (part.strip() for part in text.partition("="))
    one, comma, other = (part.strip() for part in pair.partition(","))
    try:
        number = float(value)
    except ValueError:
        equals = ""
    if not (equals and comma and one and other):
        remedy = "Write transfer.delay,specimen.stiffness=0.7."
        raise InputError("--correlated", text, "is no correlation of two numbers", remedy)
    return (one, other), number
