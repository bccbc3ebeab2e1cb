"""A sweep is its runs one by one, wherever they ran; no run is lost and none counts twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from multiprocessing import get_context

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import rths
from rths.errors import InputError
from rths.run.virtual import simulate
from rths.sweep import data_set
from rths.sweep.results import Results
from rths.sweep.statistics import find_refusal
from rths.sweep.study import plan_of_run, read_study
from rths.sweep.sweep import sweep


def one_by_one(study):
    """Peaks of the command, each run for itself."""
    records = [simulate(plan_of_run(study, k)) for k in range(study.runs)]
    return np.array([abs(r["compensator.command"]).max() for r in records])


def test_a_sweep_is_its_runs_one_by_one(tables, tmp_path):
    study = read_study(tables)
    found = sweep(study, tmp_path / "out", workers=2)
    assert_array_equal(found["run"], np.arange(60))
    assert_array_equal(found["peak.compensator.command"], one_by_one(study))
    columns = study.design.columns(0, 60)
    assert_array_equal(found["transfer.delay"], columns["transfer.delay"])
    assert found.about["finished"]
    assert list(found.to_pandas()["run"]) == list(range(60))


@pytest.mark.parametrize("design", ["grid", "saltelli"])
def test_structure_kinds_and_single_elements_vary_too(tables, tmp_path, design):
    tables |= {"design": design, "runs": 16 if design == "saltelli" else None, "batch": 5}
    tables["variable"] = [
        {"field": "structure.masses[1]", "low": 1.5, "high": 2.5, "points": 3},
        {"field": "compensator.kind", "values": ["polynomial", "none"]},
    ]
    tables = {k: v for k, v in tables.items() if v is not None}
    study = read_study(tables)
    found = sweep(study, tmp_path / "out")
    assert_array_equal(found["peak.compensator.command"], one_by_one(study))
    assert set(found["compensator.kind"]) == {"polynomial", "none"}


def test_the_data_set_has_types_that_other_programs_document(tables, tmp_path):
    """MATLAB's parquetread: INT64, DOUBLE and STRING; by itself it writes and reads snappy."""
    import pyarrow.parquet as pq

    tables["variable"].append({"field": "compensator.kind", "values": ["polynomial", "none"]})
    tables["outcomes"]["certificate"] = ["verdict"]
    found = sweep(read_study({**tables, "design": "random", "runs": 2}), tmp_path / "out")
    file = pq.ParquetFile(found.files[0])
    group = file.metadata.row_group(0)
    columns = [group.column(i) for i in range(group.num_columns)]
    sorts = {c.path_in_schema: c.physical_type for c in columns}
    assert sorts.pop("run") == "INT64"
    words = [n for n, sort in sorts.items() if sort == "BYTE_ARRAY"]
    assert set(words) == {"compensator.kind", "end", "certificate.verdict"}
    kinds = [file.schema.column(i).logical_type.type for i in range(group.num_columns)]
    assert kinds.count("STRING") == len(words)
    assert {sorts[n] for n in sorts if n not in words} == {"DOUBLE"}
    assert {c.compression for c in columns} == {"SNAPPY"}


class Backwards(ThreadPoolExecutor):
    """Runs what it is given last first, as a slow worker makes it look."""

    def submit(self, function, *arguments):
        time.sleep(0.01 if arguments[-1] % 3 else 0.05)
        return super().submit(function, *arguments)


def test_the_order_and_the_place_change_no_bit(tables, tmp_path):
    study = read_study(tables)
    digests = {sweep(study, tmp_path / "one", workers=1).digest()}
    with Backwards(3) as executor:
        digests.add(sweep(study, tmp_path / "two", executor=executor, workers=3).digest())
    assert len(digests) == 1


@pytest.mark.slow
def test_another_process_changes_no_bit(tables, tmp_path):
    study = read_study(tables)
    digests = {sweep(study, tmp_path / "one", workers=1).digest()}
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as executor:
        digests.add(sweep(study, tmp_path / "three", executor=executor, workers=1).digest())
    assert len(digests) == 1


def test_what_is_finished_is_not_run_again(tables, tmp_path, monkeypatch):
    study = read_study(tables)
    first = sweep(study, tmp_path / "out").digest()
    for part in Results(tmp_path / "out").files[1:]:
        part.unlink()
    told = []
    again = sweep(study, tmp_path / "out", progress=told.append)
    assert again.digest() == first
    monkeypatch.setattr("rths.sweep.sweep._find_place", None)  # nobody is asked to run anything
    assert sweep(study, tmp_path / "out").digest() == first
    assert sum(told) == 60


class Mortal(ThreadPoolExecutor):
    """Dies after some batches."""

    left = 3

    def submit(self, function, *arguments):
        self.left -= 1
        if self.left < 0:
            dead: Future[object] = Future()
            dead.set_exception(RuntimeError("gone"))
            return dead
        return super().submit(function, *arguments)


def test_an_executor_that_breaks_loses_nothing(tables, tmp_path):
    study = read_study(tables)
    with Mortal(1) as executor, pytest.raises(InputError, match="goes on with the rest"):
        sweep(study, tmp_path / "out", executor=executor, workers=1)
    kept = len(Results(tmp_path / "out")["run"])
    assert 0 < kept < 60
    found = sweep(study, tmp_path / "out")
    assert_array_equal(found["run"], np.arange(60))


def test_a_full_disk_is_told_and_the_sweep_goes_on(tables, tmp_path, monkeypatch):
    import pyarrow.parquet as pq

    study, whole = read_study(tables), pq.write_table
    monkeypatch.setattr(data_set, "ROWS_OF_PART", 14)

    def fill(table, file, **more):
        whole(table, file, **more)
        if "000002" in file.name:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(pq, "write_table", fill)
    with pytest.raises(InputError, match=r"No space left.*goes on where it was"):
        sweep(study, tmp_path / "out", workers=1)
    assert not list((tmp_path / "out").rglob("*.part"))
    assert 28 <= len(Results(tmp_path / "out")["run"]) < 60
    monkeypatch.setattr(pq, "write_table", whole)
    assert_array_equal(sweep(study, tmp_path / "out")["run"], np.arange(60))


def test_a_damaged_part_is_run_again(tables, tmp_path, monkeypatch):
    monkeypatch.setattr(data_set, "ROWS_OF_PART", 7)
    study = read_study(tables)
    first = sweep(study, tmp_path / "out").digest()
    files = Results(tmp_path / "out").files
    files[0].write_bytes(files[0].read_bytes()[:100])
    left = tmp_path / "out" / "part-000007.part"
    left.write_bytes(b"half")
    files[3].rename(files[3].with_name("part-000099.parquet"))
    copy = files[4].with_name("part-000098.parquet")
    copy.write_bytes(files[4].read_bytes())  # the same batch twice
    found = sweep(study, tmp_path / "out")
    assert found.digest() == first
    assert_array_equal(found["run"], np.arange(60))
    assert not left.exists()


@pytest.mark.parametrize("left", [None, "", "[]", '{"key": 1'])
def test_results_outlive_what_is_known_of_them(tables, tmp_path, monkeypatch, left):
    monkeypatch.setattr(data_set, "ROWS_OF_PART", 7)
    first = sweep(tables, tmp_path / "out").digest()
    about = tmp_path / "out" / "study.json"
    Results(tmp_path / "out").files[2].unlink()
    about.unlink()
    if left is not None:
        about.write_text(left)
    with pytest.raises(InputError, match="another study"):
        sweep(tables | {"seed": 5}, tmp_path / "out")
    told = []
    assert sweep(tables, tmp_path / "out", progress=told.append).digest() == first
    assert told[0] == 53  # found there, and not run again


def test_parts_of_other_versions_are_not_mixed_without_study_json(tables, tmp_path, monkeypatch):
    monkeypatch.setattr(data_set, "ROWS_OF_PART", 7)
    with monkeypatch.context() as old:
        old.setattr("rths.sweep.job.versions_here", lambda: {"numpy": "1.0"})
        sweep(tables, tmp_path / "out")
    Results(tmp_path / "out").files[2].unlink()
    (tmp_path / "out" / "study.json").unlink()
    with pytest.raises(InputError, match=r"numpy 1\.0 instead of"):
        sweep(tables, tmp_path / "out")


def test_versions_are_those_of_the_first_results(tables, tmp_path, monkeypatch):
    with monkeypatch.context() as old:  # nothing was finished with these
        old.setattr("rths.sweep.job.versions_here", lambda: {"numpy": "1.0"})
        sweep(tables, tmp_path / "out")
    for part in Results(tmp_path / "out").files:
        part.unlink()
    assert sweep(tables, tmp_path / "out").about["versions"]["numpy"] == np.__version__


def test_files_of_others_beside_the_parts_stay(tables, tmp_path):
    sweep(tables, tmp_path / "out")
    own = tmp_path / "out" / "results" / "own.parquet"
    own.write_bytes(b"somebody's own")
    found = sweep(tables, tmp_path / "out")
    assert own.exists()
    assert len(found["run"]) == 60
    sweep(tables | {"seed": 5}, tmp_path / "out", overwrite=True)
    assert own.exists()


def test_a_part_that_is_damaged_inside_is_told(tables, tmp_path):
    found = sweep(tables, tmp_path / "out")
    part = found.files[0]
    content = bytearray(part.read_bytes())
    content[4:400] = bytes(396)  # the end, which says what it holds, is as it was
    part.write_bytes(content)
    with pytest.raises(InputError, match=r"part-000000.*cannot be read.*Delete it"):
        found.digest()


def test_results_of_another_study_are_not_overwritten(tables, tmp_path):
    sweep(tables, tmp_path / "out")
    with pytest.raises(InputError, match="another study"):
        sweep(tables | {"seed": 5}, tmp_path / "out")
    assert sweep(tables | {"seed": 5}, tmp_path / "out", overwrite=True).about["seed"] == 5


def test_results_of_other_versions_are_not_mixed(tables, tmp_path, monkeypatch):
    monkeypatch.setattr(data_set, "ROWS_OF_PART", 7)
    study = read_study(tables)
    whole = sweep(study, tmp_path / "out")
    Results(tmp_path / "out").files[-1].unlink()
    about = json.loads(whole.folder.joinpath("study.json").read_text())
    about |= {"finished": False, "versions": {**about["versions"], "numpy": "1.0"}}
    whole.folder.joinpath("study.json").write_text(json.dumps(about))
    for _ in range(2):  # it is not forgotten
        with pytest.raises(InputError, match=r"numpy 1\.0 instead of .*--overwrite"):
            sweep(study, tmp_path / "out")
    assert len(Results(tmp_path / "out")["run"]) < 60
    found = sweep(study, tmp_path / "out", overwrite=True)
    assert found.about["versions"]["numpy"] == np.__version__
    assert_array_equal(found["run"], np.arange(60))


def test_numbers_and_words_of_one_variable_stand_in_one_column(tables, tmp_path):
    values = [0.1, [-0.2, 0.1], 0.05, 0.2]
    tables["variable"] = [{"field": "limits.compensator.command", "values": values}]
    tables |= {"design": "grid", "batch": 1}
    del tables["runs"]
    found = sweep(tables, tmp_path / "out")
    said = list(found["limits.compensator.command"])
    assert said == ["0.1", "[-0.2, 0.1]", "0.05", "0.2"]


def test_a_sweep_that_goes_on_elsewhere_is_not_disturbed(tables, tmp_path):
    from rths.run.run_directory import RunDirectory

    (tmp_path / "out").mkdir()
    with RunDirectory(tmp_path / "out").hold(), pytest.raises(InputError, match="goes on"):
        sweep(tables, tmp_path / "out")


def test_a_run_that_the_plan_refuses_is_an_outcome(tables, tmp_path):
    tables["variable"] = [{"field": "specimen.stiffness", "values": [900.0, -5.0]}]
    found = sweep(tables | {"design": "grid"} | {"runs": 2}, tmp_path / "out")
    assert list(found["end"]) == ["completed", "refused"]
    assert np.isnan(found["peak.feedback.force"][1])
    study = read_study(tables | {"design": "grid"} | {"runs": 2})
    assert find_refusal(study, found).startswith("run 1, specimen.stiffness = -5.0: ")


def test_a_metric_that_the_plan_does_not_have_is_told_before_the_first_run(tables, tmp_path):
    tables["outcomes"] = {"metrics": ["nrmse"]}
    study = read_study(tables)
    stopped = replace(study.test, limits={"compensator.command": 1e-9})
    with pytest.raises(InputError, match=r"nrmse.*cannot be computed of the plan as it is"):
        sweep(read_study(tables, stopped), tmp_path / "out")


def test_rules_end_a_sweep_at_the_same_run_wherever_it_ran(tables, tmp_path):
    tables["variable"][0] = {"field": "limits.compensator.command", "low": 1e-3, "high": 0.1}
    tables |= {"stop": {"lost": 5}, "runs": 200}
    study = read_study(tables)
    found = [sweep(study, tmp_path / str(w), workers=w) for w in (1, 3)]
    assert found[0].digest() == found[1].digest()
    assert found[0].counted < 200
    lost = found[0]["end"] != "completed"
    assert lost.sum() >= 5
    assert lost[: -study.batch].sum() < 5


def test_a_precise_mean_is_enough(tables, tmp_path):
    rule = {"precision": 0.02, "of": "peak.feedback.force"}
    found = sweep(tables | {"runs": 4000, "stop": rule}, tmp_path / "out")
    y = found["peak.feedback.force"]
    assert 30 <= y.size < 4000
    assert 1.96 * y.std(ddof=1) / np.sqrt(y.size) <= 0.02 * y.mean() * 1.0001


def test_metrics_and_certificates_are_outcomes(tables, tmp_path):
    tables["outcomes"] = {
        "metrics": ["nrmse", "rms_tracking_error"],
        "certificate": ["verdict", "growth_rate", "extra delay"],
    }
    tables["variable"] = [{"field": "transfer.delay", "values": [0.003, 0.05]}]
    found = sweep(tables | {"design": "grid", "runs": 2, "batch": 1}, tmp_path / "out")
    assert found["metric.nrmse"][0] > 0
    assert list(found["certificate.verdict"]) == ["proved", "unstable"]
    assert found["certificate.growth_rate"][0] < 0 < found["certificate.growth_rate"][1]
    assert found["certificate.extra delay"][0] > 0
    study = read_study(tables | {"design": "grid", "runs": 2, "batch": 1})
    record = simulate(plan_of_run(study, 0))
    reference = simulate(study.test.reference_test())
    expected = rths.metrics(record, ["nrmse"], reference)["nrmse"]
    assert found["metric.nrmse"][0] == expected


PROGRAM = """
import json, sys
from rths.sweep import data_set
from rths.sweep.sweep import sweep
data_set.SECONDS_OF_PART = 0.05
sweep(json.loads(sys.argv[1]), sys.argv[2], workers=2, progress=lambda n: print(n, flush=True))
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_a_sweep_that_is_killed_goes_on(tables, tmp_path, number):
    tables |= {"runs": 2000, "batch": 10}
    study = read_study(tables)
    whole = sweep(study, tmp_path / "whole").digest()
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, json.dumps(tables), str(tmp_path / "out")],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert process.stdout is not None
    for _ in range(20):
        process.stdout.readline()
    process.send_signal(number)
    process.stdout.close()
    process.wait(60)
    kept = len(Results(tmp_path / "out")["run"])
    assert kept < 2000
    if number == signal.SIGINT:
        assert kept >= 200  # what was told is on the disk
    assert sweep(study, tmp_path / "out").digest() == whole
