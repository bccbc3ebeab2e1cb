"""Of a record everything that is left is read; what is no record is refused clearly."""

from __future__ import annotations

import h5py
import numpy as np
import pytest

from rths.errors import InputError
from rths.records.hdf5 import read


@pytest.mark.parametrize("share", [0.999, 0.8, 0.5, 0.25])
def test_of_a_truncated_record_everything_before_the_cut_is_read(share, record_file, tmp_path):
    path = tmp_path / "cut.h5"
    path.write_bytes(record_file.read_bytes()[: int(share * record_file.stat().st_size)])
    whole, left = read(record_file), read(path)
    assert left.plan == whole.plan
    assert 0 < len(left.rows) <= len(whole.rows)
    for name in left:
        assert np.array_equal(left[name], whole[name][: len(left[name])])
    if len(left.rows) < len(whole.rows) or len(left) < len(whole):
        assert "cut off" in str(left.stop)
        assert not left.stop.completed


def test_a_record_cut_in_its_head_is_refused_clearly(record_file, tmp_path):
    path = tmp_path / "cut.h5"
    path.write_bytes(record_file.read_bytes()[:5000])
    with pytest.raises(InputError, match=r"cut off after 5000 of \d+ bytes.*Copy the file again"):
        read(path)


@pytest.mark.parametrize(
    ("content", "problem"),
    [(b"time,x\n0,1\n", "cannot be read"), (b"", "cannot be read"), (None, "does not exist")],
)
def test_a_foreign_or_missing_file_is_refused_clearly(content, problem, tmp_path):
    path = tmp_path / "other.h5"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError, match=problem):
        read(path)


def test_an_hdf5_file_of_someone_else_is_refused_clearly(tmp_path):
    with h5py.File(tmp_path / "other.h5", "w") as file:
        file["x"] = [1.0, 2.0]
    with pytest.raises(InputError, match="is no 'rths record 1'"):
        read(tmp_path / "other.h5")
