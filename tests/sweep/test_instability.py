"""The probability of instability of a rig whose critical stiffness is known in closed form."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import ndtr

from benchmarks.robustness import critical_stiffness, rig
from rths.config.plan import load
from rths.errors import InputError
from rths.registry import find
from rths.sweep.instability import judge_instability
from rths.sweep.study import read_study


def study(test, **variable):
    tables = {"design": "random", "runs": 1, "variable": [{"field": "transfer.delay", **variable}]}
    return read_study(tables, test)


def test_a_delay_beyond_the_critical_one_is_as_probable_as_it_is():
    """The critical delay is where the critical stiffness is that of the rig."""
    k = 2250.0
    critical = brentq(lambda tau: critical_stiffness(np.array([tau]))[0] - k, 3e-3, 9e-3)
    mean, deviation = 5.5e-3, 2.5e-4
    exact = ndtr((mean - critical) / deviation)
    assert exact < 1e-5
    found = judge_instability(
        study(rig(k, 5.5e-3), mean=mean, deviation=deviation), samples=150, level=60
    )
    assert abs(found.event.probability - exact) < 4 * found.event.deviation
    assert exact < found.event.bound < 3 * exact
    assert found.likeliest["transfer.delay"] == pytest.approx(critical, rel=0.05)


def test_one_of_many_listed_values_is_not_promised_away(plan):
    """One of 2,000 delays loses the loop: levels cannot lead to it."""
    values = [*np.linspace(1e-3, 2e-3, 1999).tolist(), 0.05]
    found = judge_instability(study(load(plan), values=values), samples=40, level=40)
    assert found.event.bound >= 1 / 2000


def test_values_that_the_plan_refuses_are_told(plan):
    found = judge_instability(study(load(plan), mean=1e-3, deviation=1e-3), samples=40, level=40)
    assert found.event.probability == pytest.approx(0.16, abs=0.25)
    assert "transfer.delay" in found.refusal or "delay" in found.refusal


def test_a_loop_whose_roots_do_not_decide_is_refused(plan):
    own = find("specimen", "bilinear")(stiffness=900.0, yield_displacement=1e-3, hardening=0.1)
    test = load(plan).with_values({"specimen": own})
    with pytest.raises(InputError, match="certify --uncertain"):
        judge_instability(study(test, low=0.0, high=0.002))
