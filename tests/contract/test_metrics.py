"""What every index of tracking promises."""

import numpy as np
import pytest

from rths.errors import InputError
from rths.metrics import metric, metric_names
from rths.metrics.frequency_evaluation_index import frequency_evaluation_index
from rths.metrics.nrmse import nrmse
from rths.metrics.rms_tracking_error import rms_tracking_error
from rths.metrics.synchronisation_subspace import synchronisation_subspace

H = 1 / 1024


def test_every_file_is_an_index_found_by_its_name():
    assert "nrmse" in metric_names()
    for name in metric_names():
        assert metric(name).__name__ == name
        assert metric(name).__doc__
    with pytest.raises(InputError, match="Use one of"):
        metric("speed")


PAIRS = ["maximum_tracking_error", "rms_tracking_error", "tracking_indicator",
         "frequency_evaluation_index", "delay_over_time"]  # fmt: skip


@pytest.mark.parametrize("name", PAIRS)
def test_damaged_signals_are_refused_by_every_index(name):
    c = np.sin(np.arange(4096) * H)
    with pytest.raises(InputError, match="do not match"):
        metric(name)(c, c[:-1], H)
    with pytest.raises(InputError, match="finite"):
        metric(name)(c, np.where(c > 0.5, np.inf, c), H)
    with pytest.raises(InputError, match="step"):
        metric(name)(c, c, -1.0)


def test_a_target_at_rest_has_no_relative_error():
    rest = np.zeros(100)
    for index in (rms_tracking_error, frequency_evaluation_index):
        with pytest.raises(InputError, match="target"):
            index(rest, rest + 1, H)
    with pytest.raises(InputError, match="reference"):
        nrmse(rest, rest, H)
    with pytest.raises(InputError, match="does not move"):
        synchronisation_subspace(rest, rest, H, delay=0.01)
