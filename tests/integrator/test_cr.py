from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from rths.equation import EquationOfMotion
from rths.integrator.cr import Cr
from rths.loop.solo import respond
from rths.report.integrator_accuracy import amplification


def polynomial(matrix):
    """Coefficients of the two roots that are not zero: λ² + c_1 λ + c_2."""
    c = np.poly(matrix)
    assert_allclose(c[3:], 0.0, atol=1e-12 * np.abs(c).max())
    return c[1:3]


def average_acceleration(omega, zeta):
    """The trapezoidal rule on one mass, by its textbook polynomial."""
    d = 1 + zeta * omega + omega**2 / 4
    return [-2 + (2 * zeta * omega + omega**2) / d, 1 - 2 * zeta * omega / d]


@given(omega=st.floats(0.01, 30.0), zeta=st.floats(0.0, 0.9))
def test_poles_are_those_of_constant_average_acceleration(omega, zeta):  # H4
    found = polynomial(amplification(Cr(), omega, zeta))
    assert_allclose(found, average_acceleration(omega, zeta), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(
    ("omega", "zeta", "radius"), [(0.5, 0.02, 0.990632), (3.0, 0.02, 0.981706), (50.0, 0.0, 1.0)]
)
@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_spectral_radius_of_the_published_cases(omega, zeta, radius, share):  # H4
    told = Cr(interface_stiffness=share * omega**2)
    found = np.abs(np.linalg.eigvals(amplification(told, omega, zeta, share))).max()
    assert found == pytest.approx(radius, abs=1e-6)


@pytest.mark.parametrize("share", [0.5, 1.0])
def test_a_stiff_specimen_it_was_not_told_of_makes_it_unstable(share):
    for told, stable in ((0.0, False), (share * 100.0, True), (150.0, True)):
        matrix = amplification(Cr(interface_stiffness=told), 10.0, 0.0, share)
        assert (np.abs(np.linalg.eigvals(matrix)).max() < 1 + 1e-9) == stable


def published(x, w, force, steps, dt, m=2.0, c=1.6, k=700.0):
    """CR as printed, on one mass; w is called the velocity."""
    alpha = 4 * m / (4 * m + 2 * dt * c + dt**2 * k)
    rows = [x]
    for i in range(steps):
        a = (force(i * dt) - c * w - k * x) / m
        x, w = x + dt * w + dt**2 * alpha * a, w + dt * alpha * a
        rows.append(x)
    return np.array(rows)


def test_from_rest_it_is_the_printed_algorithm(small_test, run):
    test = small_test("cr", 0.01, known=True)
    quiet = replace(test, excitation=replace(test.excitation, phase=0.0))
    want = published(0.0, 0.0, lambda t: 40 * np.sin(2 * np.pi * 1.1 * t), 200, 0.01)
    assert_allclose(run(quiet)["structure.displacement"][:, 0], want, atol=1e-15)


def test_a_release_by_the_printed_algorithm_would_be_of_first_order(
    small_test, run, exact_solution
):
    ours, printed = [], []
    for dt in (0.002, 0.001):
        test = small_test("cr", dt, known=True, drive="free")
        found = run(test)
        truth = exact_solution(test, found["time"])[:, 0]
        ours.append(np.abs(found["structure.displacement"][:, 0] - truth).max())
        guess = published(0.02, -0.1, lambda t: 0.0, len(truth) - 1, dt)
        printed.append(np.abs(guess - truth).max())
    assert printed[0] / printed[1] == pytest.approx(2.0, abs=0.1)
    assert ours[0] / ours[1] == pytest.approx(4.0, abs=0.1)
    assert printed[1] > 10 * ours[1]


@pytest.mark.parametrize("parts", [1, 5])  # without and with the response
def test_coupled_masses_follow_the_formulas(parts):
    rng, n, dt = np.random.default_rng(5), 4, 0.01
    root = rng.standard_normal((3, n, n))
    M, C, K = (r @ r.T + n * np.eye(n) for r in root)
    K *= 300.0
    L, B = np.eye(1, n), rng.standard_normal((n, 2))
    x, v = rng.standard_normal((2, n))
    block = Cr().block(EquationOfMotion(M, C, K, L, B, x, v), dt, parts * n)
    u = rng.standard_normal((60, 3))

    alpha = np.linalg.solve(4 * M + 2 * dt * C + dt**2 * K, 4 * M)  # (4)
    loads = u @ np.hstack([-L.T, B]).T
    right = (M + dt / 2 * C + dt**2 / 4 * K) @ v - dt / 2 * (loads[0] - K @ x)
    w = np.linalg.solve(M + dt**2 / 4 * K, right)  # so that (5) begins with v
    want = []
    for load in loads:
        a = np.linalg.solve(M, load - K @ x - C @ w)  # (3)
        v, old = w + dt / 2 * alpha @ a, x  # (5)
        x, w = x + dt * w + dt**2 * alpha @ a, w + dt * alpha @ a  # (2), (1)
        true = np.linalg.solve(M, load - K @ old - C @ v)
        want.append(np.concatenate([x, old, v, true, v + dt * alpha @ a])[: parts * n])
    # 60 steps of some hundred operations, each off by 1e-16 of the largest term
    assert_allclose(respond(block, u), want, rtol=0.0, atol=1e-11 * np.abs(want).max())
