"""How numbers are written: one way that all rows agree with, or none at all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rths.errors import InputError
from rths.motions.number_style import BLANKS, STYLES, NumberStyle, choose_style, read_numbers

numbers = st.lists(
    st.tuples(st.floats(-9, 9), st.floats(-9, 9)).map(lambda r: tuple(round(v, 4) for v in r)),
    min_size=2,
    max_size=9,
)


def as_rows(table, separator, decimal):
    lines = (separator.join(f"{v:.4f}".replace(".", decimal) for v in r) for r in table)
    return list(enumerate(lines, start=1))


@given(table=numbers, style=st.sampled_from([s for s in STYLES if s.separator != s.decimal]))
def test_what_was_written_in_one_style_is_read_in_it(table, style):
    rows = as_rows(table, style.separator or "  ", style.decimal)
    found = choose_style("f", rows, {style.separator: 2})
    assert read_numbers("f", rows, found, ["t", "a"]).tolist() == [list(r) for r in table]


@pytest.mark.parametrize(
    ("lines", "counts", "problem"),
    [
        (["1,234;5,678", "2,345;6,789"], {";": 2}, "may be 1.234 or 1234"),
        (["0,5", "0,7"], {}, "in two ways"),
        (["1.234;5.678", "2.345;6.789"], {";": 2}, "may be 1.234 or 1234"),
    ],
)
def test_what_can_be_read_in_two_ways_is_refused(lines, counts, problem):
    with pytest.raises(InputError, match=problem) as refused:
        choose_style("f", list(enumerate(lines, start=1)), counts)
    assert refused.value.remedy


def test_one_number_settles_the_decimal_sign_for_all():
    rows = list(enumerate(["1,234;5,678", "2,345;0,7"], start=1))
    assert choose_style("f", rows, {";": 2}) == NumberStyle(";", ",")


def test_whole_numbers_have_no_decimal_sign_to_choose():
    rows = list(enumerate(["1 2", "3 4"], start=1))
    assert choose_style("f", rows, {BLANKS: 2}).cells("1 2") == ["1", "2"]


@pytest.mark.parametrize("cell", ["1_000", "0x1p4", "1'234", "1,234.5", "", "--1", "1e", "٣"])
def test_what_only_a_program_takes_for_a_number_is_none(cell):
    assert not any(s.is_number(cell) for s in STYLES)
