"""What is tuned of a kind: its own numbers, within its own ranges, from sizes of the rig."""

from __future__ import annotations

from dataclasses import replace
from math import log

import pytest

from rths.design.candidate import Candidate
from rths.design.known_rig import KnownRig
from rths.design.tuned_field import (
    TunedNumber,
    choices_of,
    start_fields,
    tuned_numbers,
    tuned_together,
)
from rths.errors import InputError
from rths.field_type import field_type, find_requirement
from rths.registry import find, kinds

RIG = KnownRig(
    delay=0.02,
    inverse=((1.0, 0.02), (1.0, 0.02, 2e-4), (1.0, 0.02, 2e-4, 1e-6)),
    stiffness=5e4,
    motion=0.01,
    frequency=2.0,
    stage=0.001,
)


@pytest.mark.parametrize("kind", kinds("compensator"))
def test_every_kind_can_be_made_at_the_size_of_a_rig(kind):
    cls = find("compensator", kind)
    cls(**start_fields(cls, RIG))


def test_a_delay_is_that_of_the_rig_and_a_stiffness_that_of_its_specimen():
    assert start_fields(find("compensator", "polynomial"), RIG) == {"delay": 0.02}
    given = start_fields(find("compensator", "model_based"), RIG)
    assert given["delay"] == 0.02
    assert given["interface_stiffness"] == 5e4
    lead = start_fields(find("compensator", "phase_lead"), RIG)
    assert lead["lag_time"] == pytest.approx(0.002)  # a tenth of the lead, as in the example


@pytest.mark.parametrize("kind", kinds("compensator"))
def test_a_number_stays_in_the_range_of_its_type_at_both_ends(kind):
    cls = find("compensator", kind)
    made = cls(**start_fields(cls, RIG))
    for n in tuned_numbers(made, RIG):
        said = find_requirement(field_type(cls, n.name))
        for z in n.ends:
            value = n.value_at(z)
            assert n.low <= value <= n.high
            if n.index is None:
                assert value in said


def test_a_value_is_its_start_until_it_is_moved_and_has_five_digits_then():
    n = TunedNumber("delay", 0.0123456789, 0.001, 0.1)
    assert n.value_at(0.0) == 0.0123456789
    assert n.value_at(log(1.1)) == 0.01358
    assert n.value_at(99.0) == 0.1


def test_orders_and_words_are_chosen_not_tuned():
    made = find("compensator", "polynomial")(delay=0.02)
    names = {c.name: c.values for c in choices_of(made, RIG)}
    assert {2, 4} <= set(names["order"])
    assert "order" not in {n.name for n in tuned_numbers(made, RIG)}
    assert names["spacing"]  # may be left out, or have the size of the delay


def test_what_a_kind_refuses_is_refused():
    with pytest.raises(InputError):
        find("compensator", "polynomial")(delay=-1.0)


def test_compensators_of_several_actuators_change_by_the_same_factor():
    late = replace(RIG, delay=0.04)
    cls = find("compensator", "polynomial")
    made = Candidate("polynomial", (cls(delay=0.02), cls(delay=0.04)))
    (number,) = tuned_together(made.each, (RIG, late))
    assert number.asked
    moved = made.with_values([number], [log(1.5)])
    assert [c.delay for c in moved.compensator] == pytest.approx([0.03, 0.06])
    for z in number.ends:  # in the range of both
        made.with_values([number], [z])


def test_what_one_of_several_compensators_has_not_is_not_tuned():
    made = (
        find("compensator", "polynomial")(delay=0.02),
        find("compensator", "phase_lead")(lead_time=0.02, lag_time=0.002),
    )
    assert tuned_together(made, (RIG,)) == []
