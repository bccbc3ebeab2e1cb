from dataclasses import replace
from math import log, pi

import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.theory.step.amplification import spectral_radius
from rths.theory.step.lag_actuator_loop import LagActuatorLoop

K1, K2, MASS = 36007e3, 23894e3, 611_897.0
FRAME = np.array([[K1 + K2, -K2], [-K2, K2]])
RATES = np.sqrt(np.sort(np.linalg.eigvalsh(FRAME) / MASS))
A, B = np.linalg.solve([[1 / w / 2, w / 2] for w in RATES], [0.02, 0.02])  # Rayleigh, 2 %


def chen(compensation, lag=(33.0, 28.0)):
    """Two floors, dampers before slip: 180 kN at 5 mm and 100 kN s/m, times 6 and 4."""
    return LagActuatorLoop(
        mass=MASS * np.eye(2), damping=A * MASS * np.eye(2) + B * FRAME, stiffness=FRAME,
        deformation=np.array([[1.0, 0.0], [-1.0, 1.0]]),
        specimen_stiffness=np.array([6, 4]) * 180e3 / 5e-3,
        specimen_damping=np.array([6, 4]) * 100e3,
        compensation=np.asarray(compensation, float) * np.ones(2), lag=np.array(lag),
        tick=1 / 1024, ticks=10,
    )  # fmt: skip


def test_h5_periods_of_the_frame():
    assert_allclose(2 * pi / RATES, [1.42, 0.57998], rtol=1e-5)


@pytest.mark.parametrize(
    ("alpha", "radius"),
    [(0, 1.04940), (10, 1.03005), (20, 1.00955), (25, 1.00058), (30, 0.99805), (33, 0.99651)],
)
def test_h7_spectral_radius_before_slip(alpha, radius):
    assert abs(spectral_radius(chen(alpha).matrix()) - radius) < 1e-4


def test_h7_growth_rate_without_compensation():
    assert_allclose(log(spectral_radius(chen(0).matrix())) * 1024 / 10, 4.94, atol=0.01)


def test_h2_equal_compensation_and_lag_are_transparent():
    exact = spectral_radius(chen((33.0, 28.0)).matrix())
    direct = spectral_radius(replace(chen(1.0), lag=np.ones(2)).matrix())
    assert_allclose(exact, direct, rtol=1e-10)
