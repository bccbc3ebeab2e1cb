import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.integrator.explicit_newmark import ExplicitNewmark
from rths.report.integrator_accuracy import accuracy


def test_velocity_is_carried_by_the_mean_acceleration(small_test, run):
    found = run(small_test("explicit_newmark", 0.01, 3))
    v, a = found["structure.velocity"], found["structure.acceleration"]
    assert_allclose(v[1:] - v[:-1], 0.005 * (a[1:] + a[:-1]), atol=1e-13)


def test_displacement_is_carried_by_velocity_and_acceleration(small_test, run):
    found = run(small_test("explicit_newmark", 0.01, 3))
    x, v, a = (found[f"structure.{s}"] for s in ("displacement", "velocity", "acceleration"))
    assert_allclose(x[1:], x[:-1] + 0.01 * v[:-1] + 0.5e-4 * a[:-1], atol=1e-15)


def test_the_period_is_too_short_by_a_twentyfourth_of_omega_dt_squared():
    found = accuracy(ExplicitNewmark(), [0.02, 0.05, 0.1])
    assert_allclose(found.period_error, -(found.omega**2) / 24, rtol=2e-3)
    assert_allclose(found.damping_error, 0.0, atol=1e-12)
    assert found.spectral_radius == pytest.approx(np.ones(3), abs=1e-12)
