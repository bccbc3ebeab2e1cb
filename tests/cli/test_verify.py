"""``rths verify``: the exit status says whether a record is as it was recorded."""

from __future__ import annotations

import h5py


def test_a_record_is_verified(rths, records):
    answer = rths("verify", records / "good.h5")
    assert answer.status == 0
    assert "is as it was recorded" in answer.out
    assert "rehearsed" in answer.out


def test_a_change_is_named_and_the_status_says_so(rths, records, tmp_path):
    (tmp_path / "x.h5").write_bytes((records / "good.h5").read_bytes())
    with h5py.File(tmp_path / "x.h5", "r+") as file:
        file["integrator/target"][100, 0] = 1.0
    answer = rths("verify", "x.h5")
    assert answer.status == 1
    assert "integrator/target was changed" in answer.out


def test_a_file_that_is_no_record_is_told(rths, tmp_path):
    (tmp_path / "x.h5").write_text("no record")
    answer = rths("verify", "x.h5")
    assert answer.status == 2
    assert answer.err.startswith("error: record = 'x.h5'")
