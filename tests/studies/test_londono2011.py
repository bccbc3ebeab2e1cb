from __future__ import annotations

import pytest

from rths.studies.study import study

STUDY = "londono2011"
SLOW = ("L19",)


def test_the_target_is_met(target, assert_met):
    assert_met(target)


def test_every_number_of_the_paper_is_a_target():
    assert [t.id for t in study(STUDY).targets] == [f"L{n}" for n in range(1, 22 + 1)]


@pytest.mark.slow
def test_the_page_holds_every_figure_and_needs_nothing_else(page_of):
    text, figures = page_of(STUDY)
    assert figures == ["5", "6", "8", "13", "15", "16", "17", "18"]
    assert study(STUDY).paper.title in text
