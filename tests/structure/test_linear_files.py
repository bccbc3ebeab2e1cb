"""Matrices of a structure that lie in files, as finite-element programs write them."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import io, sparse

from rths.errors import InputError
from rths.structure.condensed import Condensed
from rths.structure.linear import Linear
from rths.structure.shear_building import ShearBuilding

M = np.diag([2.2, 1.5, 1.0])
K = np.array([[3750.0, -1500.0, 0.0], [-1500.0, 2500.0, -1000.0], [0.0, -1000.0, 1000.0]])
C = 0.004 * K
L = np.array([[1.0, -1.0, 0.0]])


@pytest.fixture
def fe(tmp_path):
    """Write the matrices, some of them sparse, with what would not do; give names of them."""
    path = tmp_path / "fe.mat"
    given = {"M": sparse.csc_matrix(M), "C": C, "K": sparse.csc_matrix(K), "L": L}
    hollow, tilted, small = np.diag([1.0, 0.0, 1.0]), np.ones((3, 3)), np.eye(2)
    lone = np.diag([1.0, 0.0, 0.0])
    full = {"hollow": hollow, "lone": lone, "tilted": tilted, "small": small, "upper": np.triu(K)}
    io.savemat(path, given | full)
    return lambda name: f"{path}:{name}"


def test_they_are_those_of_the_same_numbers_in_the_plan(fe):
    files = Linear(mass=fe("M"), damping=fe("C"), stiffness=fe("K"), rows=fe("L"))
    plain = Linear(mass=M, damping=C, stiffness=K, rows=L)
    for found, known in zip(files.matrices(), plain.matrices(), strict=True):
        assert_array_equal(found, known)
    assert_array_equal(files.interface_rows(), plain.interface_rows())
    assert_array_equal(files.influence_vector(), np.ones(3))
    assert files.mass == fe("M")  # what a plan says, not the numbers


def test_round_off_of_the_program_does_not_stand_in_the_way_of_modes(tmp_path):
    rng = np.random.default_rng(3)
    np.save(tmp_path / "K.npy", K + 1e-11 * rng.normal(size=(3, 3)))
    made = Linear(mass=M, stiffness=str(tmp_path / "K.npy"), damping_ratios=0.02)
    _, found, stiffness = made.matrices()
    assert_array_equal(stiffness, stiffness.T)
    known = Linear(mass=M, stiffness=K, damping_ratios=0.02).matrices()[1]
    assert_allclose(found, known, atol=1e-9)


def test_damping_of_a_building_may_lie_in_a_file(fe):
    masses, storeys = (2.2, 1.5, 1.0), (2250.0, 1500.0, 1000.0)
    made = ShearBuilding(masses=masses, stiffnesses=storeys, damping=fe("C"))
    assert_array_equal(made.matrices()[1], C)


def test_a_condensed_model_may_have_masses_missing_where_it_removes(fe):
    made = Condensed(mass=fe("hollow"), stiffness=fe("K"), damping_ratios=0.0, keep=(0, 2))
    known = Condensed(mass=np.diag([1.0, 0.0, 1.0]), stiffness=K, damping_ratios=0.0, keep=(0, 2))
    for found, wanted in zip(made.matrices(), known.matrices(), strict=True):
        assert_array_equal(found, wanted)
    with pytest.raises(InputError, match=r"at degree of freedom 2, counted from 0\. .*condense"):
        Condensed(mass=fe("lone"), stiffness=fe("K"), damping_ratios=0.0, keep=(0, 2))


@pytest.mark.parametrize(
    ("field", "name", "problem"),
    [
        ("mass", "hollow", "singular or negative at degree of freedom 1, counted from 0"),
        ("mass", "tilted", "singular or negative at degree of freedom"),
        ("stiffness", "small", "is 2x2 where 3x3 is needed"),
        ("stiffness", "upper", "not symmetric: -1500 in row 0, column 1"),
        ("stiffness", "L", "is 1x3, not square"),
        ("damping", "small", "is 2x2 where 3x3 is needed"),
        ("damping", "c", "has no 'c'"),
        ("rows", "small", "must have 3 columns"),
    ],
)
def test_what_does_not_fit_is_named_by_field_and_file(fe, field, name, problem):
    fields = {"mass": fe("M"), "damping": fe("C"), "stiffness": fe("K"), field: fe(name)}
    with pytest.raises(InputError) as error:
        Linear(**fields)
    assert error.value.field == f"structure.{field}"
    assert error.value.value == fe(name)
    assert problem in error.value.problem


@pytest.mark.parametrize("text", ["2.2", "fe", "fe.txt:M", "M", ""])
def test_a_text_that_is_no_file_of_matrices_is_refused(text):
    with pytest.raises(InputError, match=r"structure\.mass.*neither a number nor a file.*quotes"):
        Linear(mass=text, stiffness=4.0, damping=1.0)
