"""A run gives the same data in each loop and process; what was kept of it can be read."""

from __future__ import annotations

import hashlib
import signal

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from rths.config.plan import load
from rths.errors import InputError
from rths.records.hdf5 import read, write
from rths.run import virtual
from rths.run.virtual import PORTION, rehearse, simulate

ENGINES = ["interpreted", "table", "fused"]
RUN = """
import sys
from rths.cli.main import main
sys.argv = ["rths", "run", sys.argv[1], "--out", sys.argv[2],
            "--set", "clock.duration=1e5", "--set", "record.signals=['feedback.force']"]
main()
"""
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


class Impatient:
    """Sends a signal to itself after some portions."""

    def __init__(self, after):
        self.after, self.seen = after, 0

    def __call__(self, ticks):
        self.seen += 1
        if self.seen == self.after:
            signal.raise_signal(signal.SIGINT)


def fingerprint(record):
    return hashlib.sha256(b"".join(record[name].tobytes() for name in sorted(record))).hexdigest()


@pytest.mark.parametrize("engine", ENGINES)
def test_memory_and_file_hold_the_same(rig, tmp_path, engine):
    record = simulate(rig, engine)
    stop = rehearse(rig, tmp_path / "sub" / "record.h5", engine)
    back = read(tmp_path / "sub" / "record.h5")
    assert stop == record.stop == back.stop
    assert stop.completed
    assert (stop.tick, stop.message) == (801, "completed")
    assert set(back) == set(record)
    for name in record:
        assert_array_equal(back[name], record[name], name)
        assert_array_equal(back.time(name), record.time(name), name)
        assert back.channels[name].unit == record.channels[name].unit
    assert (back.name, back.tick, back.plan) == (record.name, record.tick, record.plan)


def test_loops_give_the_same_record(rig):
    prints = {fingerprint(simulate(rig, engine)) for engine in ENGINES}
    assert len(prints) == 1


def test_portions_leave_no_seam(rig, monkeypatch, tmp_path):
    whole = fingerprint(simulate(rig, "table"))
    for portion in (1, 7, 64, 800, 801):
        monkeypatch.setitem(PORTION, "table", portion)
        assert fingerprint(simulate(rig, "table")) == whole
        rehearse(rig, tmp_path / "record.h5", "table")
        assert fingerprint(read(tmp_path / "record.h5")) == whole


PROGRAM = """
import hashlib, sys
from rths.config.plan import load
from rths.run.virtual import simulate
record = simulate(load(sys.argv[1]), sys.argv[2])
print(hashlib.sha256(b"".join(record[n].tobytes() for n in sorted(record))).hexdigest())
"""


def test_same_plan_and_seed_is_the_same_record_in_a_new_process(rig, plan, python):
    here = fingerprint(simulate(rig))
    for engine in ("table", "fused"):
        out, error = python(PROGRAM, plan, engine).communicate()
        assert out.split() == [here], error


def test_another_seed_is_another_record(rig):
    other = simulate(rig.with_values({"seed": 6}))
    assert not np.array_equal(other["feedback.force"], simulate(rig)["feedback.force"])
    assert fingerprint(other) == fingerprint(simulate(rig.with_values({"seed": 6})))


def test_record_alone_repeats_its_test(rig, tmp_path):
    import tomllib

    from rths.config.plan import from_table

    rehearse(rig, tmp_path / "record.h5")
    back = read(tmp_path / "record.h5")
    again = from_table(tomllib.loads(back.plan), tmp_path)
    assert again == rig
    assert fingerprint(simulate(again)) == fingerprint(back)


def test_signals_have_the_rate_at_which_they_are_new(rig):
    record = simulate(rig)
    assert len(record["structure.displacement"]) == 201
    assert len(record["transfer.displacement"]) == 801
    assert record.channels["structure.displacement"].step == pytest.approx(0.004)
    assert_allclose(record.time("transfer.displacement")[-1], 0.8, rtol=1e-12)
    assert_allclose(record.time("structure.displacement")[-1], 0.8, rtol=1e-12)


def test_single_elements_keep_their_names_on_disk(rig, tmp_path):
    few = rig.with_values({"record": ("feedback.force[0]", "integrator.target")})
    rehearse(few, tmp_path / "record.h5")
    back, record = read(tmp_path / "record.h5"), simulate(few)
    assert list(back) == list(record) == ["feedback.force[0]", "integrator.target"]
    for name in record:
        assert_array_equal(back[name], record[name])


def test_record_of_steps_alone_keeps_its_length(rig, tmp_path):
    few = rig.with_values({"record": ("structure.displacement",)})
    stop = rehearse(few, tmp_path / "record.h5")
    assert stop.tick == 801
    assert_array_equal(
        read(tmp_path / "record.h5")["structure.displacement"],
        simulate(few)["structure.displacement"],
    )


def test_record_written_later_is_the_record(rig, tmp_path):
    record = simulate(rig)
    write(record, tmp_path / "record.h5", "table")
    assert fingerprint(read(tmp_path / "record.h5")) == fingerprint(record)


def test_stop_on_a_limit_is_in_the_record(rig, tmp_path):
    limited = rig.with_values({"limits": {"compensator.command": 1e-4}})
    stop = rehearse(limited, tmp_path / "record.h5")
    back = read(tmp_path / "record.h5")
    assert stop.reason == "limit"
    assert back.stop == stop == simulate(limited).stop
    assert back.stop.limit == (-1e-4, 1e-4)
    assert len(back["compensator.command"]) == stop.tick
    assert np.abs(back["compensator.command"]).max() <= 1e-4


def test_progress_counts_every_tick(rig, monkeypatch):
    monkeypatch.setitem(PORTION, "table", 100)
    told = []
    simulate(rig, "table", told.append)
    assert sum(told) == 801
    assert told == [100] * 8 + [1]


def test_record_that_was_not_asked_for_is_not_found(rig):
    with pytest.raises(InputError, match=r"was not recorded.*compensator\.command"):
        simulate(rig)["compensator.comand"]


@pytest.mark.parametrize("content", [None, b"", b"no HDF5 at all"])
def test_file_that_is_no_record_is_refused(tmp_path, content):
    path = tmp_path / "record.h5"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError, match=r"record\.h5"):
        read(path)


def test_place_that_cannot_be_written_is_refused(rig, tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(InputError, match="cannot be written"):
        rehearse(rig, tmp_path / "file" / "record.h5")


def test_exception_in_a_callback_leaves_a_readable_record(rig, tmp_path, monkeypatch):
    monkeypatch.setitem(PORTION, "table", 100)
    told = []

    def fails(ticks):
        told.append(ticks)
        if len(told) == 3:
            raise RuntimeError("the bar broke")

    with pytest.raises(RuntimeError, match="the bar broke"):
        rehearse(rig, tmp_path / "record.h5", "table", fails)
    back = read(tmp_path / "record.h5")
    assert len(back["feedback.force"]) == 300
    assert not back.stop.completed
    assert_array_equal(back["feedback.force"], simulate(rig)["feedback.force"][:300])


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


def test_ctrl_c_is_answered_after_the_portion(rig, monkeypatch, tmp_path):
    monkeypatch.setitem(PORTION, "table", 100)
    record = simulate(rig, "table", Impatient(3))
    assert (record.stop.reason, record.stop.tick, len(record.rows)) == ("interrupted", 300, 300)
    assert "at tick 300 (t = 0.3 s)" in record.stop.message
    stop = rehearse(rig, tmp_path / "record.h5", "table", Impatient(3))
    assert read(tmp_path / "record.h5").stop == stop == record.stop


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
