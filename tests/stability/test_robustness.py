from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.robustness import coverage, critical_stiffness
from benchmarks.robustness import rig as plain_rig
from rths.errors import InputError
from rths.stability.certificate import certify
from rths.stability.correlation import correlation_matrix, draw_numbers, read_correlation
from rths.stability.distribution import (
    Interval,
    LogNormal,
    Normal,
    read_all_uncertain,
    read_uncertain,
)
from rths.stability.loop_change import PlanRoots, roots_at_rest
from rths.stability.loop_chart import chart, chart_of
from rths.stability.robustness import (
    Robustness,
    clopper_pearson,
    corners,
    find_worst,
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
        ("transfer.delay = 0.01 */ 1.2", LogNormal(0.01, 1.2)),
    ],
)
def test_uncertain_numbers_are_read(near, text, meant):
    _, found = read_uncertain(near, text)
    assert type(found) is type(meant)
    assert vars(found) == pytest.approx(vars(meant))


@pytest.mark.parametrize(
    "text", ["transfer.delay", "transfer.delay=often", "transfer.delay=2..1", "transfer.delay=0*/2"]
)
def test_what_is_no_range_is_refused(near, text):
    with pytest.raises(InputError, match="uncertain"):
        read_uncertain(near, text)


@pytest.mark.parametrize("text", ["transfer.kind=1..2", "transfer=1..2", "integrator=+-5%"])
def test_what_is_no_number_is_refused(near, text):
    with pytest.raises(InputError, match="names no number of this plan"):
        read_uncertain(near, text)


def test_a_range_that_is_none_is_told_with_its_field(near):
    with pytest.raises(InputError, match=r"transfer\.delay=2\.\.1': is no interval"):
        read_uncertain(near, "transfer.delay=2..1")


def test_a_number_is_named_once(near):
    with pytest.raises(InputError, match="second time"):
        read_all_uncertain(near, ["transfer.delay=1e-3..2e-3", "transfer.delay=+-5%"])


def test_one_sample_is_enough_to_answer(near):
    assert judge_robustness(near, {"transfer.delay": Interval(1e-3, 2e-3)}, 1).samples == 1


def test_noise_on_a_proof_is_no_caveat_of_its_roots(near, make):
    loud = replace(near, feedback=make("feedback", "noise", force=0.003), duration=60.0)
    proved = certify(loud, margins=False)
    assert any("Noise alone" in note for note in proved.notes)
    assert proved.caveats == ()


def test_an_unknown_number_is_refused_with_those_there_are(near):
    with pytest.raises(InputError, match=r"transfer\.delay"):
        read_uncertain(near, "transfer.lag=1..2")


def test_sensitivities_are_those_of_the_characteristic_equation(near):
    found = {s.path: s.growth_rate for s in sensitivities(PlanRoots(near))}
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


def test_a_sample_that_the_plan_refuses_ends_nothing_and_counts(near):
    below_zero = {"specimen.stiffness": Normal(100.0, 400.0)}  # two of five are negative
    found = judge_robustness(near, below_zero, samples=60, seed=1)
    assert 10 < found.refused < 40
    assert found.unstable == 0
    assert found.probability_bound > found.probability == found.refused / 60
    assert np.isfinite(found.worst_growth_rate)


def test_with_eight_numbers_each_pair_of_corners_is_tried_equally_often():
    rows = corners(8)
    assert len(rows) == 64
    for i in range(8):
        for j in range(i):
            seen = rows[:, i] * 2 + rows[:, j]
            assert np.bincount(seen.astype(int)).tolist() == [16] * 4
    assert len({tuple(r) for r in corners(3).tolist()}) == 8  # all there are


def test_the_worst_case_of_eight_numbers_has_the_first_two_high(near):
    def rate(values):
        return float(values[0] + 2 * values[1] - values[2:].sum())

    box = np.tile([0.0, 1.0], (8, 1))
    worst, top = find_worst(rate, box, np.full(8, 0.5))
    assert worst.tolist() == [1.0, 1.0, *[0.0] * 6]
    assert top == 3.0


def test_correlated_numbers_keep_their_own_distributions():
    uncertain = {"a": Normal(5.0, 2.0), "b": LogNormal(3.0, 1.5), "c": Interval(0.0, 1.0)}
    given = {("a", "b"): 0.8, ("b", "c"): -0.5}
    drawn = draw_numbers(uncertain, given, np.random.default_rng(0), 20_000)
    assert drawn[:, 0].mean() == pytest.approx(5.0, abs=4 * 2.0 / np.sqrt(20_000))
    assert drawn[:, 0].std() == pytest.approx(2.0, rel=0.02)
    logs = np.log(drawn[:, 1])
    assert np.exp(np.median(logs)) == pytest.approx(3.0, rel=0.02)
    assert np.exp(logs.std()) == pytest.approx(1.5, rel=0.02)
    assert np.corrcoef(drawn[:, 0], logs)[0, 1] == pytest.approx(0.8, abs=0.01)
    assert np.quantile(drawn[:, 2], [0.1, 0.5, 0.9]) == pytest.approx([0.1, 0.5, 0.9], abs=0.02)
    assert np.corrcoef(logs, drawn[:, 2])[0, 1] < -0.4


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({("a", "d"): 0.5}, "pair"),
        ({("a", "a"): 0.5}, "pair"),
        ({("a", "b"): 1.5}, "between -1 and 1"),
        ({("a", "b"): 1.0}, "leaves but one number.* Give less, as 0.999"),
        ({("a", "b"): -1.0}, "leaves but one number.* Give less, as -0.999"),
        ({("a", "b"): 0.9, ("b", "c"): 0.9, ("a", "c"): -0.9}, "contradict"),
    ],
)
def test_correlations_that_cannot_be_are_refused(given, problem):
    with pytest.raises(InputError, match=problem):
        correlation_matrix(["a", "b", "c"], given)


def test_correlations_are_read():
    read = read_correlation("transfer.delay, specimen.stiffness = -0.7")
    assert read == (("transfer.delay", "specimen.stiffness"), -0.7)
    with pytest.raises(InputError, match="correlated"):
        read_correlation("transfer.delay=0.7")


def test_what_is_not_linear_is_certified_sample_by_sample(near, make, monkeypatch):
    seen = []

    def certify(test, margins=True):
        seen.append(test.transfer.delay)
        runs = test.transfer.delay < 6.2e-3
        return SimpleNamespace(may_run=runs, caveats=("It yields.",))

    monkeypatch.setattr("rths.stability.certificate.certify", certify)
    found = judge_robustness(near, {"transfer.delay": Interval(6e-3, 6.4e-3)}, samples=20)
    assert len(seen) == 21  # the plan itself, and each sample
    assert found.unstable == sum(d >= 6.2e-3 for d in seen[1:]) > 0
    assert found.method == "certificates"
    assert found.caveats == ("It yields.",)


def test_a_chart_carries_the_notes_of_the_certificate(rig, make):
    yielding = rig(specimen=make("specimen", "bilinear", stiffness=2250.0, yield_displacement=2e-3))
    axes = ([1e-3, 2e-3], [1000.0, 2000.0])
    drawn = chart_of(
        yielding, "transfer.delay", "specimen.stiffness", *axes, caveats=["It yields."]
    )
    assert drawn.as_dict()["caveats"] == ["It yields."]


@pytest.mark.parametrize("delay", [3e-3, 5.5e-3, 8.3e-3])
def test_the_truth_about_the_bound_is_that_of_the_loop(delay):
    (k,) = critical_stiffness(np.array([delay]))
    low, high = (roots_at_rest(plain_rig(f * k, delay)).growth_rate for f in (1 - 1e-7, 1 + 1e-7))
    assert low < 0 < high


def test_of_what_was_only_tested_nothing_is_called_stable():
    numbers = (20, 3, 0, 0.3, 0.95, {"transfer.delay": 0.01}, -1.0, {"transfer.delay": 1.0}, 0)
    assert Robustness(*numbers, "roots").words == "not stable, by their roots"
    assert "stable" not in Robustness(*numbers, "certificates").words


def test_the_bound_covers_the_truth_as_often_as_it_says():
    assert coverage(repetitions=500, samples=60, seed=11) >= 0.95
