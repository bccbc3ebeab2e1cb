"""A range is data: its check, its text and its JSON Schema say the same."""

from __future__ import annotations

from fractions import Fraction
from math import inf, nan, nextafter
from typing import Annotated

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from rths import quantity
from rths.quantity import Delay, Matrix, Range

ENDS = st.one_of(st.just(0.0), st.floats(-1e6, 1e6))
RANGES = st.builds(
    lambda a, b, left, right: Range(
        low=min(a, b), high=max(a, b) + 1, open_low=left, open_high=right
    ),
    ENDS,
    ENDS,
    st.booleans(),
    st.booleans(),
)


def accepted(range_, value):
    try:
        TypeAdapter(Annotated[float, range_]).validate_python(value)
    except ValidationError:
        return False
    return True


def within(bounds, value):
    """Judge a value as JSON Schema does."""
    return (
        value >= bounds.get("minimum", -inf)
        and value > bounds.get("exclusiveMinimum", -inf)
        and value <= bounds.get("maximum", inf)
        and value < bounds.get("exclusiveMaximum", inf)
    )


@given(range_=RANGES, value=st.floats(-2e6, 2e6))
def test_check_and_schema_give_the_same_verdict(range_, value):
    for v in (value, float(range_.low), float(range_.high)):
        assert accepted(range_, v) == (v in range_) == within(range_.bounds(), v)


@pytest.mark.parametrize(
    ("range_", "text", "bounds"),
    [
        (Range(noun="a finite number"), "a finite number", {}),
        (Range("s", "a time", low=0), "a time of 0 or more, in s", {"minimum": 0}),
        (
            Range("s", "a time", low=0, open_low=True),
            "a time above 0, in s",
            {"exclusiveMinimum": 0},
        ),
        (
            Range(low=0, high=1, open_high=True),
            "a number from 0 to below 1",
            {"minimum": 0, "exclusiveMaximum": 1},
        ),
        (Range(high=2), "a number of at most 2", {"maximum": 2}),
        (Range(high=2, open_high=True), "a number below 2", {"exclusiveMaximum": 2}),
        (
            Range(noun="a whole number", low=1, whole=True),
            "a whole number from 1 on",
            {"minimum": 1},
        ),
        (
            Range(low=Fraction(-1, 3), high=0),
            "a number from -1/3 to 0",
            {"minimum": -1 / 3, "maximum": 0},
        ),
        (
            Range("s", "a time", low=-1, high=1, remark="below 0 if early"),
            "a time from -1 to 1, below 0 if early, in s",
            {"minimum": -1, "maximum": 1},
        ),
    ],
)
def test_text_and_schema_follow_from_the_ends(range_, text, bounds):
    assert range_.sentence == text
    assert range_.bounds() == bounds


def test_a_third_as_a_fraction_ends_where_the_float_does():
    third = Range(low=Fraction(-1, 3), high=0)
    assert -1 / 3 in third
    assert nextafter(-1 / 3, -1) not in third


@pytest.mark.parametrize("value", [nan, inf, -inf, True, False])
def test_what_is_no_finite_number_is_in_no_range(value):
    assert not accepted(Range(), value)


def test_a_number_too_large_for_a_float_is_refused_like_any_other():
    with pytest.raises(ValidationError):
        TypeAdapter(quantity.Order).validate_python(10**400)


def test_a_delay_beyond_a_second_is_told_to_be_in_milliseconds():
    with pytest.raises(ValidationError) as error:
        TypeAdapter(Delay).validate_python(15.0)
    told = error.value.errors()[0]["ctx"]
    assert told["problem"] == "is longer than any actuator's delay"
    assert told["remedy"] == "Delays are in seconds: 15 ms is written 0.015."
    assert TypeAdapter(Delay).json_schema()["maximum"] == 1


def test_a_matrix_may_be_a_single_number_in_the_schema_too():
    assert TypeAdapter(Matrix).json_schema()["anyOf"][0] == {"type": "number"}
    assert TypeAdapter(Matrix).validate_python(2.0) == ((2.0,),)


NO_NUMBERS = {"true": True, "a quoted number": "0.5", "a whole number beyond any float": 10**400}


@pytest.mark.parametrize("kind", [Delay, quantity.Positive, quantity.Index, quantity.Count])
@pytest.mark.parametrize("value", NO_NUMBERS.values(), ids=NO_NUMBERS)
def test_what_is_no_number_is_refused(kind, value):
    with pytest.raises(ValidationError):
        TypeAdapter(kind).validate_python(value)


@pytest.mark.parametrize("kind", [quantity.RealVector, Matrix])
@pytest.mark.parametrize("value", NO_NUMBERS.values(), ids=NO_NUMBERS)
def test_what_is_no_number_is_refused_in_a_list_too(kind, value):
    for listed in (value, [value], [1.0, value], [[1.0, value]]):
        with pytest.raises(ValidationError):
            TypeAdapter(kind).validate_python(listed)
