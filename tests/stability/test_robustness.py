from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rths.errors import InputError
from rths.stability.distribution import Interval, Normal, read_uncertain
from rths.stability.loop_chart import chart, chart_of
from rths.stability.robustness import (
    clopper_pearson,
    growth_of,
    judge_robustness,
)
from rths.stability.sensitivity import sensitivities

CRITICAL = 6.7684422e-3  # of the rig at ticks of 1 ms


@pytest.fixture(scope="module")
def near(rig, make):
    return rig(transfer=make("transfer", "dead_time", delay=6.5e-3))


def test_the_probability_is_that_of_the_interval(near):
    found = judge_robustness(near, {"transfer.delay": Interval(6e-3, 7e-3)}, samples=150, seed=3)
    truth = (7e-3 - CRITICAL) / 1e-3
    assert abs(found.probability - truth) < 4 * np.sqrt(truth * (1 - truth) / 150)
    assert found.probability < found.probability_bound
    assert found == judge_robustness(
        near, {"transfer.delay": Interval(6e-3, 7e-3)}, samples=150, seed=3
    )


def test_the_worst_case_is_the_corner_that_physics_names(near):
    uncertain = {
        "transfer.delay": Normal(6e-3, 2e-4),
        "specimen.stiffness": Interval(2100.0, 2400.0),
        "structure.damping": Interval(0.9, 1.1),  # a matrix: a factor
    }
    found = judge_robustness(near, uncertain, samples=20)
    corner = {"transfer.delay": 6.6e-3, "specimen.stiffness": 2400.0, "structure.damping": 0.9}
    assert found.worst == pytest.approx(corner, rel=1e-3)
    rate = growth_of(near, list(corner))(np.array(list(corner.values())))
    assert found.worst_growth_rate == pytest.approx(rate, rel=1e-3)


def test_the_number_that_varies_most_matters_most(near):
    wide, narrow = Interval(5e-3, 7e-3), Interval(2240.0, 2260.0)
    found = judge_robustness(
        near, {"specimen.stiffness": narrow, "transfer.delay": wide}, samples=60
    )
    assert next(iter(found.importance)) == "transfer.delay"
    assert found.importance["transfer.delay"] > 0.9


@given(n=st.integers(1, 2000), share=st.floats(0, 1), level=st.floats(0.5, 0.999))
def test_clopper_pearson_bound_has_its_confidence(n, share, level):
    from scipy.special import bdtr

    k = round(share * (n - 1))
    bound = clopper_pearson(k, n, level)
    assert bdtr(k, n, bound) == pytest.approx(1 - level, abs=1e-9)


def test_no_failure_in_n_samples_is_the_rule_of_three():
    assert clopper_pearson(0, 300, 0.95) == pytest.approx(1 - 0.05 ** (1 / 300))
    assert clopper_pearson(5, 5, 0.95) == 1.0


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("transfer.delay=0.008..0.012", Interval(0.008, 0.012)),
        ("specimen.stiffness = 2250 +- 50", Normal(2250.0, 50.0)),
        ("specimen.stiffness=±10%", Interval(2025.0, 2475.0)),
        ("structure.mass=+-5%", Interval(0.95, 1.05)),
    ],
)
def test_uncertain_numbers_are_read(near, text, meant):
    _, found = read_uncertain(near, text)
    assert type(found) is type(meant)
    assert vars(found) == pytest.approx(vars(meant))


@pytest.mark.parametrize("text", ["transfer.delay", "transfer.delay=often", "transfer.delay=2..1"])
def test_what_is_no_range_is_refused(near, text):
    with pytest.raises(InputError, match="uncertain"):
        read_uncertain(near, text)


def test_an_unknown_number_is_refused_with_those_there_are(near):
    with pytest.raises(InputError, match=r"transfer\.delay"):
        read_uncertain(near, "transfer.lag=1..2")


def test_sensitivities_are_those_of_the_characteristic_equation(near):
    found = {s.path: s.growth_rate for s in sensitivities(near)}
    rate = growth_of(near, ["transfer.delay"])
    slope = (rate(np.array([6.51e-3])) - rate(np.array([6.49e-3]))) / 2e-5 * 6.5e-3
    assert found["transfer.delay"] == pytest.approx(slope, rel=1e-3)
    assert found["structure.damping"] < 0 < found["specimen.stiffness"]


def test_a_chart_shows_the_lobe_of_the_spring(rig):
    found = chart_of(
        rig(),
        "transfer.delay",
        "specimen.stiffness",
        np.linspace(2e-3, 14e-3, 5),
        np.linspace(200.0, 4000.0, 5),
    )
    rate = growth_of(rig(), ["transfer.delay", "specimen.stiffness"])
    ends = found.boundary.reshape(-1, 2)
    assert len(ends) > 4
    assert max(abs(rate(end)) for end in ends) < 1e-4
    assert found.point == (9.4e-3, 2250.0)
    assert found.growth_rate[0, 0] < 0 < found.growth_rate[-1, -1]
    assert found.x_name == "transfer.delay, s"


def test_a_quick_chart_computes_less_and_says_the_same():
    calls = []

    def rate(x, y):
        calls.append((x, y))
        return x * x + y * y - 1.0

    axis = np.linspace(0.0, 2.0, 17)
    full = chart(rate, axis, axis, ("x", "y"))
    whole, calls = len(calls), []
    quick = chart(rate, axis, axis, ("x", "y"), quick=True)
    assert len(calls) < 0.6 * whole
    assert np.array_equal(full.growth_rate < 0, quick.growth_rate < 0)
    ends = full.boundary.reshape(-1, 2)
    assert np.abs(np.hypot(*ends.T) - 1).max() < 1e-6


def test_values_that_the_plan_refuses_are_left_blank(rig):
    found = chart_of(rig(), "transfer.delay", "specimen.stiffness", [-1e-3, 2e-3], [1.0, 500.0])
    assert np.isnan(found.growth_rate[0]).all()
    assert np.isfinite(found.growth_rate[1]).all()
