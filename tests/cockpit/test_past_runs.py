"""Runs that have been: both of two are shown as they are, and what differs is said."""

from __future__ import annotations

from base64 import b64decode

import numpy as np
import pytest

from rths.cockpit.past_runs import compare_runs, find_live_runs, list_runs, show_record
from rths.config.plan import load
from rths.realtime.ring import SharedRing
from rths.run.run_directory import RunDirectory, write_json
from rths.run.virtual import rehearse
from rths.studies.wallace2005.three_ways import PLAN


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    made = tmp_path_factory.mktemp("runs")
    for name, delay in (("one", 0.0094), ("two", 0.0098)):
        directory = RunDirectory(made / name)
        directory.make()
        rehearse(load(PLAN, {"transfer.delay": delay}), directory.record)
    return made


def test_two_records_are_shown_as_each_alone_and_one_field_differs(root):
    first, second = str(root / "one"), str(root / "two")
    told = compare_runs(first, second)
    assert told["records"] == [show_record(first), show_record(second)]
    assert told["plan"] == [{"field": "transfer.delay", "first": "0.0094", "second": "0.0098"}]
    assert not any(s["identical"] for s in told["signals"] if s["name"] == "transfer.displacement")


def test_loops_are_of_samples_of_the_same_times(root):
    """The specimen is a spring: its force over its displacement is a line, in every sample."""
    for record in compare_runs(str(root / "one"), str(root / "two"))["records"]:
        loops = record["channels"][0]["loops"]
        displacement, force = (
            np.frombuffer(b64decode(loops[k]), "<f4") for k in ("measured", "force")
        )
        np.testing.assert_allclose(force, 2250.0 * displacement, rtol=1e-5, atol=1e-6)  # float32


def test_a_run_that_goes_on_is_found_among_those_that_do_not(root, tmp_path):
    directory = RunDirectory(tmp_path / "live")
    directory.make()
    ring = SharedRing.reserve(8, 4)
    write_json(directory.session, {"ring": str(ring.path), "width": 4})
    assert find_live_runs(tmp_path) == []  # nobody holds it
    with directory.hold():
        assert find_live_runs(tmp_path) == [directory.folder]
        assert [r["live"] for r in list_runs(tmp_path)] == [True]
    ring.remove()
    assert find_live_runs(root) == []
    assert find_live_runs(root / "nowhere") == []
