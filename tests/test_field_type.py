"""What a type takes is told from the type alone."""

from __future__ import annotations

from typing import Literal

import pytest

from rths.description import describe
from rths.field_type import describe_type, field_type, find_requirement
from rths.quantity import Duration, Matrix


@describe
class Described:
    """A description with a field of each sort."""

    step: Duration | None = None
    steps: tuple[Duration, ...] = ()
    order: Literal[2, 3] = 2
    shape: Literal["hold", "linear"] = "hold"
    bound: float | tuple[float, float] | None = None
    mass: Matrix = ((1.0,),)
    own: dict[str, object] | None = None
    on: bool = False


@pytest.mark.parametrize(
    ("field", "text", "unit"),
    [
        ("step", "a time above 0, in s", "s"),
        ("steps", "a list, each a time above 0, in s", "s"),
        ("order", "2 or 3", ""),
        ("shape", '"hold" or "linear"', ""),
        ("bound", "a number, or [low, high]", ""),
        ("mass", "a number or a list of rows", ""),
        ("own", "a table {kind = ...}", ""),
        ("on", "true or false", ""),
    ],
)
def test_text_and_unit_of_a_type(field, text, unit):
    hint = field_type(Described, field)
    wanted = find_requirement(hint)
    assert describe_type(hint) == text
    assert (wanted.shown_unit if wanted else "") == unit


def test_the_unit_can_be_left_out():
    assert describe_type(field_type(Described, "step"), with_unit=False) == "a time above 0"
