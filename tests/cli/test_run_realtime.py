"""``rths run --realtime`` and what follows a run on the clock."""

from __future__ import annotations

import json
import os
import pty
import shutil
import subprocess
import sys
from collections import namedtuple
from pathlib import Path

import numpy as np
import pytest

from rths.cli import run as cli_run
from rths.config.plan import load
from rths.loop.stop import Stop
from rths.realtime import keys
from rths.records.hdf5 import read
from rths.studies.wallace2005.three_ways import PLAN

SHORT = ("--set", "clock.tick=0.0009765625", "--set", "clock.duration=0.5")
SAFETY = ("--set", "safety.rate=0.05", "--set", 'hardware.kind="simulated"')


def test_a_run_on_the_clock_says_how_punctual_it_was_and_keeps_it(rths, tmp_path):
    answer = rths("run", PLAN, *SHORT, "--realtime", "--out", "live")
    assert answer.status == 0
    assert "x real time" not in answer.out
    assert "of test on the clock, in" in answer.out
    assert "99 % of ticks at most" in answer.out
    lines = answer.out.splitlines()
    allowed = [i for i, line in enumerate(lines) if line.startswith(("yes ", "no  "))]
    assert allowed == list(range(5))  # before the test, not after it
    record = read(tmp_path / "live/record.h5")
    assert len(record.timing.latency) == len(record.rows) == 513
    # tick k is due k + slips periods after the first
    wall = (len(record.rows) + record.timing.slips) * record.tick
    assert record.details["wall_seconds"] == pytest.approx(wall)
    assert [e["state"] for e in record.details["events"]] == ["idle", "armed", "running", "idle"]
    assert record.details["events"] == json.loads((tmp_path / "live/events.json").read_text())
    assert len(record.details["machine"]) == 5
    summary = json.loads((tmp_path / "live/summary.json").read_text())
    assert summary["timing"]["counts"] == record.timing.counts
    assert summary["timing"]["percentiles"]["latency"]["max"] == record.timing.latency.max()


def test_its_record_is_reported_compared_exported_repeated_and_recovered(rths, tmp_path):
    for out, more in (("live", ("--realtime",)), ("virtual", ())):
        assert rths("run", PLAN, *SHORT, "--out", out, *more).status == 0
    live, virtual = "live/record.h5", "virtual/record.h5"
    assert "identical to the last bit" in rths("rerun", live).out
    assert "plan: the same" in rths("compare", virtual, live).out
    assert rths("export", live, "--to", "mat").status == 0
    assert rths("report", live).status == 0
    page = (tmp_path / "live/report.html").read_text()
    assert 'id="timing"' in page
    assert "the loop is ready" in page
    before = read(tmp_path / live).timing
    assert rths("recover", "live").status == 0
    after = read(tmp_path / live).timing
    assert after.counts == before.counts  # also when the ring is gone
    assert np.array_equal(after.latency, before.latency)


def test_a_trip_its_cause_and_who_acknowledged_it_are_in_the_record(rths, tmp_path):
    force = "limits.feedback.force=2.0"
    first = rths("run", PLAN, *SHORT, *SAFETY, "--set", force, "--realtime", "--out", "live")
    assert first.status == 3
    assert "tripped at tick" in first.out
    again = rths("run", PLAN, *SHORT, *SAFETY, "--set", force, "--realtime", "--out", "live")
    assert again.status == 2
    assert "rths acknowledge live --by" in again.err
    assert rths("acknowledge", "live", "--by", "A. Tester", "--cause", "its limit").status == 0
    events = read(tmp_path / "live/record.h5").details["events"]
    assert "feedback.force" in next(e["reason"] for e in events if "above" in e["reason"])
    assert (events[-1]["state"], events[-1]["reason"]) == (
        "idle",
        "acknowledged by A. Tester: its limit",
    )


@pytest.mark.realtime
def test_round_trips_to_a_rig_are_in_record_summary_and_report(rths, tmp_path):
    command = [str(Path(sys.executable).parent / "rths"), "rig", str(tmp_path / "plan.toml")]
    link = '\n[hardware]\nkind = "udp"\nmissed = 500\n'
    (tmp_path / "plan.toml").write_text(PLAN.read_text() + link)
    refused = rths("run", "plan.toml", *SHORT, "--realtime")
    assert "Add [safety]" in refused.err  # a rig is not moved without a way back
    link += "[safety]\nrate = 0.05\n"
    (tmp_path / "plan.toml").write_text(PLAN.read_text() + link)
    refused = rths("run", "plan.toml", *SHORT, "--realtime")
    assert "Add [rig]" in refused.err  # nor without the limits of the machine
    link += '[rig]\nfile = "emulated"\n'
    (tmp_path / "plan.toml").write_text(PLAN.read_text() + link)
    command += ["--port", "0", "--seconds", "60"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as rig:
        ready = next(line for line in rig.stdout if "ready at" in line)
        port = ready.split(":")[1].strip()
        where = ("--set", f"hardware.port={port}", "--out", "live")
        answer = rths("run", "plan.toml", *SHORT, "--realtime", *where)
        rig.terminate()
    record = read(tmp_path / "live/record.h5")
    told = record.timing.link
    assert len(told.round_trip) + told.missed == len(record.rows)
    assert len(told.round_trip) > 0
    assert "99 % of answers within" in answer.out
    rths("report", "live/record.h5")
    assert "<td>round trip</td>" in (tmp_path / "live/report.html").read_text()


Usage = namedtuple("Usage", "total used free")


@pytest.mark.parametrize("more", [(), ("--realtime",)], ids=["virtual", "real time"])
def test_a_record_that_does_not_fit_on_the_disk_is_refused_before_the_start(
    rths, tmp_path, monkeypatch, more
):
    monkeypatch.setattr(shutil, "disk_usage", lambda path: Usage(1e12, 0, 1e9))
    answer = rths("run", PLAN, "--set", "clock.duration=2e5", "--out", "big", *more)
    assert answer.status == 2
    assert "clock.duration = 200000.0" in answer.err
    assert "1 GB free" in answer.err
    assert not (tmp_path / "big").exists()


@pytest.mark.parametrize("in_front", [True, False])
def test_keys_are_explained_only_where_they_are_read(tmp_path, monkeypatch, capsys, in_front):
    """A run that was begun in the background and then fetched reads none."""
    first = [in_front]
    master, slave = pty.openpty()
    monkeypatch.setattr(keys, "_is_in_front", lambda number: first.pop() if first else True)
    monkeypatch.setattr(cli_run, "allowance_lines", lambda folder: ["yes"])

    def begin_only(test, folder, begin, **_):
        begin()
        return Stop("completed", 7, 0.007, "completed")

    monkeypatch.setattr("rths.realtime.supervisor.run_realtime", begin_only)
    with os.fdopen(slave) as terminal, os.fdopen(master):
        monkeypatch.setattr("sys.stdin", terminal)
        cli_run.run_on_clock(load(PLAN), tmp_path, {})
    assert (keys.HELP in capsys.readouterr().out) == in_front
