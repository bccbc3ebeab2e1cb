"""A distribution gives the value below which a share of all values lies."""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.errors import InputError
from rths.sweep.variable import read_variable


def read(**given):
    return read_variable({"field": "transfer.delay", **given}, 0)


@pytest.mark.parametrize(
    ("given", "share", "value"),
    [
        ({"low": 2.0, "high": 6.0}, 0.25, 3.0),
        ({"mean": 1.0, "deviation": 0.5}, 0.5, 1.0),
        ({"mean": 0.0, "deviation": 1.0}, 0.975, 1.959963984540054),
        ({"median": 2.0, "factor": 3.0}, 0.8413447460685429, 6.0),
        ({"quantiles": [[0, 1.0], [0.5, 2.0], [1, 10.0]]}, 0.75, 6.0),
        ({"distribution": "expon", "parameters": {"scale": 2.0}}, 0.5, 2 * np.log(2)),
        ({"values": ["a", "b"]}, 0.6, "b"),
    ],
)
def test_a_quantile_is_that_of_the_distribution(given, share, value):
    (found,) = read(**given).values_of(np.array([share]))
    if isinstance(value, str):
        assert found == value
    else:
        assert_allclose(found, value, rtol=1e-12)


def test_shares_of_zero_and_one_have_finite_values():
    assert np.isfinite(read(mean=0.0, deviation=1.0).values_of(np.array([0.0, 1.0]))).all()


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"low": 1.0},
        {"low": 2.0, "high": 1.0},
        {"low": 0.0, "high": float("nan")},
        {"low": "a", "high": 2.0},
        {"mean": 1.0, "deviation": 0.0},
        {"median": -1.0, "factor": 2.0},
        {"values": []},
        {"values": 3},
        {"values": [1.0, float("nan")]},
        {"values": [1.0, date(2026, 1, 1)]},
        {"values": [{"a": 1.0}]},
        {"low": 1.0, "high": 2.0, "parameters": {"a": 1.0}},
        {"quantiles": [[0, 1.0]]},
        {"quantiles": [[0, 1.0], [0.5, 0.5], [1, 2.0]]},
        {"quantiles": [[0.1, 1.0], [1, 2.0]]},
        {"distribution": "no_such"},
        {"distribution": "gamma"},
        {"distribution": "gamma", "parameters": {"a": -1.0}},
        {"low": 1.0, "high": 2.0, "mean": 1.0},
        {"low": 1.0, "high": 2.0, "points": 0},
        {"lo": 1.0, "high": 2.0},
    ],
)
def test_what_is_no_distribution_is_refused_by_its_place(given):
    with pytest.raises(InputError, match=r"variable\[0\]"):
        read(**given)
