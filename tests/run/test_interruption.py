"""Ctrl-C, a termination signal, a killed process, a full disk: what was recorded can be read."""

from __future__ import annotations

import signal

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from rths.config.plan import load
from rths.records.hdf5 import read
from rths.run import virtual
from rths.run.virtual import PORTION, rehearse, simulate

LONG = {"clock.duration": 1e5, "feedback.kind": "direct"}
RUN = """
import sys
from rths.cli.main import main
sys.argv = ["rths", "run", sys.argv[1], "--out", sys.argv[2],
            "--set", "clock.duration=1e5", "--set", "record.signals=['feedback.force']"]
main()
"""


def prefix_of(plan, name, rows):
    """Simulate the first rows of a signal."""
    test = load(plan, {"clock.duration": (rows - 1) * 1e-3})
    return simulate(test)[name]


def under_way(path):
    """Tell whether some portions are in the record already."""
    try:
        return path.exists() and path.stat().st_size > 8_000_000
    except OSError:
        return False


@pytest.mark.parametrize(
    ("number", "name"), [(signal.SIGINT, "SIGINT"), (signal.SIGTERM, "SIGTERM")]
)
def test_signal_ends_a_run_in_good_order(plan, tmp_path, python, wait_for, number, name):
    process = python(RUN, plan, tmp_path / "out")
    path = tmp_path / "out" / "record.h5"
    wait_for(lambda: under_way(path) or process.poll() is not None, "the first portions")
    process.send_signal(number)
    out, error = process.communicate(timeout=60)
    assert process.returncode == 130, error
    assert f"interrupted by the operator ({name})" in out
    record = read(path)
    assert record.stop.reason == "interrupted"
    rows = len(record["feedback.force"])
    assert rows == record.stop.tick > 500_000
    assert_array_equal(record["feedback.force"][:3000], prefix_of(plan, "feedback.force", 3000))
    assert np.isfinite(record["feedback.force"]).all()


def test_killed_process_leaves_all_portions_it_has_written(plan, tmp_path, python, wait_for):
    process = python(RUN, plan, tmp_path / "out")
    path = tmp_path / "out" / "record.h5"
    wait_for(lambda: under_way(path) or process.poll() is not None, "the first portions")
    process.kill()
    process.communicate(timeout=60)
    record = read(path)
    force = record["feedback.force"]
    assert record.stop.reason == "interrupted"
    assert "killed" in record.stop.message
    assert len(force) >= 500_000
    assert np.abs(force[-1000:]).max() > 0, "the last portion is whole"
    assert_array_equal(force[:3000], prefix_of(plan, "feedback.force", 3000))


FULL = """
import resource, sys
from pathlib import Path
from rths.config.plan import load
from rths.run.virtual import rehearse
test = load(sys.argv[1], {"clock.duration": 1e5})
test.cycle("table")
resource.setrlimit(resource.RLIMIT_FSIZE, (30_000_000, 30_000_000))
stop = rehearse(test, Path(sys.argv[2]), "table")
print(stop.reason, stop.tick)
print(stop.message)
"""


def test_full_disk_ends_the_run_and_the_record_stays_readable(plan, tmp_path, python):
    path = tmp_path / "record.h5"
    process = python(FULL, plan, path)
    out, error = process.communicate(timeout=120)
    assert process.returncode == 0, error
    first, message = out.splitlines()
    reason, tick = first.split()
    assert reason == "record"
    assert "could not be written" in message
    record = read(path)
    rows = len(record["feedback.force"])
    assert rows >= int(tick) > 100_000, "the tick is the first that is not in the record"
    for name in record:
        assert_array_equal(record[name][:500], prefix_of(plan, name, 3000)[:500], name)


class Impatient:
    """Sends a signal to itself after some portions."""

    def __init__(self, after):
        self.after, self.seen = after, 0

    def __call__(self, ticks):
        self.seen += 1
        if self.seen == self.after:
            signal.raise_signal(signal.SIGINT)


def test_ctrl_c_is_answered_after_the_portion(rig, monkeypatch, tmp_path):
    monkeypatch.setitem(PORTION, "table", 100)
    record = simulate(rig, "table", Impatient(3))
    assert (record.stop.reason, record.stop.tick, len(record.rows)) == ("interrupted", 300, 300)
    assert "at tick 300 (t = 0.3 s)" in record.stop.message
    stop = rehearse(rig, tmp_path / "record.h5", "table", Impatient(3))
    assert read(tmp_path / "record.h5").stop == stop == record.stop


def test_handlers_are_put_back(rig):
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    simulate(rig)
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before


def test_second_ctrl_c_is_an_ordinary_one(rig, monkeypatch):
    monkeypatch.setitem(PORTION, "table", 100)

    def twice(ticks):
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        simulate(rig, "table", twice)


def test_run_in_another_thread_leaves_signals_alone(rig):
    import threading

    found = []
    worker = threading.Thread(target=lambda: found.append(simulate(rig)))
    worker.start()
    worker.join()
    assert found[0].stop.completed


def test_keeper_that_fails_ends_the_run_with_its_reason(rig, monkeypatch):
    class Full(virtual.Memory):
        def keep(self, ticks):
            if self.kept >= 200:
                raise OSError(28, "No space left on device")
            super().keep(ticks)

    monkeypatch.setitem(PORTION, "table", 100)
    memory = Full(801, len(rig.layout.record_slots))
    stop = virtual.run(rig.cycle("table"), 801, memory)
    assert stop.reason == "record"
    assert "No space left on device" in stop.message
    assert stop.tick == memory.kept == 200
