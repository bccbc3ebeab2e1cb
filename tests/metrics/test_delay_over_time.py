"""Delay over time: a step is followed, and gaps stay gaps."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.errors import InputError
from rths.metrics.delay_over_time import delay_over_time

H = 1 / 1024


def test_delay_over_time_follows_a_step_of_the_delay_and_leaves_gaps():
    t = np.arange(12 * 1024) * H
    tau = np.where(t < 6.0, 0.010, 0.025)
    envelope = np.where(t < 10.0, 1.0, 1e-5)  # after that hardly any motion
    c = envelope * np.sin(2 * np.pi * 3 * t)
    m = envelope * np.sin(2 * np.pi * 3 * (t - tau))
    found = delay_over_time(c, m, H, longest=0.05)
    assert_allclose(found.delays[found.times < 5.4], 0.010, atol=1e-7)
    late = (found.times > 6.6) & (found.times < 9.4)
    assert_allclose(found.delays[late], 0.025, atol=1e-7)
    assert np.isnan(found.delays[found.times > 10.6]).all()
    assert found.times[0] == pytest.approx(0.5, abs=H)


@pytest.mark.parametrize(("window", "longest"), [(1.0, 0.3), (1e-3, 0.1), (99.0, 0.1), (1.0, 0.0)])
def test_windows_that_do_not_fit_are_refused(window, longest):
    t = np.arange(2048) * H
    with pytest.raises(InputError, match=r"window|longest"):
        delay_over_time(np.sin(t), np.sin(t), H, window=window, longest=longest)
