"""A counterexample is a plan that shows the loss, and no longer than it must be."""

from __future__ import annotations

import pytest

from rths.config.plan import dumps, load
from rths.run.virtual import simulate
from rths.stability.certificate import certify
from rths.stability.counterexample import push
from rths.stability.rehearsal import Pulse


def test_the_plan_of_a_growing_root_grows(rig, tmp_path):
    shown = certify(rig(), margins=False).counterexample  # 9.4 ms: 1.21 1/s
    path = tmp_path / "shown.toml"
    path.write_text(dumps(shown.test), encoding="utf-8")
    x = abs(simulate(load(path))["integrator.target"][:, 0])
    n = len(x) // 4
    assert x[-n:].max() > 10 * x[:n].max()


def test_a_test_that_is_lost_is_cut_after_its_loss(rig, make):
    soft = make("specimen", "bilinear", stiffness=2250.0, yield_displacement=10.0)
    late = rig(
        specimen=soft,
        transfer=make("transfer", "dead_time", delay=30e-3),
        duration=20.0,
    )
    shown = certify(late, margins=False).counterexample
    assert shown.test.duration < late.duration


@pytest.mark.parametrize("links", [None, [{"kind": "noise", "force": 0.5}]])
def test_a_push_is_a_jump_of_the_force_sensor_behind_all_else(rig, make, links):
    feedback = make("feedback", "chain", links=links) if links else make("feedback", "direct")
    test = rig(feedback=feedback, duration=0.5)
    pushed = simulate(push(test, Pulse(100, 20, (3.0,))))["feedback.force"]
    plain = simulate(test)["feedback.force"]
    assert not (pushed - plain)[:100].any()
    assert (pushed - plain)[100:110] == pytest.approx(3.0, abs=0.2)
