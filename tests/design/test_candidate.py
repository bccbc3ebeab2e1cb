"""Which compensators can be used, by what their classes say."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rths.design.candidate import find_candidates
from rths.registry import find, kinds


def test_every_kind_is_a_candidate_or_has_a_reason(bench):
    found = bench.field
    named = {c.kind for c in found.candidates} | {o.kind.split(" ")[0] for o in found.left_out}
    assert named == set(kinds("compensator"))
    assert all(o.why for o in found.left_out)


def test_without_a_displacement_sensor_nobody_reads_it(bench):
    found = find_candidates(bench.played, bench.rigs, measured=("force",))
    assert found.candidates
    reads = [find("compensator", c.kind).inputs for c in found.candidates]
    assert not any("feedback.displacement" in r for r in reads)
    why = {o.kind: o.why for o in found.left_out}
    assert why["bounded_inverse"] == "reads the measured displacement"


def test_the_compensator_of_the_plan_takes_part_as_it_is(bench, plan):
    first = bench.field.candidates[0]
    assert (first.start, first.compensator) == ("plan", plan.compensator)


def test_actuators_that_differ_have_a_compensator_each_but_for_those_that_work_on_all(three):
    found = {c.name: c.compensator for c in three.field.candidates}
    own = [c.delay for c in found["polynomial"]]
    assert own == pytest.approx([r.delay for r in three.rigs])
    assert len(found["inverse_model (inverse)"]) == 3
    assert found["model_based"].delay == three.rig.delay
    assert not isinstance(found["none"], tuple)


def test_all_compensators_of_a_plan_are_asked_what_they_read(three):
    cubic = find("compensator", "polynomial")(delay=0.008)
    law = find("compensator", "bounded_inverse")(delay=0.01)
    test = replace(three.played, compensator=(cubic, law, cubic))
    blind = find_candidates(test, three.rigs, measured=("force",))
    why = {o.kind: o.why for o in blind.left_out}
    assert why["polynomial and bounded_inverse"] == "reads the measured displacement"
    (own,) = (c for c in find_candidates(test, three.rigs).candidates if c.start == "plan")
    assert own.kind == "polynomial and bounded_inverse"
