"""The three-storey frame of the benchmark, whole and split.

    M = m I,   C = Φ^-T diag(2 ζ ω_i m_i) Φ^-1,   m_i = φ_i' M φ_i                             (1)
    M_n = M - diag(m_e, 0, 0), and likewise C_n, K_n                                          (2)
    M_n x'' + C_n x' + K_n x = -M ι a_g - (1, 0, 0)' f                                        (3)

ω_i of (1) are rounded to 0.01 rad/s, as in the authors' program. The full M stands before the
ground acceleration in (3). Frame and specimen together are the frame whole, whatever the specimen.

[silva2020] sections 2 and 3.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import sqrt

import numpy as np

from rths.equation import EquationOfMotion
from rths.errors import InputError
from rths.loop.block import Vector
from rths.structure.linear import Linear

STIFFNESS = np.array(
    [
        [26054883.879603837, -23133938.877108198, 5937035.463339146],
        [-23133938.877108198, 32560774.186380334, -14419970.777236981],
        [5937035.463339146, -14419970.777236981, 9267275.506224312],
    ]
)
"""K of the frame whole, N/m."""
MASS, ZETA = 29.13, 0.0097
"""Mass m_e (kg) and damping ratio of the specimen; the paper prints 29.1 kg."""


@dataclass(frozen=True)
class Case:
    """Floor mass (kg), damping ratio of all modes, and ω_i as rounded (rad/s)."""

    mass: float
    damping: float
    frequencies: tuple[float, float, float]


CASES = {
    1: Case(1000.0, 0.05, (22.70, 100.51, 239.30)),
    2: Case(1100.0, 0.04, (21.64, 95.83, 228.17)),
    3: Case(1300.0, 0.03, (19.91, 88.15, 209.88)),
    4: Case(1000.0, 0.03, (22.70, 100.51, 239.30)),
}


def case(number: int) -> Case:
    """Find a case by its number."""
    if number not in CASES:
        raise InputError("case", number, "does not exist", "Use a number from 1 to 4.")
    return CASES[number]


@cache
def whole_matrices(number: int) -> tuple[Vector, Vector, Vector]:
    """Give M, C, K of the frame whole, by (1)."""
    about = case(number)
    M = about.mass * np.eye(3)
    _, phi = np.linalg.eigh(STIFFNESS)
    inverse = np.linalg.inv(phi)
    modal = np.diag(2 * about.damping * np.array(about.frequencies) * about.mass)
    return M, inverse.T @ modal @ inverse, STIFFNESS


def specimen_damping(stiffness: float) -> float:
    """Give c_e for a stiffness k_e."""
    return 2 * ZETA * sqrt(stiffness * MASS)


def numerical_part(number: int, stiffness: float) -> Linear:
    """Give the numerical part (2) beside a specimen of this stiffness, with the load of (3)."""
    M, C, K = whole_matrices(number)
    corner = np.zeros((3, 3))
    corner[0, 0] = 1.0
    M_n, C_n = M - MASS * corner, C - specimen_damping(stiffness) * corner
    return Linear(
        mass=M_n.tolist(),
        damping=C_n.tolist(),
        stiffness=(K - stiffness * corner).tolist(),
        influence=tuple(np.linalg.solve(M_n, M @ np.ones(3)).tolist()),
    )


def whole_equation(number: int) -> EquationOfMotion:
    """Give the equation of motion of the frame whole, for the reference response."""
    M, C, K = whole_matrices(number)
    load = -(M @ np.ones(3))[:, None]
    return EquationOfMotion(M, C, K, np.eye(3)[:1], load, np.zeros(3), np.zeros(3))
