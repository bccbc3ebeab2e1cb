"""Numbers with which nothing would ever trip, or the way to safety would be none, are refused."""

from __future__ import annotations

import pytest

from rths.config.plan import load
from rths.errors import InputError
from rths.studies.wallace2005.three_ways import PLAN

LINK = {"hardware": {"kind": "udp"}, "rig": {"file": "emulated"}}


def planned(**changes):
    given = {"clock.tick": 1 / 1024, "clock.duration": 2.0, "safety": {"rate": 0.05}}
    return load(PLAN, {**given, **{k.replace("__", "."): v for k, v in changes.items()}})


@pytest.mark.parametrize(
    ("changes", "field", "remedy"),
    [
        ({"safety__rate": 50.0}, "safety.rate", "50 mm/s is 0.05"),
        ({"safety__rate": 1e6}, "safety.rate", "m/s"),
        ({"safety__velocity": 500.0}, "safety.velocity", "0.5"),
        ({"safety__acceleration": 1e6}, "safety.acceleration", "m/s²"),
        ({"safety__acceleration": 1e-9}, "safety.acceleration", "0.005 m/s² or more"),
        ({"safety__hold": 500.0}, "safety.hold", "at most 60 s"),
        ({"safety__patience": 200.0}, "safety.patience", "200 ms is 0.2"),
        ({"safety__fade_in": 2.0}, "safety.fade_in", "Fade in faster"),
        ({"guard": [{"kind": "heartbeat", "trip": 1e9}]}, "guard[0].trip", "at most 60 s"),
        (
            {"guard": [{"kind": "limit", "signal": "feedback.force", "trip": float("inf")}]},
            "guard[0].trip",
            "Give the level",
        ),
        ({**LINK, "hardware__missed": 1_000_000_000}, "hardware.missed", "at most 2048"),
    ],
)
def test_a_number_that_was_mistaken_is_refused_with_its_remedy(changes, field, remedy):
    with pytest.raises(InputError) as error:
        planned(**changes)
    assert error.value.field == field
    assert remedy in error.value.remedy


@pytest.mark.parametrize(
    "changes",
    [
        {"safety__rate": 0.5, "safety__hold": 10.0, "safety__fade_in": 1.9},
        {"guard": [{"kind": "heartbeat", "warn": 0.1}, {"kind": "heartbeat", "trip": 5.0}]},
        {**LINK, "hardware__missed": 2000},
    ],
)
def test_what_laboratories_use_is_taken(changes):
    assert planned(**changes).safety is not None


def test_a_rig_without_a_way_to_safety_is_refused():
    with pytest.raises(InputError, match=r"Add \[safety\]"):
        load(PLAN, {"rig": {"file": "emulated"}})
