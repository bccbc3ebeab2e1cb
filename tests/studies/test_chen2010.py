from __future__ import annotations

import pytest

from rths.frame.model_file import find_model, parse_model
from rths.studies.chen2010.whole_frame import frame_model
from rths.studies.study import study

STUDY = "chen2010"
SLOW = ()


def test_the_target_is_met(target, assert_met):
    assert_met(target)


def test_every_number_of_the_paper_is_a_target():
    assert [t.id for t in study(STUDY).targets] == [f"H{n}" for n in range(1, 11 + 1)]


@pytest.mark.slow
def test_the_page_holds_every_figure_and_needs_nothing_else(page_of):
    text, figures = page_of(STUDY)
    assert figures == ["4", "5", "6", "7", "8", "Table 3"]
    assert study(STUDY).paper.title in text


def flatten(table, path=()):
    """Give the numbers and words of nested tables and rows by where they stand."""
    if not isinstance(table, dict | list | tuple):
        return {path: table}
    parts = table.items() if isinstance(table, dict) else enumerate(table)
    return {k: v for name, part in parts for k, v in flatten(part, (*path, name)).items()}


def test_the_frame_that_comes_along_is_the_one_that_is_described():
    kept, made = flatten(parse_model(find_model("chen2010"))), flatten(frame_model())
    # the order of a sum, and so its last digits, differ from one Python to the next
    assert kept.keys() == made.keys()
    for place, value in made.items():
        assert kept[place] == (
            pytest.approx(value, rel=1e-12) if isinstance(value, float) else value
        )
