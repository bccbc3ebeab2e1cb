"""Names of former records become those of today, and those of today stay."""

from __future__ import annotations

import pytest

from rths.run.former_names import present_name, rename_plan

NAMES = {
    "compensator.delay_a": "compensator.delay[0]",
    "feedback.missed_c": "feedback.missed[2]",
    "guard.mine_b_level": "guard.mine_level[1]",
    "feedback.force_a_b": "feedback.force_b[0]",
    "feedback.displacement_b_a": "feedback.displacement_a[1]",
    "compensator.stage_command": "compensator.stage_command",
    "compensator.command[1]": "compensator.command[1]",
}


@pytest.mark.parametrize(("former", "present"), NAMES.items())
def test_a_letter_becomes_the_index_of_its_channel(former, present):
    assert present_name(former) == present


def test_what_is_recorded_limited_and_guarded_is_renamed_and_nothing_else():
    plan = {
        "name": "delay_a",
        "record": {"signals": ["feedback.force_b_a"]},
        "limits": {"compensator": {"delay_a": 1.0}, "feedback": {"force_a_b": 2.0}},
        "guard": [{"kind": "limit", "signal": "feedback.force_a_b", "name": "mine_a"}],
    }
    assert rename_plan(plan) == {
        "name": "delay_a",
        "record": {"signals": ["feedback.force_a[1]"]},
        "limits": {"compensator": {"delay[0]": 1.0}, "feedback": {"force_b[0]": 2.0}},
        "guard": [{"kind": "limit", "signal": "feedback.force_b[0]", "name": "mine_a"}],
    }
