"""The cockpit keeps off the core of the loop while it runs, if it may, and says whether."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from contextlib import contextmanager

import pytest

from rths.cockpit import aside
from rths.cockpit.aside import Aside, find_core
from rths.cockpit.calculator import Calculator
from rths.cockpit.live_test import LiveTest
from rths.realtime.control_words import ControlWord, LoopState
from tests.cockpit.test_attachment import loop
from tests.cockpit.test_live_test import NoLimits, follow_until

__all__ = ["loop"]
LOOP = 4711
TWO_THREADS = """
import sys, threading
threading.Thread(target=sys.stdin.read).start()
print("ready", flush=True)
sys.stdin.read()
"""

pytestmark = pytest.mark.skipif(
    not hasattr(os, "sched_setaffinity"), reason="this system does not let cores be chosen"
)


@pytest.fixture
def cores():
    """Give the cores of this process, and give them back to it."""
    had = os.sched_getaffinity(0)
    yield had
    os.sched_setaffinity(0, had)


@contextmanager
def start_two_threads():
    """Start a process with two threads; give its number and what tells the cores of each."""
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", TWO_THREADS], stdin=pipe, stdout=pipe) as process:
        process.stdout.readline()
        folder = f"/proc/{process.pid}/task"
        yield process.pid, lambda: [os.sched_getaffinity(int(t)) for t in os.listdir(folder)]
        process.stdin.close()


def put_loop(monkeypatch, core):
    """Let the loop be on a core."""
    monkeypatch.setattr(aside, "find_core", {LOOP: core}.get)


def test_the_core_of_a_process_is_found_if_it_has_real_time_scheduling(cores, monkeypatch):
    monkeypatch.setattr(os, "sched_getscheduler", lambda process: os.SCHED_OTHER)
    assert find_core(os.getpid()) is None
    monkeypatch.setattr(os, "sched_getscheduler", lambda process: os.SCHED_FIFO)
    for core in cores:
        os.sched_setaffinity(0, {core})
        assert find_core(os.getpid()) == core


@pytest.mark.parametrize("process", [0, -1, 2**22 + 1, 2**62])  # the greatest number is 2^22
def test_a_process_that_is_not_there_has_no_core(process):
    assert find_core(process) is None


def test_a_system_without_such_scheduling_has_no_core_to_keep_off(monkeypatch):
    monkeypatch.delattr(os, "sched_getscheduler")
    assert find_core(os.getpid()) is None
    assert Aside(lambda: [os.getpid()]).keep_off(os.getpid()) is None


def test_every_thread_keeps_off_and_comes_back(cores, monkeypatch):
    if len(cores) < 2:
        pytest.skip("there is one core only")
    first, second = sorted(cores)[:2]
    with start_two_threads() as (process, tell):
        away = Aside(lambda: [process])
        for core in (first, second):  # a loop that is moved is followed
            put_loop(monkeypatch, core)
            told = away.keep_off(LOOP)
            assert told.granted
            assert told.words == f"the cockpit keeps off core {core}, on which the loop runs"
            assert tell() == 2 * [cores - {core}]
        away.come_back()
        assert tell() == 2 * [cores]


def test_a_process_that_comes_later_keeps_off_too(cores, monkeypatch):
    if len(cores) < 2:
        pytest.skip("there is one core only")
    put_loop(monkeypatch, min(cores))
    processes = []
    away = Aside(lambda: processes)
    away.keep_off(LOOP)
    with start_two_threads() as (process, tell):
        processes.append(process)
        away.keep_off(LOOP)
        assert tell() == 2 * [cores - {min(cores)}]


def test_one_that_has_ended_does_not_hold_up_the_others(cores, monkeypatch):
    with start_two_threads() as (gone, _):
        pass
    put_loop(monkeypatch, max(cores))
    assert Aside(lambda: [gone]).keep_off(LOOP) is not None


def test_the_last_core_is_shared_and_that_is_said(cores, monkeypatch):
    core = min(cores)
    os.sched_setaffinity(0, {core})
    put_loop(monkeypatch, core)
    told = Aside(lambda: [os.getpid()]).keep_off(LOOP)
    assert not told.granted
    assert told.words == f"the cockpit runs on the loop's core {core}: it may use no other"
    assert os.sched_getaffinity(0) == {core}


def test_a_core_that_the_cockpit_never_had_needs_no_move(cores, monkeypatch):
    """As where a core is isolated for the loop."""
    put_loop(monkeypatch, max(cores) + 1)
    assert Aside(lambda: [os.getpid()]).keep_off(LOOP).granted
    assert os.sched_getaffinity(0) == cores


def test_where_cores_cannot_be_chosen_the_cockpit_goes_on_and_says_so(monkeypatch):
    def refuse(thread, wanted):
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "sched_getaffinity", lambda thread: {0, 1})
    monkeypatch.setattr(os, "sched_setaffinity", refuse)
    put_loop(monkeypatch, 1)
    away = Aside(lambda: [os.getpid()])
    told = away.keep_off(LOOP)
    assert not told.granted
    assert "may run on the loop's core 1" in told.words
    assert "Operation not permitted" in told.words
    away.come_back()


class Noticed(Aside):
    """Notes what is asked of it."""

    def __init__(self):
        super().__init__(lambda: ())
        self.asked = []

    def keep_off(self, loop):
        self.asked.append(loop)
        return aside._tell(True, "keeps off")

    def come_back(self):
        self.asked.append(None)


def test_a_live_test_is_kept_off_and_told_until_it_is_over(loop):
    directory, ring = loop
    ring.write(ControlWord.STATE, LoopState.RUNNING)
    ring.write(ControlWord.PROCESS, LOOP)
    away = Noticed()
    live = LiveTest(directory.folder.parent, directory.folder, NoLimits(), away)
    asyncio.run(follow_until(live, lambda: LOOP in away.asked))
    told = json.loads(live._state_text())["machine"]
    assert {"granted": True, "words": "the cockpit keeps off"} in told
    ring.write(ControlWord.STATE, LoopState.ENDED)
    asyncio.run(follow_until(live, lambda: live.is_over and away.asked[-1] is None))


def test_a_calculator_tells_its_process(tmp_path):
    async def converse():
        calculator = Calculator()
        before = calculator.process
        await calculator.ask("change", value=1, folder=str(tmp_path), text="a = 1\n", path="a")
        during = calculator.process
        await calculator.close()
        return before, during, calculator.process

    before, during, after = asyncio.run(converse())
    assert before is after is None
    assert during > 0
