"""An ensemble is its runs one by one, only faster; whatever is finished is kept."""

from __future__ import annotations

import signal
import threading
import time

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from rths.errors import InputError
from rths.records.hdf5 import read
from rths.run.ensemble import ensemble, peaks, peaks_of, variations_of
from rths.run.virtual import simulate

DELAYS = [0.001 * k for k in range(12)]


def one_by_one(test, variations):
    return np.array([peaks(simulate(test.with_values(v))) for v in variations])


@pytest.mark.parametrize("engine", ["table", "fused"])
@pytest.mark.parametrize("workers", [1, 3])
def test_ensemble_is_its_runs_one_by_one(rig, engine, workers):
    columns = {"transfer.delay": DELAYS, "specimen.stiffness": np.linspace(500, 3000, 12)}
    outcome = ensemble(rig, columns, workers=workers, engine=engine)
    assert outcome.finished == 12
    assert_array_equal(outcome.array(), one_by_one(rig, outcome.variations))


@pytest.mark.parametrize(
    "columns",
    [
        {"seed": range(5)},
        {"duration": [0.1, 0.3, 0.2, 0.1]},
        {"structure.mass": [((2.2,),), ((3.0,),), ((2.2,),)]},
        {"specimen.count": [1, 2, 1]},
        {"excitation.amplitude": [3.0, 1.0, 3.0]},
        {"step": [0.004, 0.002, 0.004]},
    ],
    ids=lambda c: next(iter(c)),
)
def test_whatever_varies(rig, columns):
    outcome = ensemble(rig, columns, workers=2)
    assert_array_equal(outcome.array(), one_by_one(rig, outcome.variations))


def test_motions_can_vary(rig, tmp_path):
    from rths.registry import find

    motions = []
    for k in range(3):
        a = np.sin(np.arange(60) * (k + 1) * 0.3)
        rows = "\n".join(f"{0.01 * i:.2f},{v!r}" for i, v in enumerate(a.tolist()))
        (tmp_path / f"{k}.csv").write_text(f"time_s,acceleration_m_s2\n{rows}\n")
        motions.append(str(tmp_path / f"{k}.csv"))
    ground = find("excitation", "ground_motion")(motion=motions[0])
    test = rig.with_values({"excitation": ground})
    outcome = ensemble(test, {"excitation.motion": motions}, workers=2)
    assert_array_equal(outcome.array(), one_by_one(test, outcome.variations))
    assert len({tuple(row) for row in outcome.array()}) == 3


def test_list_of_changes_may_differ_from_run_to_run(rig):
    changes = [{}, {"transfer.delay": 0.001}, {"specimen.count": 2}, {"seed": 9}, {}]
    outcome = ensemble(rig, changes, workers=2)
    assert_array_equal(outcome.array(), one_by_one(rig, changes))


def test_measure_may_keep_the_record_itself(rig):
    """Memory is used again from run to run, but not if somebody still looks at it."""
    outcome = ensemble(rig, {"transfer.delay": DELAYS}, lambda r: r, workers=2)
    for values, record in zip(outcome.variations, outcome.measured, strict=True):
        assert_array_equal(record.rows, simulate(rig.with_values(values)).rows)
    views = ensemble(rig, {"transfer.delay": DELAYS}, lambda r: r["feedback.force"], workers=1)
    for values, force in zip(views.variations, views.measured, strict=True):
        assert_array_equal(force, simulate(rig.with_values(values))["feedback.force"])


def test_runs_that_stop_are_finished_runs(rig):
    limited = rig.with_values({"limits": {"compensator.command": 5e-4}})
    outcome = ensemble(limited, {"excitation.amplitude": [0.1, 5.0, 0.2]}, lambda r: len(r.rows))
    assert [s.reason for s in outcome.stops] == ["completed", "limit", "completed"]
    assert outcome.measured[1] == outcome.stops[1].tick < 801


def test_folder_holds_a_record_of_each_run(rig, tmp_path):
    outcome = ensemble(rig, {"transfer.delay": DELAYS[:3]}, workers=2, folder=tmp_path / "runs")
    names = sorted(f.name for f in (tmp_path / "runs").iterdir())
    assert names == ["run_00000.h5", "run_00001.h5", "run_00002.h5"]
    for name, values in zip(names, outcome.variations, strict=True):
        back, alone = read(tmp_path / "runs" / name), simulate(rig.with_values(values))
        assert back.plan == alone.plan
        for signal_name in alone:
            assert_array_equal(back[signal_name], alone[signal_name])


def test_progress_counts_the_runs(rig):
    told = []
    ensemble(rig, {"transfer.delay": DELAYS}, workers=2, progress=told.append)
    assert sum(told) == 12


def test_ctrl_c_keeps_what_is_finished(rig):
    seen, lock = [], threading.Lock()

    def impatient(record):
        with lock:
            seen.append(1)
            if len(seen) == 5:
                signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
        if len(seen) >= 5:
            time.sleep(0.01)  # the main thread comes to its turn while others are still to do
        return peaks(record)

    columns = {"transfer.delay": np.linspace(0, 0.02, 4000)}
    outcome = ensemble(rig, columns, impatient, workers=2)
    assert 5 <= outcome.finished < 4000
    finished = [k for k, s in enumerate(outcome.stops) if s is not None]
    expected = one_by_one(rig, [outcome.variations[k] for k in finished[:6]])
    assert_array_equal(outcome.array()[:6], expected)
    assert len(outcome.array()) == outcome.finished
    assert all(outcome.measured[k] is None for k in range(4000) if outcome.stops[k] is None)


def test_no_variations_is_no_run(rig):
    assert ensemble(rig, []).finished == 0
    assert ensemble(rig, {"transfer.delay": []}).finished == 0


def test_columns_must_be_of_one_length(rig):
    with pytest.raises(InputError, match="columns of different lengths"):
        ensemble(rig, {"transfer.delay": [0.1], "seed": [1, 2]})


def test_numbers_of_arrays_become_plain_numbers():
    (one, other) = variations_of({"a": np.array([1, 2]), "b": np.array([0.5, 1.5])})
    assert (type(one["a"]), type(other["b"])) == (int, float)


@pytest.mark.parametrize("place", [0, 3, 5])
def test_bad_value_anywhere_is_one_clear_error(rig, place):
    delays = [0.001] * 6
    delays[place] = -0.001
    with pytest.raises(InputError, match=r"transfer\.delay = -0\.001"):
        ensemble(rig, {"transfer.delay": delays}, workers=2)


def test_error_of_a_measure_is_not_swallowed(rig):
    with pytest.raises(ZeroDivisionError):
        ensemble(rig, {"seed": range(4)}, lambda r: 1 / 0, workers=2)


def test_columns_of_an_outcome_have_labels(rig):
    outcome = ensemble(rig, {"transfer.delay": DELAYS[:3]})
    k = outcome.columns.index("compensator.command")
    assert_array_equal(outcome["compensator.command"], outcome.array()[:, k])
    with pytest.raises(InputError, match=r"Did you mean 'compensator\.command'"):
        outcome["compensator.comand"]


def test_a_measure_may_name_its_numbers(rig):
    def measured(record):
        return {"last": record["compensator.command"][-1, 0], "ticks": len(record.rows)}

    outcome = ensemble(rig, {"transfer.delay": DELAYS[:2]}, measured)
    assert outcome.columns == ("last", "ticks")
    assert outcome["ticks"].tolist() == [len(simulate(rig).rows)] * 2


def test_an_outcome_becomes_a_frame_with_what_was_varied_and_how_it_ended(rig):
    pytest.importorskip("pandas")
    frame = ensemble(rig, {"transfer.delay": DELAYS[:2]}).to_pandas()
    assert frame["transfer.delay"].tolist() == DELAYS[:2]
    assert {"compensator.command", "reason", "time_s"} <= set(frame.columns)


@pytest.mark.parametrize("shape", [(1, 1), (5, 3), (20001, 2), (3000, 1), (100, 2000)])
def test_peaks_are_those_of_each_column(shape):
    rows = np.random.default_rng(1).standard_normal(shape)
    assert_array_equal(peaks_of(rows), np.abs(rows).max(axis=0))
    rows[-1, 0] = np.nan
    assert np.isnan(peaks_of(rows)[0])  # what is not finite is never a peak of zero
