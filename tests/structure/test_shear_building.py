import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.linalg import eigh

from rths.errors import InputError
from rths.structure.shear_building import ShearBuilding


@given(n=st.integers(1, 12))
def test_a_uniform_building_has_the_frequencies_of_a_chain(n):
    """ω_j = 2 √(k/m) sin( (2j - 1)π / (2 (2n + 1)) ), j = 1...n."""
    M, _, K = ShearBuilding(masses=(2.0,) * n, stiffnesses=(50.0,) * n).matrices()
    j = np.arange(1, n + 1)
    want = 2 * 5.0 * np.sin((2 * j - 1) * np.pi / (2 * (2 * n + 1)))
    assert_allclose(np.sqrt(eigh(K, M, eigvals_only=True)), want, rtol=1e-10)


def test_a_load_on_the_roof_deforms_each_storey_by_its_own_stiffness():
    k = (300.0, 200.0, 100.0)
    _, _, K = ShearBuilding(masses=(1.0,) * 3, stiffnesses=k).matrices()
    x = np.linalg.solve(K, [0.0, 0.0, 6.0])
    assert_allclose(np.diff(x, prepend=0.0), 6.0 / np.array(k))


def test_specimens_sit_at_floors_or_in_storeys():
    given = {"masses": (1.0,) * 3, "stiffnesses": (9.0,) * 3, "interface": (0, 2)}
    floors = ShearBuilding(**given).interface_rows()
    storeys = ShearBuilding(**given, attached="storey").interface_rows()
    assert_array_equal(floors, [[1, 0, 0], [0, 0, 1]])
    assert_array_equal(storeys, [[1, 0, 0], [0, -1, 1]])


def test_it_is_undamped_unless_told_otherwise_and_takes_each_way_of_damping():
    given = {"masses": (2.0, 1.0), "stiffnesses": (900.0, 500.0)}
    C = ShearBuilding(**given).matrices()[1]
    assert_array_equal(C, np.zeros((2, 2)))
    modal = ShearBuilding(**given, damping_ratios=0.02).matrices()[1]
    rayleigh = ShearBuilding(**given, rayleigh=(0.02, 0.02)).matrices()[1]
    assert_allclose(modal, rayleigh, rtol=1e-12)  # two modes: both ways are one
    own = ShearBuilding(**given, damping=np.eye(2)).matrices()[1]
    assert_array_equal(own, np.eye(2))


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"stiffnesses": (9.0,)}, "has 1 entries for 2 storey"),
        ({"interface": (2,), "attached": "storey"}, "names a storey that does not exist"),
        ({"masses": (1.0, 0.0)}, "singular or negative"),
        ({"masses": (1.7e308, 1.0)}, "singular or negative"),  # and no warning of an overflow
        ({"masses": (1.0, -1.0), "damping_ratios": 0.02}, "singular or negative"),
        ({"damping_ratios": (0.1, 0.1, 0.1)}, "has 3 entries for 2 mode"),
    ],
)
def test_what_does_not_fit_is_refused(fields, message):
    with pytest.raises(InputError, match=message):
        ShearBuilding(**{"masses": (1.0, 1.0), "stiffnesses": (9.0, 9.0), **fields})
