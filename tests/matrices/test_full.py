import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from scipy import sparse

from rths.errors import InputError
from rths.matrices.full import LARGEST, fill, fill_compressed


@settings(max_examples=40)
@given(seed=st.integers(0, 999), shape=st.tuples(st.integers(1, 9), st.integers(1, 9)))
def test_it_is_what_scipy_makes_of_the_same_entries(seed, shape):
    rng = np.random.default_rng(seed)
    count = int(rng.integers(0, 20))
    rows, columns = (rng.integers(0, n, count) for n in shape)
    values = rng.integers(-9, 9, count).astype(float)  # sums without round-off
    known = sparse.coo_matrix((values, (rows, columns)), shape)
    assert_array_equal(fill(shape, rows, columns, values), known.toarray())
    for made, by_columns in ((known.tocsr(), False), (known.tocsc(), True)):
        found = fill_compressed(shape, made.indptr, made.indices, made.data, by_columns)
        assert_array_equal(found, known.toarray())


def test_more_room_than_is_filled_is_left_alone():  # MATLAB keeps some in reserve
    found = fill_compressed(
        (2, 2), np.array([0, 1, 1]), np.array([1, 7]), np.array([3.0, 9.0]), True
    )
    assert_array_equal(found, [[0.0, 0.0], [3.0, 0.0]])


@pytest.mark.parametrize(
    ("starts", "places"),
    [
        ([0, 1], [0]),
        ([1, 1, 1], [0]),
        ([0, 2, 1], [0, 0]),
        ([0, 1, 3], [0, 1, 2]),
        ([0, 1, 1], [-1]),
    ],
)
def test_entries_that_contradict_one_another_are_refused(starts, places):
    with pytest.raises(ValueError, match=r"contradict|outside"):
        fill_compressed((2, 2), np.array(starts), np.array(places), np.ones(len(places)), True)


def test_no_room_is_made_for_what_no_test_can_step():
    none = np.zeros(0, int)
    with pytest.raises(InputError, match=f"larger than {LARGEST}x{LARGEST}"):
        fill((10**9, 10**9), none, none, np.zeros(0))
