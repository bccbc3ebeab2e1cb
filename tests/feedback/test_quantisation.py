from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from rths.errors import InputError
from rths.feedback.quantisation import Quantisation
from rths.loop.solo import respond
from rths.site import Site

SITE = Site(1e-3, 1e-3)


def read(values, **given):
    return respond(Quantisation(**given).block(SITE), values)[:, 0]


@given(st.lists(st.floats(-9.9, 9.9), min_size=1, max_size=30), st.integers(2, 24))
def test_inside_the_range_the_error_is_half_a_step_at_most(values, bits):
    q = 20.0 / 2**bits
    inside = np.clip(values, -10.0, 10.0 - q)
    found = read(inside, bits=bits, force_range=10.0)
    assert np.all(np.abs(found - inside) <= q / 2 * (1 + 1e-12))
    assert_allclose(found / q, np.round(found / q), atol=1e-9)


def test_beyond_the_range_it_saturates_at_its_first_and_last_code():
    assert_array_equal(read([-99.0, 99.0, 0.0], bits=3, force_range=4.0), [-4.0, 3.0, 0.0])


def test_the_error_of_a_moving_signal_is_that_of_a_uniform_distribution():
    x = 9.0 * np.sin(0.1234 * np.arange(20_000))
    error = read(x, bits=10, force_range=10.0) - x
    assert_allclose(error.std(), 20 / 2**10 / np.sqrt(12), rtol=0.02)


def test_a_nan_stays_one_so_that_the_guard_sees_it():
    assert np.isnan(read([np.nan], force_range=1.0)).all()


def test_what_has_no_range_stays_as_it_is():
    only = Quantisation(displacement_range=0.1)
    assert only.block(SITE) is None
    assert_allclose(respond(only.displacement_block(SITE), [0.05])[:, 0], 0.05, atol=0.1 / 2**15)


def test_no_bits_are_refused():
    with pytest.raises(InputError, match="bits"):
        Quantisation(bits=0)
