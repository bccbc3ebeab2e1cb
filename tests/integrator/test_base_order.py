"""Every integrator is of second order in displacement, with the specimen in the loop."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from rths.integrator.base import ModelBased, schemes
from rths.loop.block import Block, kernel
from rths.registry import find
from rths.structure.base import Structure, describe

KINDS = schemes()
CASES = [(kind, False) for kind in KINDS]
CASES += [(kind, True) for kind in KINDS if issubclass(find("integrator", kind), ModelBased)]
STEPS = np.array([4e-3, 2e-3, 1e-3, 5e-4])


def fitted_order(steps, errors):
    return np.polyfit(np.log(steps), np.log(errors), 1)[0]


@pytest.mark.parametrize(("kind", "known"), CASES)
@pytest.mark.parametrize("masses", [1, 3])
@pytest.mark.parametrize("drive", ["sine", "free"])
def test_displacement_converges_with_order_two(
    small_test, run, exact_solution, kind, known, masses, drive
):
    errors = []
    for dt in STEPS:
        test = small_test(kind, dt, masses, known, drive=drive)
        found = run(test)
        truth = exact_solution(test, found["time"])[:, :masses]
        errors.append(np.abs(found["structure.displacement"] - truth).max() / np.abs(truth).max())
    if (kind, known, drive) == ("exact", True, "free"):
        assert max(errors) < 1e-12
    else:
        assert fitted_order(STEPS, errors) == pytest.approx(2.0, abs=0.1)


@pytest.mark.parametrize(("kind", "known"), CASES)
@pytest.mark.parametrize("signal", ["target", "velocity", "acceleration", "next velocity"])
def test_all_that_is_told_converges_with_order_two(
    small_test, run, exact_solution, kind, known, signal
):
    """The actuator's target, a predictor for some schemes, and the rest of the response."""
    errors = []
    for dt in STEPS:
        test = small_test(kind, dt, known=known)
        found = run(test)
        x, v = exact_solution(test, found["time"]).T
        force = 40.0 * np.sin(2 * np.pi * 1.1 * found["time"] + 0.7)
        truth = {
            "target": (found["integrator.target"][:, 0], x),
            "velocity": (found["structure.velocity"][:, 0], v),
            "acceleration": (
                found["structure.acceleration"][:, 0],
                (force - 1.6 * v - 700.0 * x) / 2.0,
            ),
            "next velocity": (found["structure.next_velocity"][:-1, 0], v[1:]),
        }[signal]
        errors.append(np.abs(truth[0] - truth[1]).max())
    assert fitted_order(STEPS, errors) >= 1.9


@pytest.mark.parametrize("rho", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("kind", ["kr_alpha", "mkr_alpha"])
def test_numerical_damping_leaves_order_two(small_test, run, exact_solution, kind, rho):
    errors = []
    for dt in STEPS:
        test = small_test(kind, dt, 3, True, rho_infinity=rho)
        found = run(test)
        truth = exact_solution(test, found["time"])[:, :3]
        errors.append(np.abs(found["structure.displacement"] - truth).max())
    assert fitted_order(STEPS, errors) == pytest.approx(2.0, abs=0.1)


@kernel
def cubic(x, p, u, y):
    # p = k, k_3: r = k x + k_3 x^3
    y[0] = p[0] * u[0] + p[1] * u[0] * u[0] * u[0]


@describe
class Duffing(Structure):
    """One mass on a softening spring."""

    def matrices(self):
        return np.array([[2.0]]), np.array([[1.6]]), np.array([[300.0]])

    def interface_rows(self):
        return np.eye(1)

    def restoring(self):
        return Block(cubic, [300.0, -1e4])


@pytest.mark.parametrize(("kind", "known"), CASES)
def test_a_nonlinear_structure_converges_with_order_two(small_test, run, kind, known):
    def rate(t, s):
        force = 40.0 * np.sin(2 * np.pi * 1.1 * t + 0.7)
        return [s[1], (force - 1.6 * s[1] - 700.0 * s[0] + 1e4 * s[0] ** 3) / 2.0]

    fine = solve_ivp(
        rate, (0.0, 2.0), [0.0, 0.0], "DOP853", rtol=1e-11, atol=1e-13, dense_output=True
    )
    errors = []
    for dt in STEPS:
        found = run(small_test(kind, dt, known=known, structure=Duffing()))
        truth = fine.sol(found["time"])[0]
        errors.append(np.abs(found["structure.displacement"][:, 0] - truth).max())
    linear = solve_ivp(
        lambda t, s: [s[1], rate(t, s)[1] - 5e3 * s[0] ** 3], (0.0, 2.0), [0.0, 0.0], rtol=1e-9
    )
    assert abs(linear.y[0, -1] - fine.y[0, -1]) > 100 * errors[-1]  # the cubic term matters
    assert fitted_order(STEPS, errors) == pytest.approx(2.0, abs=0.1)
