"""Acknowledging needs a name and a cause that say something."""

from __future__ import annotations

import pytest

from rths.errors import InputError
from rths.realtime.acknowledgement import Acknowledgement


@pytest.mark.parametrize(
    ("by", "cause", "second", "field"),
    [
        ("", "oil was low", "", "by"),
        ("  \t", "oil was low", "", "by"),
        ("-", "oil was low", "", "by"),
        ("A. Tester", "", "", "cause"),
        ("A. Tester", "...", "", "cause"),
        ("A. Tester", "oil was low", "  ", "second"),
        ("A. Tester", "oil was low", "a. tester", "second"),
        ("A. Tester", "oil was low", "A Tester", "second"),
        ("A. Tester", "oil was low", "A.Tester", "second"),
        ("A. Tester", "oil was low", "\uff21. Tester", "second"),  # a wide letter
        ("Jos\u00e9 M", "oil was low", "Jose\u0301 M", "second"),  # an accent of its own
        ("Anna", "oil was low", "\u0410nna", "second"),  # a Cyrillic A
        ("Anna", "oil was low", "\u0391nna", "second"),  # a Greek one
        ("A. Tester\x1b[2J", "oil was low", "", "by"),
        ("A. Tester", "oil \x07 was low", "", "cause"),
        ("A. Tester", "oil was low", "B\u202eob", "second"),  # turns the direction of writing
        ("Ann\u200ba", "oil was low", "", "by"),  # a space without width
        ("A\udc80", "oil was low", "", "by"),  # an argument that is no UTF-8
        ("A" * 65, "oil was low", "", "by"),
        ("A. Tester", "o" * 257, "", "cause"),
    ],
)
def test_a_name_or_a_cause_that_says_nothing_is_refused(by, cause, second, field):
    with pytest.raises(InputError) as error:
        Acknowledgement(by, cause, second)
    assert error.value.field == field


@pytest.mark.parametrize(
    ("by", "second"),
    [
        ("A. Tester", "B. Tester"),
        ("Анна", "Инна"),
        ("Jos\u00e9", "Jose"),
        ("李", "王"),
        ("Li 1", "Li 2"),
    ],
)
def test_two_people_have_two_names(by, second):
    assert Acknowledgement(by, "oil was low", second).second == second


def test_one_name_or_two_are_kept_with_the_cause():
    one = Acknowledgement(" A.  Tester\n", "oil was low")
    two = Acknowledgement("A. Tester", "oil was low", "B. Tester")
    assert (one.people, two.people) == ("A. Tester", "A. Tester and B. Tester")
    assert {"by", "cause", "time"} == set(one.as_dict()) == set(two.as_dict()) - {"second"}
