import typing

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.linalg import eigh

from rths.errors import InputError
from rths.structure.published import Name, Published


def whole(name, specimen=0.0, **fields):
    """Matrices with a spring of the given stiffness at the interface."""
    s = Published(name=name, **fields)
    M, C, K = s.matrices()
    L = s.interface_rows()
    return M, C, K + specimen * L.T @ L


def hertz(M, K):
    return np.sqrt(eigh(K, M, eigvals_only=True)) / (2 * np.pi)


def test_wallace():  # W0: ω_n = 31.9801 1/s, ζ = 0.10660, p = 1
    M, C, K = whole("wallace2005")
    omega = np.sqrt(K / M).item()
    assert omega == pytest.approx(31.9801, rel=1e-5)
    assert (C / (2 * M * omega)).item() == pytest.approx(0.10660, rel=1e-4)


def test_londono_frame_has_the_frequencies_of_its_printed_matrices():  # L15
    M, _, K = whole("londono2011_frame")
    assert_allclose(hertz(M, K), [2.3630, 6.6220, 9.5692], atol=1e-3)


def test_londono_frame_has_two_percent_in_each_mode_not_three():  # L16
    M, C, K = whole("londono2011_frame")
    square, phi = eigh(K, M)
    modal = phi.T @ C @ phi
    assert_allclose(np.diag(modal) / (2 * np.sqrt(square)), 0.02, atol=2e-4)
    assert_array_equal(C, C.T)


def test_londono_one_mass():  # L5
    M, C, K = whole("londono2011_sdof")
    assert np.sqrt(K / M).item() == pytest.approx(22.3607, rel=1e-5)
    assert (C / (2 * np.sqrt(K * M))).item() == pytest.approx(0.03)


def test_wu_five_masses_with_the_specimen():  # U16
    M, _, K = whole("wu2013_five_dof", 40e3)
    assert_allclose(hertz(M, K), [0.6753, 1.9716, 3.1086, 3.9932, 4.5534], atol=1e-3)


def test_wu_single_masses():  # U19, U11
    assert [m.item() for m in whole("wu2013_sdof")] == [1520.0, 0.0, 20e3]
    assert [m.item() for m in whole("wu2013_simulated")] == [1.0, 0.0, 200.0]


@pytest.mark.parametrize("frequency", [0.5, 5.0, 15.0])
def test_carrion_has_the_frequency_and_damping_wanted_of_the_whole(frequency):  # C0
    M, C, K = whole("carrion2006", 3.61e6, frequency=frequency)
    assert hertz(M, K).item() == pytest.approx(frequency, rel=1e-12)
    assert (C / (2 * np.sqrt(K * M))).item() == pytest.approx(0.02, rel=1e-12)
    assert 3.61e6 / K.item() == pytest.approx(0.35185, rel=1e-5)


def test_chen_has_the_printed_period():  # H5
    M, C, K = whole("chen2010")
    assert_allclose(1 / hertz(M, K), [1.42, 0.57998], rtol=1e-5)
    assert_allclose(np.diag(M), 611.897e3, rtol=1e-5)
    square, phi = eigh(K, M)
    assert_allclose(np.diag(phi.T @ C @ phi) / (2 * np.sqrt(square)), 0.02, rtol=1e-10)
    assert_array_equal(Published(name="chen2010").interface_rows(), [[1, 0], [-1, 1]])


@pytest.mark.parametrize("name", typing.get_args(Name))
def test_every_name_gives_a_structure_with_a_place_for_its_specimen(name):
    s = Published(name=name, **({"frequency": 5.0} if name == "carrion2006" else {}))
    assert s.interface_rows().shape[1] == len(s.matrices()[0]) == len(s.influence_vector())


def test_a_frequency_is_wanted_where_the_paper_leaves_it_open_and_only_there():
    with pytest.raises(InputError, match=r"frequency.*is required"):
        Published(name="carrion2006")
    with pytest.raises(InputError, match=r"frequency.*fixed by the paper"):
        Published(name="wallace2005", frequency=5.0)
    with pytest.raises(InputError, match="name"):
        Published(name="nobody1900")
