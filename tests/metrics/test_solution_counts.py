"""Counts of J: worked by hand, then U11 and U12 from the free vibration of [wu2013] section 4.1."""

import numpy as np
import pytest

from rths.errors import InputError
from rths.metrics.solution_counts import solution_counts


@pytest.mark.parametrize(
    ("measured", "expected"),
    [
        ([0.0, 0.0, 3.0], (1, 0)),  # crossed once, between samples
        ([0.0, 1.0, 3.0], (1, 0)),  # a sample on the target counts once
        ([0.0, 2.0, 0.0], (0, 1)),  # up and down again
        ([2.0, 3.0, 4.0], (0, 0)),  # never met
        ([1.0, 3.0, 4.0], (1, 0)),  # met at the start of the closed interval
        ([3.0, 3.0, 1.0], (1, 0)),  # met at its end
    ],
)
def test_solutions_are_counted_in_the_closed_interval(measured, expected):
    counts = solution_counts([9.0, 9.0, 1.0], measured, 0.1, window=0.2)
    assert (counts.one, counts.several) == expected
    assert sum(counts) == 3


def test_samples_without_a_full_interval_have_no_solution():
    x = np.linspace(0, 1, 50)
    assert solution_counts(x, x, 0.1, window=0.5) == (5, 45, 0)
    assert solution_counts(x, x, 0.1, window=0.5, startup=20) == (20, 30, 0)


@pytest.mark.parametrize("window", [0.0, 9.0, np.nan])
def test_a_window_that_does_not_fit_is_refused(window):
    with pytest.raises(InputError, match="window"):
        solution_counts(np.zeros(50), np.zeros(50), 0.1, window=window)


def hermite(order, new, old, h, eta):
    """Displacement eta h after the newest of two states (x, v), h apart."""
    (x1, v1), (x0, v0) = new, old
    if order == 2:  # equation (6)
        return (1 - eta**2) * x1 + eta**2 * x0 + (eta + eta**2) * h * v1
    b = eta**2 * (3 + 2 * eta)  # equation (7)
    return (1 - b) * x1 + b * x0 + eta * (1 + eta) ** 2 * h * v1 + eta**2 * (1 + eta) * h * v0


def overcompensated_free_vibration(order, m=1.0, kn=200.0, ke=200.0, h=0.01, x0=0.01, steps=2000):
    """Targets and measured displacement at all stage points, half a step apart."""
    g = 1 - np.sqrt(0.5)
    jac = np.array([[0.0, 1.0], [-(kn + ke) / m, 0.0]])
    b = np.linalg.inv(np.eye(2) - g * h * jac)
    nodes = {}  # predicted displacement of whole time j: the measured node at time j - 1/2
    targets, measured = [], []

    def moved(half):  # measured displacement at half steps
        if half % 2:
            return nodes.get((half + 1) // 2, np.nan)
        return 0.5 * (nodes.get(half // 2, np.nan) + nodes.get(half // 2 + 1, np.nan))

    def force(half, x):  # optimal feedback at a stage point
        targets.append(x)
        measured.append(moved(half) if half >= 5 else 0.0)  # the first node is at 2.5 dt
        past = [moved(half - 2), moved(half - 1), moved(half)]
        if half <= 6:
            return ke * x
        return ke * np.clip(x, min(past), max(past))

    y = np.array([x0, 0.0])
    for i in range(steps):
        k1 = b @ np.array([y[1], -(kn * y[0] + force(2 * i, y[0])) / m]) * h
        mid = y + 0.5 * k1
        f2 = np.array([mid[1], -(kn * mid[0] + force(2 * i + 1, mid[0])) / m])
        new = y + b @ (f2 - g * jac @ k1) * h
        nodes[i + 3] = hermite(order, new, y, h, 2.0)
        y = new
    return np.array(targets), np.array(measured)


@pytest.mark.parametrize(
    ("order", "expected"), [(2, (35, 3922, 43)), (3, (32, 3875, 93))], ids=["U11", "U12"]
)
def test_u11_u12_counts_of_the_free_vibration(order, expected):
    x, m = overcompensated_free_vibration(order)
    assert solution_counts(x, m, 0.005, window=0.01, startup=7) == expected
