"""``rths rerun``: a record repeats its test."""

from __future__ import annotations

import h5py


def test_a_repetition_is_identical_and_its_exit_status_says_so(rths, records):
    answer = rths("rerun", records / "late.h5")
    assert answer.status == 0
    assert "identical to the last bit" in answer.out


def test_a_repetition_that_differs_says_where(rths, records, tmp_path):
    (tmp_path / "x.h5").write_bytes((records / "late.h5").read_bytes())
    with h5py.File(tmp_path / "x.h5", "r+") as file:
        file["integrator/target"][100, 0] = 1.0
    answer = rths("rerun", "x.h5")
    assert answer.status == 1
    assert "integrator.target: first at 0.1 s" in answer.out
