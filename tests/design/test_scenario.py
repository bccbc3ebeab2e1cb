"""The rehearsals: plants over all of their ranges, more delay and force at once."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from rths.config.plan import to_table
from rths.design.scenario import (
    draw_actuators,
    draw_plants,
    make_scenarios,
    named_motion,
    other_motions,
    stress_plan,
    takes_delay,
    uncertain_numbers,
)
from rths.errors import InputError
from rths.registry import find
from rths.run.virtual import simulate
from rths.stability.distribution import Interval
from rths.stability.structural_modes import specimen_stiffness


def test_numbers_of_the_transfer_system_are_known_to_a_tenth(plan):
    assert uncertain_numbers(plan) == {"transfer.delay": Interval(0.9 * 0.0094, 1.1 * 0.0094)}


def test_few_plants_reach_all_of_a_range(plan):
    drawn = draw_plants(plan, {"transfer.delay": Interval(0.0, 1.0)}, 10, seed=3)
    tenths = sorted(int(10 * p["transfer.delay"]) for p in drawn)
    assert tenths == list(range(10))  # one in each tenth: a Latin hypercube
    again = draw_plants(plan, {"transfer.delay": Interval(0.0, 1.0)}, 10, seed=3)
    assert drawn == again


def test_plants_that_the_plan_refuses_are_left_out(plan):
    drawn = draw_plants(plan, {"transfer.delay": Interval(-1.0, 0.01)}, 20, seed=0)
    assert all(p["transfer.delay"] >= 0 for p in drawn)
    assert len(drawn) < 20


def test_the_stressed_plan_is_later_and_its_specimen_stronger(plan):
    held = stress_plan(plan, 0.001, 1.5)
    assert [m.delay for m in held.transfer.members] == [0.0094, 0.001]
    assert specimen_stiffness(held, 0) == pytest.approx(1.5 * specimen_stiffness(plan, 0))


def test_a_plant_that_reports_its_own_force_is_made_stronger_and_not_later(plan, own_force):
    assert takes_delay(plan, 0.001)
    assert not takes_delay(own_force.test, 0.001)
    held = make_scenarios(own_force.test, [], [], (0.001, 1.2))[1]
    assert held.name == "more force"
    assert held.test.transfer == own_force.test.transfer
    assert held.test.specimen.force_scale == pytest.approx(1.2)
    assert "delay" not in own_force.stress_words


def test_a_dead_time_behind_such_a_plant_would_change_nothing(own_force):
    """The reason: what the loop feels is the force, and no dead time behind the plant delays it."""
    late = simulate(stress_plan(own_force.test, 0.05, 1.0))
    assert_array_equal(late["feedback.force"], simulate(own_force.test)["feedback.force"])


def test_a_margin_of_no_delay_makes_no_plan_later(plan):
    held = make_scenarios(plan, [], [], ((0.0,), 1.2))[1]
    assert (held.name, held.test.transfer) == ("more force", plan.transfer)


def test_only_what_has_to_hold_is_not_judged(plan):
    plants = draw_plants(plan, uncertain_numbers(plan), 2, seed=0)
    made = make_scenarios(plan, plants, other_motions(plan, 0), (0.001, 1.2))
    assert [s.name for s in made if not s.judged] == ["more delay and force"]
    assert made[0].test is plan
    assert len({s.test.seed for s in made if s.name.startswith("plant")}) == 2  # other noise


def test_an_earthquake_is_refused_where_nothing_is_shaken(plan):
    with pytest.raises(InputError, match="not shaken"):
        named_motion(plan, "el_centro_1940_ns")


def test_an_earthquake_that_is_not_there_is_told_by_its_option(three):
    with pytest.raises(InputError, match=r"^--motion = 'elcentro'.*el_centro_1940_ns"):
        named_motion(three.test, "elcentro")


def test_half_the_motion_belongs_to_the_set(plan):
    (name, half), *_ = other_motions(plan, 0)
    assert name == "half the motion"
    assert np.abs(half.samples).max() > 0


def test_what_a_series_consists_of_is_uncertain_too(plan):
    links = [{"kind": "dead_time", "delay": 0.004}, {"kind": "first_order", "time_constant": 0.003}]
    late = replace(plan, transfer=find("transfer", "series")(links=links))
    assert uncertain_numbers(late) == {}  # no path leads into a list of tables
    drawn = [p["transfer"].members for p in draw_actuators(late, 10, seed=1)]
    assert {int(10 * (m[0].delay / 0.004 - 0.9) / 0.2) for m in drawn} == set(range(10))
    assert all(0.9 <= m[1].time_constant / 0.003 <= 1.1 for m in drawn)


def test_an_actuator_inside_another_is_uncertain_with_it(plan):
    links = [{"kind": "dead_time", "delay": 0.004}, {"kind": "first_order", "time_constant": 0.003}]
    inner = {"kind": "series", "links": links}
    slow = replace(plan, transfer=find("transfer", "limited")(actuator=inner, velocity=0.5))
    assert uncertain_numbers(slow) == {}  # its velocity has a path, the delay inside has none
    drawn = [to_table(replace(plan, **p))["transfer"] for p in draw_actuators(slow, 10, seed=1)]
    assert len({t["actuator"]["links"][0]["delay"] for t in drawn}) == 10


def test_each_actuator_is_stressed_by_its_own_delay(three):
    held = stress_plan(three.test, three.extra_delays, 1.2)
    more = [t.members[-1].delay for t in held.transfer]
    assert more == pytest.approx([0.1 * r.delay for r in three.rigs])
