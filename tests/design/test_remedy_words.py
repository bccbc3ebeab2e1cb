"""What is said of a change: applied as it is said it gives the plan that was looked at."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace

import pytest

from rths.assembly.rig_bounds import command_bounds
from rths.config.plan import load
from rths.design import remedy
from rths.design.workbench import Workbench
from rths.registry import find
from tests.design.conftest import THREE


def say(bench, name, r):
    """Give the words of a change by r, and the changed plan."""
    lever = next(x for x in remedy._levers(bench, []) if x.name == name)
    changed = Workbench(lever.change(bench.test, r), bench.commission)
    return lever.say(r, bench, changed), changed


@pytest.mark.parametrize(
    "given",
    [
        {"[0]": (-100.0, 1.2), "[1]": 100.0, "[2]": 100.0},
        {"": (-100.0, 50.0)},
        {"": 100.0, "[1]": (-0.5, 100.0)},
        {"": 100.0, "[1]": 100.0},
        {"": 100.0},
        {"[2]": 1.2},
        {},
    ],
)
def test_limits_that_are_added_as_they_are_said_give_the_plan_that_was_certified(three, given):
    """The limit of a side that was narrower already stays, in each channel."""
    motion = three.rig.motion
    before = {
        f"compensator.command{name}": tuple(motion * v for v in peaks)
        if isinstance(peaks, tuple)
        else motion * peaks
        for name, peaks in given.items()
    }
    wide = Workbench(replace(three.test, limits=before), three.commission)
    words, narrow = say(wide, "narrower limits", 2.5)
    lines = re.search(r" in \[limits\] (.*),$", words)[1].split(" and ")
    told = load({**THREE, "limits": tomllib.loads("\n".join(lines))}).limits
    applied = replace(three.test, limits={**before, **told})
    assert command_bounds(applied) == command_bounds(narrow.test)


def delays(words):
    """Give the ratio of delays that is said, that of the delays beside it, and what follows."""
    said = re.fullmatch(
        r"a quicker actuator, a delay (\S+) times as long \((\S+) ms instead of (\S+)\),(.*)",
        words,
    )
    return float(said[1]), float(said[2]) / float(said[3]), said[4]


def test_the_delay_of_a_quicker_actuator_is_the_measured_one_and_its_fields_are_said(plan, bench):
    """Its stroke is not quicker: the delay does not follow its times."""
    actuator = {"kind": "second_order", "frequency": 10, "damping": 0.7, "delay": 0.01}
    slow = find("transfer", "limited")(velocity=0.02, stroke=0.004, actuator=actuator)
    late = Workbench(replace(plan, transfer=slow), bench.commission)
    words, changed = say(late, "a quicker actuator", 0.4)
    ratio, beside, fields = delays(words)
    assert ratio == pytest.approx(changed.rig.delay / late.rig.delay, rel=0.05)  # two digits
    assert ratio == pytest.approx(beside, rel=0.06)
    assert fields == (
        " transfer.actuator.frequency 25 instead of 10 Hz"
        " and transfer.actuator.delay 0.004 instead of 0.01 s"
        " and transfer.velocity 0.05 instead of 0.02 m/s,"
    )


def test_a_delay_that_does_not_follow_the_times_is_not_said_to(plan, bench):
    """A loop around the actuator has a gain, which stays as it is."""
    table = {"proportional": 20.0, "lag": 0.002}
    slow = find("transfer", "pid_actuator")(**table)
    late = Workbench(replace(plan, transfer=slow), bench.commission)
    words, changed = say(late, "a quicker actuator", 0.25)
    ratio, beside, _ = delays(words)
    assert ratio == pytest.approx(beside, rel=0.06)
    assert ratio > 2 * 0.25
    assert changed.test.transfer.lag == 0.0005


def test_of_a_dead_time_alone_the_delay_says_it_all(bench):
    assert delays(say(bench, "a quicker actuator", 0.4)[0])[2] == ""


def test_of_several_actuators_the_first_fields_are_said_and_the_rest_by_their_factors(three):
    words, _ = say(three, "a quicker actuator", 0.4)
    assert "transfer[0].delay 0.0032 instead of 0.008 s and transfer[1].frequency 62.5" in words
    assert words.endswith("and so on, times by 0.4, all others by 2.5,")
    assert words.count("instead of") == 1 + 4


def test_actuators_that_are_alike_are_told_of_once(three):
    valve = find("transfer", "second_order")(frequency=25.0, damping=0.8)
    alike = Workbench(replace(three.test, transfer=(valve,) * 3), three.commission)
    words, _ = say(alike, "a quicker actuator", 0.5)
    assert words.endswith("), transfer.frequency 50 instead of 25 Hz,")
