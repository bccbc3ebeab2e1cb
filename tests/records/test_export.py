"""Exports: other programs, and our own readers, get the same numbers back."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from rths.config.plan import load
from rths.config.template import FOLDER
from rths.errors import InputError
from rths.motions.motion import read_signals
from rths.records.export import export
from rths.run.virtual import simulate


@pytest.fixture(scope="module")
def record():
    """Two channels, and signals of two rates."""
    return simulate(load(FOLDER / "chen2010.toml", {"clock.duration": 2.0}))


def test_a_csv_is_read_back_to_the_last_digit(record, tmp_path):
    files = export(record, "csv", tmp_path / "r.csv")
    assert sorted(f.name for f in files) == ["r_102.4Hz.csv", "r_1024Hz.csv"]
    series = read_signals(tmp_path / "r_1024Hz.csv")
    assert series.step == pytest.approx(record.tick, rel=1e-12)
    for c in (0, 1):
        column = series.channel(f"transfer.displacement[{c}]")
        assert column.units == ("m",)
        np.testing.assert_array_equal(column.values, record["transfer.displacement"][:, c])


def test_one_rate_gives_one_csv(tmp_path):
    plan = FOLDER / "wallace2005.toml"
    single = simulate(load(plan, {"clock.duration": 0.5}))
    assert export(single, "csv", tmp_path / "one.csv") == [tmp_path / "one.csv"]
    assert (tmp_path / "one.csv").read_text(encoding="utf-8").startswith("# Wallace rig: completed")


def test_a_mat_file_has_signals_times_and_the_plan(record, tmp_path):
    from scipy.io import loadmat

    export(record, "mat", tmp_path / "r.mat")
    found = loadmat(tmp_path / "r.mat")
    np.testing.assert_array_equal(found["specimen_force_N"], record["specimen.force"])
    np.testing.assert_array_equal(
        found["structure_velocity_time_s"].ravel(), record.time("structure.velocity")
    )
    assert found["plan"].item() == record.plan
    series = read_signals(tmp_path / "r.mat")
    np.testing.assert_array_equal(
        series.channel("integrator_target_2").values, record["integrator.target"][:, 1]
    )


def test_a_parquet_table_is_empty_where_a_slow_signal_has_no_new_value(record, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    export(record, "parquet", tmp_path / "r.parquet")
    table = parquet.read_table(tmp_path / "r.parquet")
    slow = table["structure.displacement[0] [m]"]
    assert slow.null_count == len(slow) - len(record["structure.displacement"])
    np.testing.assert_array_equal(
        slow.drop_null().to_numpy(), record["structure.displacement"][:, 0]
    )
    assert table.schema.metadata[b"plan"].decode() == record.plan


def test_without_pyarrow_the_remedy_is_told(record, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(InputError, match=r"pip install 'rths\[parquet\]'"):
        export(record, "parquet", tmp_path / "r.parquet")


def test_an_unknown_format_is_refused(record, tmp_path):
    with pytest.raises(InputError, match="csv, mat, parquet"):
        export(record, "xls", tmp_path / "r.xls")
