"""The command: a study in, a data set and a page out; what is wrong is one message."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from rths.studies.wallace2005.three_ways import PLAN
from rths.sweep.data_set import DataSet
from rths.sweep.results import Results

STUDY = Path(__file__).parents[1] / "sweep" / "study.toml"


@pytest.fixture
def study(tmp_path):
    shutil.copy(PLAN, tmp_path / "plan.toml")
    return Path(shutil.copy(STUDY, tmp_path))


def call(*words, cwd):
    return subprocess.run(
        [sys.executable, "-c", "from rths.cli.main import main; main()", *map(str, words)],
        cwd=cwd,
        capture_output=True,
        text=True,
    )


def test_a_study_gives_results_a_page_and_worst_cases_that_run(study, tmp_path):
    done = call("sweep", study.name, "--set", "clock.duration=2", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["runs"] == 80
    found = Results(tmp_path / "runs" / "study")
    assert len(found["run"]) == 80
    page = (found.folder / "page.html").read_text(encoding="utf-8")
    assert "Sobol indices" in page
    assert "specimen.stiffness" in page
    worst = sorted((found.folder / "worst").glob("*.toml"))
    assert call("run", worst[0], "-q", cwd=tmp_path).returncode in (0, 3)


def test_what_is_wrong_in_a_study_is_one_message(study, tmp_path):
    text = study.read_text(encoding="utf-8")
    study.write_text(text.replace("transfer.delay", "transfer.dealy"), encoding="utf-8")
    done = call("sweep", study.name, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("error: study.toml:")
    assert done.stderr.count("\n") == 1


def test_an_outcome_that_no_run_has_is_not_zero(study, tmp_path, rths):
    text = study.read_text(encoding="utf-8").replace('"saltelli"\nruns = 80', '"random"\nruns = 2')
    text = text.replace("mean = 2250.0\ndeviation = 50.0", "values = [-1.0, -2.0]")
    study.write_text(text.replace("peaks", 'metrics = ["nrmse"]\npeaks'), encoding="utf-8")
    done = rths("sweep", study.name, "--set", "clock.duration=1", "--json")
    assert done.status == 0, done.err
    told = json.loads(done.out)
    assert told["ends"] == {"refused": 2}
    assert told["outcomes"]["metric.nrmse"]["mean"] is None
    written = (tmp_path / "runs" / "study" / "results.json").read_text(encoding="utf-8")
    json.loads(written, parse_constant=pytest.fail)  # NaN and Infinity are no JSON


@pytest.mark.parametrize("rule", ["", "[stop]\nseconds = 3600\n"])
def test_ctrl_c_is_told_apart_from_a_time_limit(study, tmp_path, rths, monkeypatch, rule):
    text = study.read_text(encoding="utf-8").replace("runs = 80", "runs = 80\nbatch = 1")
    study.write_text(text + rule, encoding="utf-8")
    words = ("sweep", study.name, "--set", "clock.duration=0.1", "--workers", "1", "--no-page")
    add = DataSet.add

    def add_and_interrupt(self, batch):
        add(self, batch)
        if len(self.done) == 1:
            signal.raise_signal(signal.SIGINT)

    with monkeypatch.context() as change:
        change.setattr(DataSet, "add", add_and_interrupt)
        assert rths(*words).status == 130
    found = Results(tmp_path / "runs" / "study")
    assert 0 < len(found["run"]) < 80
    assert rths(*words).status == 0
    assert not found.about["interrupted"]


def test_a_time_limit_has_a_status_of_its_own(study, rths):
    text = study.read_text(encoding="utf-8").replace("runs = 80", "runs = 80\nbatch = 1")
    study.write_text(text + "[stop]\nseconds = 1e-9\n", encoding="utf-8")
    assert rths("sweep", study.name, "--set", "clock.duration=0.1", "--no-page").status == 6
