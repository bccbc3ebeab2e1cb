"""The loop's process: what it says when it leaves a rig, and what it refuses before."""

from __future__ import annotations

import gc
import os
from ctypes import c_int64

import pytest

from rths.config.plan import load
from rths.loop.cycle import RAISED
from rths.loop.row import GO_ON
from rths.realtime import loop_process, supervisor
from rths.realtime.control_words import ControlWord
from rths.realtime.ending import Ending
from rths.realtime.machine import Allowance
from rths.realtime.ring import SharedRing, spare_status
from rths.records.timing import ROW_HEADER
from rths.run.run_directory import RunDirectory, read_json
from rths.safety.latch import X as LATCH
from rths.safety.latch import latch
from rths.safety.phase import TRIPPED
from rths.studies.wallace2005.three_ways import PLAN

MOVING = {"hardware.kind": "udp", "safety": {"rate": 0.05}, "rig": {"file": "emulated"}}
STATUS = 10
"""Place of the status among what the paced loop is given."""


class Left:
    """A loop that was left in some way: what it told the rig, and the supervisor."""

    def __init__(self, patch, folder, changes, ending, row=-1, answer=GO_ON, tripped=False):
        self.test = load(PLAN, {"clock.tick": 1 / 1024, "clock.duration": 0.2, **changes})
        self.how, self.tripped, self.goodbyes = (7, row, answer, int(ending)), tripped, []
        patch.setattr(loop_process, "meet_rig", lambda test, line, *_: line)
        patch.setattr(loop_process, "attach", self.attach)
        patch.setattr(loop_process, "send_goodbye", lambda *given: self.goodbyes.append(given[-1]))
        patch.setattr(loop_process, "load_paced", lambda: self.pace)
        width = len(self.test.live_layout.record_slots) + len(ROW_HEADER)
        ring = SharedRing.reserve(64, width)
        try:
            about = {"heartbeat": 0.5, "supervisor": 0}
            _, run, _ = loop_process._prepare(self.test, ring, about, RunDirectory(folder))
            self.status = run()
        finally:
            self.line.close()
            ring.remove()

    def attach(self, line, layout, arena):
        self.line, self.arena = line, arena

    def pace(self, *given):
        for k, word in enumerate(self.how):
            c_int64.from_address(given[STATUS] + 8 * k).value = word
        if self.tripped:
            layout = self.test.live_layout
            k = next(k for k, p in enumerate(layout.placed) if p.block.kernel is latch)
            self.arena[layout.places[k].x + LATCH.phase] = TRIPPED
            self.arena[list(layout.signals["safety.latch"].slots)] = TRIPPED, 1.0, 0.0, 6.0


BAD = {
    "slips": (Ending.SLIPS,),
    "heartbeat": (Ending.HEARTBEAT,),
    "block": (Ending.BLOCK, 5, GO_ON + 7),
    "exception": (Ending.BLOCK, 5, RAISED),
}


@pytest.mark.parametrize("reason", BAD)
def test_after_every_bad_end_the_goodbye_tells_the_rig_to_go_safe_and_latch(
    monkeypatch, tmp_path, reason
):
    left = Left(monkeypatch, tmp_path, MOVING, *BAD[reason])
    assert left.goodbyes == [True]
    assert (left.status["stop"] or {"reason": left.status["reason"]})["reason"] == reason


@pytest.mark.parametrize("ending", [Ending.COMPLETED, Ending.ASKED])
def test_after_a_good_end_the_goodbye_is_plain(monkeypatch, tmp_path, ending):
    assert Left(monkeypatch, tmp_path, MOVING, ending).goodbyes == [False]


@pytest.mark.parametrize("ending", [Ending.COMPLETED, Ending.ASKED])
def test_a_trip_of_the_last_tick_is_told_though_the_supervisor_has_not_seen_it(
    monkeypatch, tmp_path, ending
):
    left = Left(monkeypatch, tmp_path, MOVING, ending, tripped=True)
    assert left.goodbyes == [True]
    stop = left.status["stop"]
    assert (stop["reason"], stop["guard"], stop["tripped"]) == ("trip", "finite_a", 6)
    assert "on the way to safety" in stop["message"]


def test_without_real_time_scheduling_the_loop_refuses_to_move_a_machine(
    monkeypatch, tmp_path, rig_file
):
    test = load(PLAN, {"clock.duration": 0.2, **MOVING, "rig": {"file": rig_file().file}})
    directory, left = RunDirectory(tmp_path / "run"), []
    directory.make()
    _, ring = supervisor._prepare(test, directory, supervisor.Pace())
    refused = [Allowance("scheduling", False, "ordinary scheduling")]
    for name, stands in {
        "obey_signals": lambda words: None,
        "_prepare": lambda *_: (None, lambda: {}, lambda: left.append("rig")),
        "claim": lambda priority: refused,
        "_wait": lambda *_: None,
    }.items():
        monkeypatch.setattr(loop_process, name, stands)
    try:
        with pytest.raises(SystemExit):
            loop_process.main(directory.folder)
    finally:
        gc.enable()
        ring.remove()
    assert left == ["rig"]
    assert read_json(directory.refusal)["field"] == "rig.real_time"


def test_the_status_is_not_written_into_a_folder_that_somebody_has_put_in_the_place(
    monkeypatch, tmp_path
):
    test, folder = load(PLAN, {"clock.duration": 0.2}), tmp_path / "run"
    directory = RunDirectory(folder)
    directory.make()
    _, ring = supervisor._prepare(test, directory, supervisor.Pace())

    def replace_folder():
        folder.rename(tmp_path / "elsewhere")
        folder.mkdir()
        return {"done": 7}

    for name, stands in {
        "obey_signals": lambda words: None,
        "_prepare": lambda *_: (None, replace_folder, None),
        "claim": lambda priority: [],
        "_wait": lambda *_: None,
    }.items():
        monkeypatch.setattr(loop_process, name, stands)
    try:
        loop_process.main(folder)
        assert list(folder.iterdir()) == []
        assert spare_status(ring.path).read_text() == '{"done": 7}'
    finally:
        gc.enable()
        ring.remove()


def test_a_loop_says_which_process_it_is_before_it_is_ready(monkeypatch, tmp_path):
    directory, told = RunDirectory(tmp_path / "run"), []
    directory.make()
    test = load(PLAN, {"clock.duration": 0.2})
    _, ring = supervisor._prepare(test, directory, supervisor.Pace())
    for name, stands in {
        "obey_signals": lambda words: None,
        "_prepare": lambda *_: (None, dict, None),
        "claim": lambda priority: [],
        "_wait": lambda ring, arming: told.append(ring.read(ControlWord.PROCESS)),
    }.items():
        monkeypatch.setattr(loop_process, name, stands)
    try:
        assert ring.read(ControlWord.PROCESS) == 0
        loop_process.main(directory.folder)
    finally:
        gc.enable()
        ring.remove()
    assert told == [os.getpid()]


def test_a_simulated_link_is_left_as_before(monkeypatch, tmp_path):
    changes = {"hardware.kind": "simulated"}
    assert Left(monkeypatch, tmp_path, changes, Ending.SLIPS).goodbyes == [False]
