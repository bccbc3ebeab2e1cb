"""Response to a ramp."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.identification.ramp_response import ramp_response

H = 1 / 1024


@pytest.mark.parametrize("lag", [1e-5, 1e-3, 0.05, 5.0])
def test_the_response_to_a_ramp_is_exact_at_any_lag(lag):
    t = H * np.arange(500)
    expected = t - lag * -np.expm1(-t / lag)
    assert_allclose(ramp_response(t, H, lag, 0.0), expected, rtol=1e-10, atol=1e-13)
