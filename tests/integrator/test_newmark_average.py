import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.integrator.newmark_average import NewmarkAverage
from rths.report.integrator_accuracy import accuracy

SPECIMEN = 400.0


def trapezoidal(e, K, load, dt):
    """Constant average acceleration of the whole, solved for the next acceleration."""
    x, v = e.displacement.copy(), e.velocity.copy()
    a = np.linalg.solve(e.M, load[0] - e.C @ v - K @ x)
    rows = [(x, v, a)]
    for p in load[1:]:
        x_p, v_p = x + dt * v + dt**2 / 4 * a, v + dt / 2 * a
        a = np.linalg.solve(e.M + dt / 2 * e.C + dt**2 / 4 * K, p - e.C @ v_p - K @ x_p)
        x, v = x_p + dt**2 / 4 * a, v_p + dt / 2 * a
        rows.append((x, v, a))
    return np.array(rows)


@pytest.mark.parametrize("dt", [0.01, 0.1])  # the second is far beyond any explicit limit
@pytest.mark.parametrize("drive", ["sine", "free"])
def test_with_the_specimen_known_it_is_constant_average_acceleration(small_test, run, dt, drive):
    test = small_test("newmark_average", dt, 3, True, drive=drive)
    found, e = run(test), test.equation
    steps = len(found["time"])
    load = found["excitation.signal"] @ e.B.T if drive == "sine" else np.zeros((steps, 3))
    want = trapezoidal(e, e.K + SPECIMEN * e.L.T @ e.L, load, dt)
    for i, name in enumerate(("displacement", "velocity", "acceleration")):
        got = found[f"structure.{name}"]
        assert_allclose(got, want[:, i], atol=1e-11 * np.abs(want[:, i]).max())


def test_the_period_is_too_long_by_a_twelfth_of_omega_dt_squared():
    found = accuracy(NewmarkAverage(), [0.02, 0.05, 0.1])
    assert_allclose(found.period_error, found.omega**2 / 12, rtol=2e-3)
    assert_allclose(found.damping_error, 0.0, atol=1e-12)
