import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.linalg import eigh

from rths.errors import InputError
from rths.structure.condensed import Condensed

EI, LENGTH = 2.0e4, 3.0


def cantilever(mass_of_rotation=0.0):
    """A column fixed at its foot: deflection and rotation of its middle and of its top."""
    a = LENGTH / 2
    k = (
        EI
        / a**3
        * np.array(
            [
                [12, 6 * a, -12, 6 * a],
                [6 * a, 4 * a**2, -6 * a, 2 * a**2],
                [-12, -6 * a, 12, -6 * a],
                [6 * a, 2 * a**2, -6 * a, 4 * a**2],
            ]
        )
    )
    K = np.zeros((4, 4))
    K[:2, :2] += k[2:, 2:]
    K += k
    r = mass_of_rotation
    return np.diag([30.0, r, 20.0, r]), K


def test_the_tip_of_a_cantilever_has_the_stiffness_of_the_textbook():
    M, K = cantilever()
    tip = Condensed(mass=M, stiffness=K, damping_ratios=0.0, keep=(2,), interface=(2,))
    assert tip.matrices()[2].item() == pytest.approx(3 * EI / LENGTH**3, rel=1e-12)


def test_statics_of_what_is_kept_are_exact():
    M, K = cantilever()
    s = Condensed(mass=M, stiffness=K, damping_ratios=0.0, keep=(2, 0), interface=(2, 1))
    full = np.linalg.solve(K, [5.0, 0.0, 7.0, 0.0])
    kept = np.linalg.solve(s.matrices()[2], [7.0, 5.0])
    assert_allclose(kept, full[[2, 0]], rtol=1e-10)
    assert_allclose(s.interface_rows() @ kept, full[[2, 1]], rtol=1e-10)  # a removed one too


def test_without_mass_on_what_is_removed_the_dynamics_are_exact():
    M, K = cantilever()
    m, _, k = Condensed(mass=M, stiffness=K, damping_ratios=0.0, keep=(0, 2)).matrices()
    flexible = np.sort(np.linalg.eigvals(np.linalg.solve(K, M)).real)  # 0, 0, 1/ω_2², 1/ω_1²
    assert_allclose(eigh(k, m, eigvals_only=True), 1 / flexible[:1:-1], rtol=1e-10)
    s = Condensed(mass=M, stiffness=K, damping_ratios=0.0, keep=(0, 2), influence=(1, 0, 1, 0))
    assert_allclose(s.influence_vector(), 1.0)


def test_frequencies_come_out_too_high_and_the_lowest_nearly_right():
    M, K = np.diag([1.0] * 6), 100 * (2 * np.eye(6) - np.eye(6, k=1) - np.eye(6, k=-1))
    s = Condensed(mass=M, stiffness=K, damping_ratios=0.02, keep=(1, 3, 5))
    m, c, k = s.matrices()
    found = np.sqrt(eigh(k, m, eigvals_only=True))
    want = np.sqrt(eigh(K, M, eigvals_only=True))[:3]
    excess = found / want - 1
    assert 0 < excess[0] == excess.min()
    assert excess[0] < 0.03
    square, phi = eigh(k, m)
    assert_allclose(np.diag(phi.T @ c @ phi) / (2 * np.sqrt(square)), 0.02, rtol=1e-10)


def test_a_ground_acceleration_keeps_its_load():
    """Statics: under M i the kept ones move as in the full model."""
    M, K = np.diag([1.0, 2.0, 3.0, 4.0]), 100 * (2 * np.eye(4) - np.eye(4, k=1) - np.eye(4, k=-1))
    s = Condensed(mass=M, stiffness=K, damping_ratios=0.0, keep=(0, 3))
    m, _, k = s.matrices()
    full = np.linalg.solve(K, M @ np.ones(4))
    assert_allclose(np.linalg.solve(k, m @ s.influence_vector()), full[[0, 3]], rtol=1e-12)


def test_a_damping_matrix_is_condensed_along():
    M, K = cantilever()
    s = Condensed(mass=M, stiffness=K, damping=0.01 * K, keep=(0, 2))
    _, c, k = s.matrices()
    assert_allclose(c, 0.01 * k, rtol=1e-9)


def test_keeping_all_changes_nothing():
    M, K = cantilever(1.0)
    s = Condensed(mass=M, stiffness=K, damping=0.01 * K, keep=(0, 1, 2, 3))
    for found, want in zip(s.matrices(), (M, 0.01 * K, K), strict=True):
        assert_allclose(found, want)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"keep": ()}, "must name some of the 4"),
        ({"keep": (0, 0)}, "each once"),
        ({"keep": (0, 4)}, "must name some of the 4"),
        ({"keep": (0, 1, 2)}, "singular or negative"),  # a rotation without mass was kept
        ({"stiffness": np.diag([1.0, 1.0, 0.0, 1.0]), "keep": (0,)}, "can move without any force"),
        ({"stiffness": np.eye(3)}, "must be 4x4"),
        ({"damping": np.eye(2), "damping_ratios": None}, "must be 4x4"),
        ({"damping": np.eye(4)}, "together with damping"),
    ],
)
def test_what_does_not_fit_is_refused(fields, message):
    M, K = cantilever()
    given = {"mass": M, "stiffness": K, "damping_ratios": 0.0, "keep": (0, 2)}
    with pytest.raises(InputError, match=message):
        Condensed(**{**given, **fields})
