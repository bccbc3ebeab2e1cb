import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from rths.errors import InputError
from rths.matrices.symmetric import make_symmetric


def made(A):
    return make_symmetric("structure.stiffness", "K.npy", np.asarray(A, float))


def assembled(n, seed):
    """A stiffness as elements add up, entries over twelve powers of ten, with round-off."""
    rng = np.random.default_rng(seed)
    S = rng.normal(size=(n, n)) * 10.0 ** rng.uniform(-3, 3, n)
    A = S.T @ S
    return A * (1 + 4e-15 * rng.normal(size=A.shape))


def test_numbers_near_the_largest_are_judged_as_others_are():
    large = np.array([[1.7e308, 1e308], [1e308, 1.7e308]])
    assert_array_equal(made(large), large)
    with pytest.raises(InputError, match="not symmetric"):
        made([[1e308, 1e308], [-1e308, 1e308]])


@settings(max_examples=40)
@given(n=st.integers(1, 12), seed=st.integers(0, 999))
def test_round_off_is_taken_out_and_nothing_else(n, seed):
    A = assembled(n, seed)
    found = made(A)
    assert_array_equal(found, found.T)
    assert_allclose(found, A, rtol=1e-12)


@settings(max_examples=40)
@given(n=st.integers(2, 12), seed=st.integers(0, 999), data=st.data())
def test_an_entry_that_is_off_is_named(n, seed, data):
    A = assembled(n, seed)
    i, j = data.draw(st.permutations(range(n)))[:2]
    A[i, j] += 1e-3 * np.sqrt(A[i, i] * A[j, j])
    with pytest.raises(InputError, match=f"row {min(i, j)}, column {max(i, j)}, counted from 0"):
        made(A)


def test_what_most_likely_happened_is_said():
    K = np.array([[2.0, -1.0], [-1.0, 1.0]])
    with pytest.raises(InputError, match=r"One of its triangles is empty: save K \+ K'"):
        made(np.triu(K))
    with pytest.raises(InputError, match=r"is 1x3, not square. Write a diagonal as diag"):
        made(np.ones((1, 3)))
    with pytest.raises(InputError, match=r"is 2x3, not square\. A structure"):
        made(np.ones((2, 3)))
