"""``rths compare``: two records side by side."""

from __future__ import annotations


def test_two_records_are_compared_in_plan_signals_and_picture(rths, records, tmp_path):
    answer = rths("compare", records / "good.h5", records / "late.h5", "--out", "c.svg")
    assert answer.status == 0
    assert "compensator.kind: polynomial -> none" in answer.out
    assert "identical" in next(x for x in answer.out.splitlines() if "excitation.signal[0]" in x)
    assert (tmp_path / "c.svg").stat().st_size > 5000
