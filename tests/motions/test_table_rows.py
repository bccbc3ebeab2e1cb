"""Rows of a text table: what stands above the numbers, the numbers, and comments."""

from __future__ import annotations

import pytest

from rths.motions.table_rows import SIGNS, begins_with_number, split_rows


@pytest.mark.parametrize("sign", SIGNS)
def test_comments_are_left_out_wherever_they_stand(sign):
    rows = split_rows(f"{sign} first\nt,x\n0,1\n{sign} within\n1,2\n")
    assert rows.above == [(2, "t,x")]
    assert rows.numbers == [(3, "0,1"), (5, "1,2")]
    assert rows.comments == [(1, "first")]


def test_numbers_begin_with_the_first_and_never_end():
    rows = split_rows("title\nt x\n0 1\nend\n")
    assert [n for n, _ in rows.numbers] == [3, 4]


def test_a_separator_at_the_end_of_every_row_is_no_cell():
    assert split_rows("t,x,\n0,1,\n1,2,\n").numbers == [(2, "0,1"), (3, "1,2")]
    assert split_rows("t,x\n0,1,\n1,2\n").numbers == [(2, "0,1,"), (3, "1,2")]


@pytest.mark.parametrize("line", ["0.02,1", '"0,02";1', "-.5 1", "1E-3\t2", "nan,1", "+1d2|3"])
def test_a_number_is_known_by_its_first_cell(line):
    assert begins_with_number(line)


@pytest.mark.parametrize("line", ["m/s2,g", "1st,2nd", "time,1", "", ";1", "2024-01-01,1"])
def test_a_heading_is_no_number(line):
    assert not begins_with_number(line)
