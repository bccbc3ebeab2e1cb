"""``rths run``: what it leaves, what it says, and how it ends."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from rths.config.plan import dumps, load
from rths.records.hdf5 import read
from rths.studies.wallace2005.three_ways import PLAN


def test_a_run_leaves_record_resolved_plan_and_summary(rths, tmp_path):
    answer = rths("run", PLAN)
    assert answer.status == 0
    folder = tmp_path / "runs" / "rig"
    assert sorted(f.name for f in folder.iterdir()) == ["plan.toml", "record.h5", "summary.json"]
    record = read(folder / "record.h5")
    assert dumps(load(folder / "plan.toml")) == record.plan
    summary = json.loads((folder / "summary.json").read_text())
    assert summary["reason"] == "completed"
    peaks = {p["signal"]: p for p in summary["peaks"]}
    assert next(iter(peaks)) == "excitation.signal[0]"
    for name in ("integrator.target", "feedback.force"):
        assert peaks[name]["largest"] == record[name].max()
        assert peaks[name]["smallest"] == record[name].min()


def test_the_summary_is_one_a_person_understands(rths):
    out = rths("run", PLAN, "--set", 'compensator.kind="none"', "--set", "transfer.delay=0.005").out
    assert "Wallace rig: ran to its planned end" in out
    assert "x real time" in out
    assert "transfer.displacement" in out
    assert "mm" in out
    assert "the specimen is 5 ms behind the target" in out


def test_tracking_error_and_delay_of_the_summary_are_right(rths, tmp_path):
    rths("run", PLAN, "--set", 'compensator.kind="none"', "--set", "transfer.delay=0.0043")
    folder = tmp_path / "runs" / "rig"
    (tracking,) = json.loads((folder / "summary.json").read_text())["tracking"]
    record = read(folder / "record.h5")
    x, y = record["integrator.target"], record["transfer.displacement"]
    assert tracking["rms_error"] == pytest.approx((((x - y) ** 2).sum() / (x**2).sum()) ** 0.5)
    assert tracking["largest_error"] == pytest.approx(abs(x - y).max())
    assert tracking["delay"] == pytest.approx(0.0043, abs=2e-5)


def test_a_stopped_run_has_its_own_exit_status_and_says_which_limit(rths):
    answer = rths("run", PLAN, "--set", "limits.compensator.command=0.001")
    assert answer.status == 3
    assert "compensator.command" in answer.out
    assert "above its limit 0.001" in answer.out


def test_an_error_in_the_plan_is_one_message_and_status_two(rths):
    answer = rths("run", PLAN, "--set", "compensator.delay=15")
    assert answer.status == 2
    assert answer.err.startswith("error: --set: compensator.delay = 15")
    assert "0.015" in answer.err
    assert answer.out == ""


def test_another_plan_gets_another_directory_and_the_same_one_its_own(rths, tmp_path):
    for _ in range(2):
        rths("run", PLAN, "--set", "clock.duration=0.2")
    rths("run", PLAN, "--set", "clock.duration=0.3")
    assert sorted(f.name for f in (tmp_path / "runs").iterdir()) == ["rig", "rig-2"]
    assert len(read(tmp_path / "runs/rig/record.h5").rows) == 201
    assert len(read(tmp_path / "runs/rig-2/record.h5").rows) == 301


def test_a_directory_with_another_plans_record_is_only_overwritten_when_told(rths, tmp_path):
    short = ("run", PLAN, "--out", "here", "--set")
    assert rths(*short, "clock.duration=0.2").status == 0
    assert rths(*short, "clock.duration=0.2").status == 0
    refused = rths(*short, "clock.duration=0.3")
    assert refused.status == 2
    assert "--overwrite" in refused.err
    assert len(read(tmp_path / "here/record.h5").rows) == 201
    assert rths(*short, "clock.duration=0.3", "--overwrite").status == 0
    assert len(read(tmp_path / "here/record.h5").rows) == 301


def test_running_imports_no_compiler_no_scipy_and_no_matplotlib(tmp_path):
    code = (
        "import sys; sys.argv = ['rths', 'run', sys.argv[1], '--out', 'x'];\n"
        "from rths.cli.main import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "import rths.realtime.loop_process\n"  # nor does what a run on the clock starts
        "print([m for m in ('numba', 'scipy', 'matplotlib', 'jinja2') if m in sys.modules])"
    )
    command = [sys.executable, "-c", code, str(PLAN)]
    for _ in range(2):  # the first may have to compile
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize(("kind", "status"), [("polynomial", 0), ("none", 3)])
def test_where_nothing_can_be_told_the_exit_status_still_says_how_it_ended(tmp_path, kind, status):
    folder = tmp_path / "run"
    program = "import sys; from rths.cli.main import main; main()"
    words = ["run", str(PLAN), "--out", str(folder), "--set", f'compensator.kind="{kind}"']
    with open("/dev/full", "w") as full:  # as a terminal that was closed: every write fails
        done = subprocess.run(
            [sys.executable, "-c", program, *words], stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert done.returncode == status, done.stderr
    assert done.stderr == ""
    assert (folder / "record.h5").exists()


CLOSED = """
import os, sys
for number in {numbers}:
    os.close(number)
os.execv(sys.executable, [sys.executable, "-c", {program!r}, *sys.argv[1:]])
"""


@pytest.mark.parametrize(("numbers", "live"), [((1,), ()), ((0, 1, 2), ("--realtime",))])
def test_closed_streams_neither_end_a_run_nor_hide_how_it_ended(tmp_path, numbers, live):
    program = "from rths.cli.main import main; main()"
    given = ["--set", "clock.duration=0.1", "--set", "limits.compensator.command=1e-6"]
    words = ["run", str(PLAN), "--out", str(tmp_path / "run"), *given, *live]
    code = CLOSED.format(numbers=numbers, program=program)
    done = subprocess.run([sys.executable, "-c", code, *words], stderr=subprocess.PIPE, text=True)
    assert (done.returncode, done.stderr) == (3, "")
    assert read(tmp_path / "run" / "record.h5").stop.reason == "limit"


def test_a_pipe_that_nobody_reads_neither_ends_a_run_nor_hides_how_it_ended(tmp_path):
    reading, writing = os.pipe()
    os.close(reading)
    program = "from rths.cli.main import main; main()"
    given = ["--set", "clock.duration=0.1", "--set", "limits.compensator.command=1e-6"]
    words = ["run", str(PLAN), "--out", str(tmp_path / "run"), *given, "--realtime"]
    command = [sys.executable, "-c", program, *words]
    done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, text=True)
    os.close(writing)
    assert (done.returncode, done.stderr) == (3, "")
    assert read(tmp_path / "run" / "record.h5").stop.reason == "limit"


def test_the_reference_is_run_in_the_same_step_and_the_error_said_first(rths, tmp_path):
    said = rths("run", PLAN, "--reference", "--out", "here", "--set", "clock.duration=3.0")
    assert said.status == 0
    assert "error against the emulated structure: 0.3" in said.out.splitlines()[1]
    assert (tmp_path / "here" / "reference.h5").is_file()
    summary = json.loads((tmp_path / "here" / "summary.json").read_text())
    assert 0.001 < summary["reference"][0]["error"] < 0.01
    assert summary["vibration"]["modes"][0]["with_specimen"]["period"] == pytest.approx(
        0.1389, 1e-3
    )
    page = rths("report", "here")
    assert page.status == 0
    text = (tmp_path / "here" / "report.html").read_text()
    assert text.index("Error against the emulated structure") < text.index("What was tested")
