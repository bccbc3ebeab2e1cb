import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from rths.integrator.exact import Exact
from rths.report.integrator_accuracy import accuracy

SPECIMEN = 400.0


@given(omega=st.floats(0.01, 3.0), zeta=st.floats(0.0, 0.9))
def test_one_mass_has_no_error_at_all(omega, zeta):
    found = accuracy(Exact(), omega, zeta)
    assert_allclose(found.spectral_radius, np.exp(-zeta * omega), rtol=1e-10)
    assert_allclose([found.period_error, found.damping_error], 0.0, atol=1e-10)


@pytest.mark.parametrize("masses", [1, 3])
@pytest.mark.parametrize("dt", [0.01, 0.5])
def test_free_vibration_is_exact_for_any_step(small_test, run, exact_solution, masses, dt):
    test = small_test("exact", dt, masses, True, drive="free", duration=20 * dt)
    found = run(test)
    truth = exact_solution(test, found["time"])
    scale = np.abs(truth).max(axis=0)
    assert_allclose(
        found["structure.displacement"] / scale[:masses],
        truth[:, :masses] / scale[:masses],
        atol=1e-11,
    )
    assert_allclose(
        found["structure.velocity"] / scale[masses:], truth[:, masses:] / scale[masses:], atol=1e-11
    )
    assert_allclose(found["integrator.target"][:, 0] / scale[0], truth[:, 0] / scale[0], atol=1e-11)


def test_a_load_that_is_straight_between_steps_gives_the_same_for_each_step(small_test):
    """A ramp that breaks at a step: four times finer steps change nothing."""
    e = small_test("exact", 0.01).equation

    def loaded(dt):
        block = Exact(interface_stiffness=SPECIMEN).block(e, dt, 5)
        x, y, rows = block.states.copy(), np.zeros(5), []
        y[0] = e.displacement[0]
        for t in np.arange(0.0, 2.0 + dt / 2, dt):
            force = 30.0 * t if t < 0.6 else 30.0 * (1.2 - t)
            block.kernel(x, block.params, np.array([SPECIMEN * y[0], force]), y)
            rows.append(y[1:4].copy())
        return np.array(rows)

    coarse, fine = loaded(0.2), loaded(0.05)
    assert_allclose(coarse, fine[::4], atol=1e-11)
    assert np.abs(coarse[:, 0]).max() > 1e-3
