"""The command: values varied on the command line, a table and a page out; nothing is lost."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import rths as package
from rths.cli._vary import MOST, combine, read_axis
from rths.errors import InputError
from rths.records.hdf5 import read

PLAN = Path(package.__file__).parent / "studies/wallace2005/rig.toml"
SHORT = ("--set", "clock.duration=1")


@pytest.fixture
def plan(tmp_path):
    path = tmp_path / "plan.toml"
    path.write_text(PLAN.read_text(encoding="utf-8"), encoding="utf-8")
    return path


@pytest.fixture
def no_page(monkeypatch):
    """Leave pictures out where it is not about them."""
    monkeypatch.setattr("rths.report.ensemble_page.write_ensemble_page", lambda _, path: path)


def rows_of(path):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_the_table_is_what_python_measures(plan, rths, tmp_path):
    delays = [0.004, 0.006, 0.008]
    told = rths("ensemble", plan, *SHORT, "--vary", "transfer.delay=0.004..0.008:3", "--json")
    assert told.status == 0, told.err
    found = json.loads(told.out)
    test = package.load(plan, {"clock.duration": 1})
    outcome = package.ensemble(test, {"transfer.delay": delays})
    assert found["columns"]["transfer.delay"] == pytest.approx(delays)
    assert found["columns"]["peak.feedback.force"] == list(outcome["feedback.force"])
    assert found["units"]["peak.feedback.force"] == "N"
    rows = rows_of(tmp_path / "runs/plan-ensemble/ensemble.csv")
    assert [float(r["peak.feedback.force"]) for r in rows] == list(outcome["feedback.force"])
    page = (tmp_path / "runs/plan-ensemble/ensemble.html").read_text("utf-8")
    assert page.count("<img") == 2
    assert "All came to their planned end" in page


def test_kinds_vary_with_numbers_and_a_lost_run_is_an_outcome(plan, rths, tmp_path):
    kinds, delays = "compensator.kind=none,polynomial", "transfer.delay=0.0094,0.02"
    told = rths("ensemble", plan, "--vary", kinds, "--vary", delays, "--metric", "growth_rate")
    assert told.status == 0, told.err
    rows = rows_of(tmp_path / "runs/plan-ensemble/ensemble.csv")
    assert [(r["compensator.kind"], r["transfer.delay"]) for r in rows] == [
        ("none", "0.0094"), ("none", "0.02"), ("polynomial", "0.0094"), ("polynomial", "0.02"),
    ]  # fmt: skip
    assert [r["end"] for r in rows][:3] == ["limit", "limit", "completed"]  # 6.77 ms are critical
    assert any(name.startswith("metric.growth_rate") for name in rows[0])
    assert "4 of 4 runs, " in told.out


def test_records_are_kept_if_that_is_wanted(plan, rths, tmp_path, no_page):
    words = ("--vary", "specimen.stiffness=2000,2250", "--records", "--out", "here")
    assert rths("ensemble", plan, *SHORT, *words).status == 0
    kept = sorted((tmp_path / "here/records").glob("*.h5"))
    assert [package.load(read(p).plan).specimen.stiffness for p in kept] == [2000.0, 2250.0]


def test_another_ensemble_is_not_replaced(plan, rths, tmp_path, no_page):
    one, other = (("--vary", f"transfer.delay={v}") for v in ("0.004,0.005", "0.006,0.007"))
    for words in (one, other, one):
        assert rths("ensemble", plan, *SHORT, *words, "-q").status == 0
    names = sorted(p.name for p in (tmp_path / "runs").iterdir())
    assert names == ["plan-ensemble", "plan-ensemble-2"]
    out = ("--out", "runs/plan-ensemble")
    told = rths("ensemble", plan, *SHORT, *other, *out)
    assert (told.status, told.err.count("\n")) == (2, 1)
    assert "--overwrite" in told.err
    assert rths("ensemble", plan, *SHORT, *other, *out, "--overwrite", "-q").status == 0


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["transfer.dealy=0.1,0.2"], "Did you mean 'delay'?"),
        (["tranfer.delay=0.1"], "Did you mean 'transfer'?"),
        (["transfer.delay=0.004,5"], "5 ms is written 0.005"),
        (["transfer.delay"], "names no values"),
        (["transfer.delay=0.004..0.012"], "does not say how many"),
        (["transfer.delay=0.012..0.004:3"], "lower end below"),
        (["transfer.delay=a..b:3"], "is no range"),
        (["transfer.delay=1,2", "transfer.delay=3"], "a second time"),
        (["compensator.kind=polynomail"], "Did you mean 'polynomial'?"),
        (["specimen[2].stiffness=1,2"], "not there"),
        (["seed=1,x"], "seed = 'x'"),
    ],
)
def test_a_mistake_is_one_message_before_anything_runs(plan, rths, tmp_path, words, part):
    given = [w for text in words for w in ("--vary", text)]
    told = rths("ensemble", plan, *given)
    assert (told.status, told.err.count("\n")) == (2, 1), told.err
    assert told.err.startswith("error: --vary")
    assert part in told.err
    assert not (tmp_path / "runs").exists()


def test_a_metric_that_is_unknown_or_needs_more_is_told(plan, rths):
    for name, part in (("nrms", "Did you mean 'nrmse'?"), ("nrmse", "rths sweep")):
        told = rths("ensemble", plan, "--vary", "transfer.delay=0.004,0.005", "--metric", name)
        assert (told.status, told.err.count("\n")) == (2, 1)
        assert part in told.err


@pytest.mark.slow
def test_an_interrupted_ensemble_keeps_what_is_finished(plan, tmp_path):
    command = [sys.executable, "-c", "from rths.cli.main import main; main()", "ensemble",
               "plan.toml", "--vary", "transfer.delay=0.004..0.006:20000", "--json"]  # fmt: skip
    begun = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True)
    table = tmp_path / "runs/plan-ensemble/ensemble.csv"
    end = time.monotonic() + 60
    while not table.exists() and time.monotonic() < end:  # rows are written while others run
        time.sleep(0.05)
    os.kill(begun.pid, signal.SIGINT)
    told, _ = begun.communicate(timeout=60)
    assert begun.returncode == 130
    found = json.loads(told)
    assert 0 < found["runs"] < found["planned"] == 20000
    assert len(rows_of(table)) == found["runs"]
    assert "Interrupted" in (table.parent / "ensemble.html").read_text("utf-8")


def test_a_table_that_has_more_rows_is_not_made_less(plan, rths, tmp_path, no_page, monkeypatch):
    words = ("ensemble", plan, *SHORT, "--vary", "transfer.delay=0.004,0.005,0.006")
    assert rths(*words, "-q").status == 0
    folder = tmp_path / "runs/plan-ensemble"
    before = {p.name: p.read_bytes() for p in folder.iterdir()}

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("rths.report.shown_ensemble.ShownEnsemble.watch", fail)
    told = rths(*words)
    assert (told.status, told.err.count("\n")) == (2, 1)
    assert {p.name: p.read_bytes() for p in folder.iterdir()} == before


def test_values_are_read_as_people_write_them():
    assert read_axis("a.b = 1, 2.5 ,3e-3") == ("a.b", [1, 2.5, 0.003])
    assert read_axis("a.b=0..1:3") == ("a.b", [0.0, 0.5, 1.0])
    assert read_axis("a.kind=none,hermite") == ("a.kind", ["none", "hermite"])
    assert read_axis("a.b=[1, 2],[3, 4]") == ("a.b", [[1, 2], [3, 4]])
    assert read_axis("a.b=true,false") == ("a.b", [True, False])


def test_too_many_runs_are_refused_before_they_are_listed():
    with pytest.raises(InputError, match="rths sweep"):
        combine({"a": [0] * 2000, "b": [0] * (MOST // 1000)})
