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
        ("A" * 65, "oil was low", "", "by"),
        ("A. Tester", "o" * 257, "", "cause"),
    ],
)
def test_a_name_or_a_cause_that_says_nothing_is_refused(by, cause, second, field):
    with pytest.raises(InputError) as error:
        Acknowledgement(by, cause, second)
    assert error.value.field == field


def test_one_name_or_two_are_kept_with_the_cause():
    one = Acknowledgement(" A.  Tester\n", "oil was low")
    two = Acknowledgement("A. Tester", "oil was low", "B. Tester")
    assert (one.people, two.people) == ("A. Tester", "A. Tester and B. Tester")
    assert {"by", "cause", "time"} == set(one.as_dict()) == set(two.as_dict()) - {"second"}
