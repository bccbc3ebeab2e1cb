"""J1 to J9 on signals whose criteria are known by hand."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.errors import InputError
from rths.metrics.silva2020 import best_lag, silva2020

H = 1 / 4096
T = np.arange(40960) * H
FLOORS = np.column_stack([np.sin(2 * np.pi * f * T) for f in (1.0, 2.0, 3.0)])  # whole periods


def test_perfect_tracking_scores_nothing():
    assert_allclose(silva2020(FLOORS[:, 0], FLOORS, FLOORS, H), 0.0, atol=1e-12)


def test_gains_give_the_criteria_of_their_definitions():
    reference = FLOORS.copy()
    floors = FLOORS * [1.01, 1.02, 0.97]
    measured = 1.01 * 1.05 * FLOORS[:, 0]
    J = silva2020(measured, floors, reference, H)
    assert_allclose(J[:3], [0.0, 5.0, 5.0], rtol=1e-9, atol=1e-12)  # against y1
    assert_allclose(J[3:5], 6.05, rtol=1e-9)  # against r1
    assert_allclose(J[5:], [2.0, 3.0, 2.0, 3.0], rtol=1e-9)  # rms of 2, 3; peak of 2, 3


def test_a_constant_offset_is_no_rms_error_but_a_peak_error():
    J = silva2020(FLOORS[:, 0] + 0.1, FLOORS, FLOORS, H)
    assert_allclose(J[[1, 3]], 0.0, atol=1e-9)
    assert_allclose(J[[2, 4]], 10.0, rtol=1e-9)


@pytest.mark.parametrize("lag", [0, 1, 19, 49])
def test_a_lag_is_found_in_samples(lag):
    y = np.random.default_rng(1).standard_normal(4000)
    x = np.concatenate([np.zeros(lag), y])[: y.size]
    assert best_lag(x, y) == lag


def test_lags_agree_with_correlation_coefficients():
    rng = np.random.default_rng(2)
    y = np.cumsum(rng.standard_normal(3000)) + 5.0
    x = np.concatenate([np.zeros(30), y])[: y.size] + 0.3 * rng.standard_normal(y.size)
    found = [np.corrcoef(x[j:], y[: y.size - j])[0, 1] for j in range(50)]
    assert best_lag(x, y) == int(np.argmax(found))


def test_a_lead_is_not_seen():  # a pitfall of the definition, kept on purpose
    y = FLOORS[:, 0]
    assert best_lag(np.append(y[20:], np.zeros(20)), y) == 0


def test_damaged_signals_are_refused():
    with pytest.raises(InputError, match="do not match"):
        silva2020(FLOORS[:-1, 0], FLOORS, FLOORS, H)
    with pytest.raises(InputError, match="finite"):
        silva2020(np.where(T == 0, np.inf, T), FLOORS, FLOORS, H)
