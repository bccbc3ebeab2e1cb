from __future__ import annotations

import pytest

from rths.studies.study import study

STUDY = "wu2013"
SLOW = ()


def test_the_target_is_met(target, assert_met):
    assert_met(target)


def test_every_number_of_the_paper_is_a_target():
    assert [t.id for t in study(STUDY).targets] == [f"U{n}" for n in range(1, 20 + 1)]


@pytest.mark.slow
def test_the_page_holds_every_figure_and_needs_nothing_else(page_of):
    text, figures = page_of(STUDY)
    assert figures == ["1", "3", "6", "7", "8", "9", "11", "12", "13", "14", "16", "A1"]
    assert study(STUDY).paper.title in text
