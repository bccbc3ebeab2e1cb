"""``rths export``: a record in other formats."""

from __future__ import annotations


def test_an_export_lies_beside_its_record_or_where_told(rths, records, tmp_path):
    answer = rths("export", records / "late.h5", "--to", "csv", "--out", "late.csv")
    assert answer.status == 0
    assert (tmp_path / "late.csv").exists()
    assert rths("export", records / "late.h5", "--to", "xls").status == 2
