import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.linalg import eigh

from rths.errors import InputError
from rths.structure.linear import Linear

M = np.array([[3.0, 0.5, 0.0], [0.5, 2.0, 0.0], [0.0, 0.0, 1.0]])
K = np.array([[900.0, -400.0, 0.0], [-400.0, 700.0, -300.0], [0.0, -300.0, 300.0]])


def ratios(M, C, K):
    """Modal damping ratios, and how far the modes are coupled by the damping."""
    square, phi = eigh(K, M)
    modal = phi.T @ C @ phi
    omega = np.sqrt(square)
    return np.diag(modal) / (2 * omega), np.abs(modal - np.diag(np.diag(modal))).max()


zetas = st.floats(1e-3, 0.9)


@given(z=st.tuples(zetas, zetas, zetas))
def test_modal_damping_gives_each_mode_its_ratio_and_couples_none(z):
    found, coupled = ratios(*Linear(mass=M, stiffness=K, damping_ratios=z).matrices())
    assert_allclose(found, z, atol=1e-12)
    assert coupled < 1e-11


def test_one_ratio_serves_all_modes():
    found, _ = ratios(*Linear(mass=M, stiffness=K, damping_ratios=0.05).matrices())
    assert_allclose(found, 0.05, rtol=1e-12)


@given(z=zetas, w=zetas, pair=st.permutations([0, 1, 2]))
def test_rayleigh_damping_gives_two_modes_their_ratios_from_mass_and_stiffness_alone(z, w, pair):
    i, j, other = sorted(pair[:2]) + pair[2:]
    omega = np.sqrt(eigh(K, M, eigvals_only=True))
    a, b = np.linalg.solve(np.column_stack([0.5 / omega[[i, j]], omega[[i, j]] / 2]), [z, w])
    fields = {"mass": M, "stiffness": K, "rayleigh": (z, w), "rayleigh_modes": (i, j)}
    if a / omega[other] + b * omega[other] < -1e-9:  # the third mode would be driven
        with pytest.raises(InputError, match=f"rayleigh.*drives mode {other}"):
            Linear(**fields)
        return
    m, C, k = Linear(**fields).matrices()
    found, coupled = ratios(m, C, k)
    assert_allclose(found[[i, j]], [z, w], atol=1e-12)
    assert coupled < 1e-11
    assert_allclose(C, a * M + b * K, atol=1e-10)


def test_the_matrix_is_taken_as_it_is_and_one_number_is_one_degree_of_freedom():
    m, c, k = Linear(mass=2.0, damping=3.0, stiffness=4.0).matrices()
    assert (m.item(), c.item(), k.item()) == (2.0, 3.0, 4.0)
    C = np.diag([1.0, 2.0, 3.0])
    assert_array_equal(Linear(mass=M, stiffness=K, damping=C).matrices()[1], C)


def test_specimens_between_two_degrees_of_freedom_are_rows():
    s = Linear(mass=M, stiffness=K, damping_ratios=0.0, rows=[[1.0, -1.0, 0.0]])
    assert_array_equal(s.interface_rows(), [[1.0, -1.0, 0.0]])
    assert_array_equal(
        Linear(mass=M, stiffness=K, damping_ratios=0.0, interface=(2, 0)).interface_rows(),
        [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]],
    )


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({}, "damping.*is required"),
        ({"damping": K, "damping_ratios": 0.02}, "damping_ratios.*together with damping"),
        ({"damping_ratios": 0.02, "rayleigh": (0.02, 0.02)}, "rayleigh.*together with damping_rat"),
        ({"damping_ratios": (0.02, 0.02)}, "has 2 entries for 3 mode"),
        ({"damping_ratios": 2.0}, r"outside 0\.\.\.1"),
        ({"rayleigh": (0.02, 0.02), "rayleigh_modes": (0, 3)}, "two different ones of the 3"),
        ({"rayleigh": (0.02, 0.02), "rayleigh_modes": (1, 1)}, "two different ones"),
        ({"rayleigh": (0.02, 1.5)}, "rayleigh"),
        ({"rayleigh": (0.9, 0.01)}, "drives mode 2 with a ratio of -0"),
        ({"damping": np.eye(2)}, "is 2x2 where 3x3 is needed"),
        ({"damping": -np.eye(3)}, "negative diagonal"),
        ({"damping_ratios": 0.02, "interface": (3,)}, "does not exist"),
        ({"damping_ratios": 0.02, "rows": [[1.0, 0.0]]}, "must have 3 columns"),
        ({"damping_ratios": 0.02, "influence": (1.0, 1.0)}, "must have 3 entries"),
        ({"damping_ratios": 0.02, "mass": np.diag([1.0, 1.0, 0.0])}, "condense the massless"),
        ({"damping_ratios": 0.02, "stiffness": np.triu(K)}, "not symmetric"),
        (
            {"rayleigh": (0.02, 0.02), "stiffness": np.zeros((3, 3))},
            "different frequencies above 0",
        ),
    ],
)
def test_what_does_not_fit_is_refused_with_a_remedy(fields, message):
    with pytest.raises(InputError, match=message):
        Linear(**{"mass": M, "stiffness": K, **fields})
