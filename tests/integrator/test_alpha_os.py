import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rths.errors import InputError
from rths.integrator.alpha_os import AlphaOs
from rths.report.integrator_accuracy import amplification


def radius(alpha, omega, told=1.0):
    """All stiffness is the specimen's; ``told`` is the share of it that the integrator knows."""
    integrator = AlphaOs(alpha=alpha, interface_stiffness=told * omega**2)
    return np.abs(np.linalg.eigvals(amplification(integrator, omega, 0.0, 1.0))).max()


@pytest.mark.parametrize(
    ("alpha", "omega", "value"),
    [
        (-0.1, 2.0, 0.96237),
        (-0.1, 10.0, 0.83780),
        (-0.1, 1e4, 0.81818),
        (-0.3, 2.0, 0.93749),
        (-0.3, 10.0, 0.68461),
        (-0.3, 1e4, 0.53846),
    ],
)
def test_spectral_radius_of_the_published_cases(alpha, omega, value):  # C19
    assert radius(alpha, omega) == pytest.approx(value, abs=1e-4)


@pytest.mark.parametrize("alpha", [-1 / 3, -0.2, -0.05, 0.0])
def test_radius_at_infinity_is_one_plus_over_one_minus_alpha(alpha):
    # three roots meet at alpha = -1/3: round-off enters as its cube root
    assert radius(alpha, 1e5) == pytest.approx((1 + alpha) / (1 - alpha), abs=1e-3)


@given(omega=st.floats(0.01, 200.0), told=st.floats(1.0, 3.0), alpha=st.floats(-1 / 3, 0.0))
def test_stable_for_every_step_if_the_initial_stiffness_is_not_below_the_true_one(
    omega, told, alpha
):  # C19
    assert radius(alpha, omega, told) < 1 + 1e-6


def test_a_specimen_stiffer_than_it_was_told_breaks_it():  # C19
    assert radius(0.0, 10.0, 0.9) == pytest.approx(1.6488, abs=1e-4)
    assert radius(0.0, 1.0, 0.9) < 1 + 1e-9  # short steps forgive


def test_the_target_is_the_predictor(small_test, run):
    """x̃ = x + dt v + (1/2 - β) dt² a with the scheme's own a, found here from the next x."""
    dt, alpha = 0.01, -0.2
    beta, gamma = (1 - alpha) ** 2 / 4, 0.5 - alpha
    found = run(small_test("alpha_os", dt, 3, True, alpha=alpha))
    x, v = found["structure.displacement"][:, 0], found["structure.velocity"][:, 0]
    target = found["integrator.target"][:, 0]
    a = (x - target)[1:] / (beta * dt**2)  # of t_1, t_2, ...
    expected = x[1:-1] + dt * v[1:-1] + (0.5 - beta) * dt**2 * a[:-1]
    np.testing.assert_allclose(target[2:], expected, atol=1e-14)
    np.testing.assert_allclose(
        v[2:], v[1:-1] + dt * ((1 - gamma) * a[:-1] + gamma * a[1:]), atol=1e-9
    )


def test_an_alpha_outside_its_range_is_refused():
    for alpha in (0.1, -0.4):
        with pytest.raises(InputError, match=r"alpha.*from -1/3 to 0"):
            AlphaOs(alpha=alpha)
