"""Matrices of an element over the six displacements of its nodes, x, y and rotation of each.

    K = a' k a,   a = [ -1 0 0 1 0 0;  0 1/L 1 0 -1/L 0;  0 1/L 0 0 -1/L 1 ] R                   (1)
    K_N = N/L R' (e_5 - e_2)(e_5 - e_2)' R                           of an axial force N         (2)
    M lumped: half of the mass at each node;   consistent: that of a cubic shape of bending      (3)

R turns the axes of x and y into the axis of the element.
"""

from __future__ import annotations

import numpy as np

from rths.loop.block import Vector


def rotation(c: float, s: float) -> Vector:
    """Give R of (1)."""
    R = np.eye(6)
    for i in (0, 3):
        R[i : i + 2, i : i + 2] = [[c, s], [-s, c]]
    return R


def stiffness_matrix(k: Vector, L: float, c: float, s: float) -> Vector:
    """Give K of (1)."""
    a = np.array(
        [
            [-1.0, 0, 0, 1, 0, 0],
            [0, 1 / L, 1, 0, -1 / L, 0],
            [0, 1 / L, 0, 0, -1 / L, 1],
        ]
    ) @ rotation(c, s)
    K: Vector = a.T @ k @ a
    return K


def spring_matrix(k: Vector) -> Vector:
    """Give K of springs between two nodes at one place."""
    K: Vector = np.kron(np.array([[1.0, -1.0], [-1.0, 1.0]]), k)
    return K


def leaning_matrix(N: float, L: float, c: float, s: float) -> Vector:
    """Give K_N of (2)."""
    row = np.array([0.0, -1, 0, 0, 1, 0]) @ rotation(c, s)
    K: Vector = N / L * np.outer(row, row)
    return K


def mass_matrix(mass: float, L: float, c: float, s: float, consistent: bool) -> Vector:
    """Give M of (3) for a mass of a metre."""
    total = mass * L
    if not consistent:
        return np.diag([total / 2, total / 2, 0.0] * 2)
    M = np.zeros((6, 6))
    M[np.ix_([0, 3], [0, 3])] = np.array([[140.0, 70.0], [70.0, 140.0]])
    M[np.ix_([1, 2, 4, 5], [1, 2, 4, 5])] = [
        [156, 22 * L, 54, -13 * L],
        [22 * L, 4 * L**2, 13 * L, -3 * L**2],
        [54, 13 * L, 156, -22 * L],
        [-13 * L, -3 * L**2, -22 * L, 4 * L**2],
    ]
    R = rotation(c, s)
    turned: Vector = total / 420 * R.T @ M @ R
    return turned
