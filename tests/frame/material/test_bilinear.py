import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.frame.material.bilinear import Bilinear, follow_bilinear

STEEL = Bilinear(modulus=200e9, yield_stress=400e6, hardening=0.1)


def stresses(strains):
    p, x = STEEL.parameters(), STEEL.start()
    return np.array([follow_bilinear(p, x, x, e)[0] for e in strains])


def test_it_follows_yield_unloading_and_reverse_yield():
    """e_y = 0.002; after 3 e_y the elastic range is still 2 e_y wide."""
    s = stresses([0.002, 0.006, 0.004, 0.002, -0.006, 0.002])
    assert_allclose(s, [400e6, 480e6, 80e6, -320e6, -480e6, 400e6], rtol=1e-12)


def test_a_closed_cycle_costs_the_area_of_its_parallelogram():
    u, y = 0.006, 0.002
    turn = np.concatenate([np.linspace(-u, u, 4001)[1:], np.linspace(u, -u, 4001)[1:]])
    s = stresses(np.concatenate([np.linspace(0, -u, 501), turn, turn]))[-8001:]
    e = np.concatenate([[-u], turn])
    work = np.sum((s[1:] + s[:-1]) / 2 * np.diff(e))
    assert work == pytest.approx(4 * 0.9 * 400e6 * (u - y), rel=1e-3)  # trapezoids cut corners
