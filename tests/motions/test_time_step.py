"""The step of a column of times: rounding is understood, anything else is named with its place."""

import numpy as np
import pytest

from rths.errors import InputError
from rths.motions.time_step import uniform_step


def place(k: int) -> str:
    return f"sample {k}"


@pytest.mark.parametrize("decimals", [4, 5, 6])
def test_times_rounded_to_their_last_decimal_have_one_step(decimals):
    time = np.round(np.arange(2000) / 1024, decimals)
    # (1): the ends are off by half a decimal each, over 1999 steps
    assert uniform_step(time, 10.0**-decimals, place) == pytest.approx(
        1 / 1024, abs=10.0**-decimals / 1999
    )


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({k: 0.1 * k + 0.04 for k in range(5, 10)}, "sample 5 = 0.54.*elsewhere it is 0.1"),
        ({5: 0.4}, r"sample 5 = 0\.4: does not grow from 0\.4"),
        ({5: np.nan}, "sample 5 = nan: is not finite"),
        ({k: 0.1 * k + 0.3 for k in range(5, 10)}, "sample 5 = 0.8.*gap"),
    ],
)
def test_the_sample_where_the_step_breaks_is_named(changed, problem):
    time = 0.1 * np.arange(10)
    for k, t in changed.items():
        time[k] = t
    with pytest.raises(InputError, match=problem):
        uniform_step(time, 0.001, place)
