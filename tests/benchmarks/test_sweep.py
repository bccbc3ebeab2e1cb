"""The bench of sweeps takes its measurements; what they are is the machine's matter."""

from __future__ import annotations

import pytest

from benchmarks.sweep import measure, tutorial_study
from benchmarks.sweep_trials import BATCH, DURATION, RUNS, STUDY
from rths.config.plan import dumps
from rths.sweep.job import make_job
from rths.sweep.study import read_study


@pytest.mark.parametrize(("part", "count"), [("rate", 7), ("memory", 2)])
def test_it_measures(part, count):
    rows = measure(1, part, runs=4, results=2000)["rows"]
    assert len(rows) == count
    assert all(row["value"] > 0 for row in rows.values())


def test_the_study_of_the_trials_is_the_same_as_a_file(tmp_path):
    here = tutorial_study(RUNS, BATCH, duration=DURATION)
    (tmp_path / "plan.toml").write_text(dumps(here.test), encoding="utf-8")
    (tmp_path / "study.toml").write_text(STUDY, encoding="utf-8")
    there = read_study(tmp_path / "study.toml")
    assert make_job(there, ("a",)).key == make_job(here, ("a",)).key
