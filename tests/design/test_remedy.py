"""What would have to change: times of an actuator, whatever it is made of."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rths.design.design import run_design
from rths.design.remedy import find_remedies, quicken_actuator, scale_times, shrink_motion
from rths.design.search import Tuned
from rths.design.workbench import Workbench
from rths.errors import InputError
from rths.registry import find


def test_times_shrink_and_frequencies_grow_inside_a_series_too():
    table = {
        "kind": "series",
        "links": [
            {"kind": "dead_time", "delay": 0.004},
            {"kind": "second_order", "frequency": 20.0, "damping": 0.7, "delay": 0.002},
        ],
    }
    first, second = scale_times(table, "transfer", 0.5)["links"]
    assert first["delay"] == 0.002
    assert second == {"kind": "second_order", "frequency": 40.0, "damping": 0.7, "delay": 0.001}


def test_an_actuator_without_a_time_cannot_be_quicker(plan):
    assert quicken_actuator(plan, 0.5).transfer.delay == 0.0047
    ideal = replace(plan, transfer=find("transfer", "dead_time")(delay=0.0))
    with pytest.raises(InputError):
        quicken_actuator(ideal, 0.5)


@pytest.mark.slow
def test_a_hopeless_rig_is_told_how_quick_it_would_have_to_be(plan, bench):
    late = replace(plan, transfer=find("transfer", "dead_time")(delay=0.09))
    hopeless = Workbench(late, bench.commission)
    ranking = [Tuned(c) for c in hopeless.field.candidates if c.kind in ("polynomial", "hermite")]
    found = find_remedies(hopeless, ranking)
    quicker = next(r for r in found if "actuator" in r.words)
    assert 0.05 <= quicker.factor < 1.0
    assert quicker.kind in ("polynomial", "hermite")


@pytest.mark.slow
def test_limits_that_the_motion_itself_exceeds_ask_for_less_of_it(plan, bench):
    narrow = replace(plan, limits={"compensator.command": 0.001})
    hopeless = Workbench(narrow, bench.commission)
    ranking = [Tuned(c) for c in hopeless.field.candidates if c.kind in ("polynomial", "hermite")]
    (found,) = find_remedies(hopeless, ranking)
    assert "motion" in found.words
    smaller = Workbench(shrink_motion(narrow, found.factor), bench.commission)
    assert run_design(smaller, 1, remedies=False).chosen is not None
