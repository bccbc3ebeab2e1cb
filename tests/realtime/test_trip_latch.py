"""A trip stays until somebody acknowledges it, for the directory and for the rig."""

from __future__ import annotations

import json

import numpy as np
import pytest

from rths.config.plan import load
from rths.errors import InputError
from rths.realtime.acknowledgement import Acknowledgement
from rths.realtime.supervisor import run_realtime
from rths.realtime.trip_latch import acknowledge, refuse_tripped
from rths.records.hdf5 import read
from rths.run.virtual import simulate
from rths.studies.wallace2005.three_ways import PLAN

WHO = Acknowledgement("the test", "its limit")


def planned(**changes):
    given = {"clock.tick": 1 / 1024, "clock.duration": 0.2, "safety": {"rate": 0.05}}
    return load(PLAN, {**given, **changes})


def test_a_trip_whose_cause_was_cut_off_can_be_acknowledged(tmp_path):
    (tmp_path / "tripped.json").write_text("")
    with pytest.raises(InputError, match="could not be written down"):
        refuse_tripped(tmp_path)
    assert "could not" in acknowledge(tmp_path, WHO)
    refuse_tripped(tmp_path)


def test_a_trip_is_latched_until_somebody_acknowledges_it(tmp_path, states):
    patient = {"kind": "heartbeat", "trip": 60.0}  # a busy machine may keep the supervisor waiting
    test = planned(**{"limits.compensator.command": 0.002, "guard": [patient]})
    stop, virtual = run_realtime(test, tmp_path), simulate(test)
    assert stop == virtual.stop
    assert stop.reason == "trip"
    assert np.array_equal(read(tmp_path / "record.h5")["safety.command"], virtual["safety.command"])
    assert states(tmp_path)[-1] == "tripped"
    with pytest.raises(InputError, match="not yet acknowledged"):
        run_realtime(test, tmp_path)
    acknowledge(tmp_path, WHO)
    kept = json.loads((tmp_path / "trip-1.json").read_text())
    assert kept["acknowledged"]["by"] == "the test"
    assert kept["acknowledged"]["cause"] == "its limit"
    assert kept["guard"] == stop.guard
    assert run_realtime(test, tmp_path).reason == "trip"
    with pytest.raises(InputError, match="holds no trip"):
        acknowledge(tmp_path / "elsewhere", WHO)
