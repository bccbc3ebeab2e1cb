"""The next test lies where the runs know least, and what the process does not know it says."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from rths.design.known_runs import KnownRuns
from rths.design.next_test import advise_runs, fit_process, gains, noise_of
from rths.errors import InputError

pytest.importorskip("sklearn")


def runs(x, y, **more):
    settings = {"transfer.delay": list(x), **more}
    return KnownRuns(settings, {"error": np.asarray(y, float)}, 0)


def test_a_gap_between_runs_is_where_to_go():
    x = np.concatenate([np.linspace(0.0, 0.3, 8), np.linspace(0.7, 1.0, 8)])
    found = advise_runs(runs(x, np.sin(9 * x)))
    (advice,) = found.advice
    assert 0.35 < advice.settings["transfer.delay"] < 0.65
    assert 0 < advice.gain <= 1


def test_the_gain_is_that_of_the_textbook():
    # one run more, told or not: var f over all settings before and after, by the process itself
    rng = np.random.default_rng(1)
    X = rng.random((12, 1))
    y = np.sin(6 * X[:, 0]) + 0.1 * rng.standard_normal(12)
    process = fit_process(X, y)
    tried, over = np.array([[0.05], [0.5]]), rng.random((40, 1))
    gain, left = gains(process, tried, over)
    noise = noise_of(process)

    def variance(points):
        k = process.kernel_.k1
        K = k(points) + noise * np.eye(len(points))
        across = k(over, points)
        return np.mean(k.diag(over) - np.sum(across * np.linalg.solve(K, across.T).T, axis=1))

    before = variance(X)
    assert left == pytest.approx(before, rel=1e-3)
    for k in range(2):
        after = variance(np.vstack([X, tried[k]]))
        assert gain[k] == pytest.approx(before - after, rel=1e-3, abs=1e-9)


def test_a_setting_in_words_is_one_of_those_that_were_tried():
    x = np.tile(np.linspace(0, 1, 8), 2)
    words = ["a"] * 8 + ["b"] * 8
    y = x + np.array([w == "b" for w in words])
    (advice,) = advise_runs(runs(x, y, **{"excitation.motion": words})).advice
    assert advice.settings["excitation.motion"] in ("a", "b")
    assert advice.known > 0.9


def test_an_order_that_is_told_can_be_set():
    x, order = np.tile(np.linspace(0, 1, 6), 3), np.repeat([1.0, 2.0, 3.0], 6)
    (advice,) = advise_runs(runs(x, x * order, **{"compensator.order": list(order)})).advice
    assert advice.settings["compensator.order"] in (1, 2, 3)
    assert type(advice.settings["compensator.order"]) is int


def test_noise_is_not_taken_for_knowledge():
    rng = np.random.default_rng(2)
    found = advise_runs(runs(rng.random(40), rng.standard_normal(40)))
    assert found.advice[0].known < 0.5
    assert "knows too little" in " ".join(found.lines)


def test_too_few_runs_are_one_message():
    with pytest.raises(InputError, match="fewer than"):
        advise_runs(runs([0.0, 1.0], [1.0, 2.0]))


def test_without_the_package_its_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.gaussian_process", None)
    with pytest.raises(InputError, match=r"rths\[design\]"):
        fit_process(np.zeros((3, 1)), np.arange(3.0))
