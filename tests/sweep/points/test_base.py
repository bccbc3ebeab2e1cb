"""Any stretch of a design is that stretch of the whole; its points have their distribution."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from rths.errors import InputError
from rths.sweep.points import design_names, find_design
from rths.sweep.variable import read_variable

FIELDS = ("transfer.delay", "specimen.stiffness", "structure.mass")


def variables(points=4):
    return [
        read_variable({"field": f, "low": 0.0, "high": 1.0, "points": points}, i)
        for i, f in enumerate(FIELDS)
    ]


def design(name, runs=320, seed=3, **more):
    return find_design(name)(variables(), None if name == "grid" else runs, seed, **more)


@pytest.mark.parametrize("name", design_names())
@settings(max_examples=20)
@given(data=st.data())
def test_a_stretch_is_that_of_the_whole(name, data):
    made = design(name)
    first = data.draw(st.integers(0, made.size - 1))
    count = data.draw(st.integers(1, made.size - first))
    whole, part = made.columns(0, made.size), made.columns(first, count)
    assert part == {k: v[first : first + count] for k, v in whole.items()}


@pytest.mark.parametrize("name", design_names())
def test_a_seed_repeats(name):
    assert design(name).columns(5, 20) == design(name).columns(5, 20)
    if name != "grid":
        assert design(name).columns(5, 20) != design(name, seed=4).columns(5, 20)


@pytest.mark.parametrize("name", ["random", "latin_hypercube", "sobol"])
def test_correlated_numbers_keep_their_distribution_and_go_together(name):
    made = design(name, 4096, correlations={(FIELDS[0], FIELDS[2]): 0.8})
    u = np.array(list(made.columns(0, 4096).values()))
    for one in u:  # the largest distance to the even distribution: Kolmogorov's 99.9 % is 1.95/√n
        assert np.abs(np.sort(one) - np.arange(4096) / 4096).max() < 1.95 / 64
    ranks = u.argsort(axis=1).argsort(axis=1)
    # of a Gaussian copula with r = 0.8: 6/π asin(r/2); the standard error of it is below 1/√n
    assert_allclose(np.corrcoef(ranks)[0, 2], 6 / np.pi * np.arcsin(0.4), atol=3 / 64)
    assert abs(np.corrcoef(ranks)[0, 1]) < 3 / 64 * 1.5


@pytest.mark.parametrize("name", ["grid", "saltelli"])
def test_a_design_of_independent_numbers_refuses_correlated_ones(name):
    with pytest.raises(InputError, match="go together"):
        design(name, correlations={(FIELDS[0], FIELDS[1]): 0.5})


@pytest.mark.parametrize("runs", [0, -1, None, 2.5, True])
def test_a_number_of_runs_is_a_whole_number(runs):
    with pytest.raises(InputError, match="runs"):
        find_design("random")(variables(), runs)


def test_an_unknown_design_is_told_with_those_that_are():
    with pytest.raises(InputError, match=r"sobol"):
        find_design("sobl")
