from __future__ import annotations

import pytest

from rths.studies.study import study

STUDY = "carrion2006"
SLOW = ("C9", "C15")


def test_the_target_is_met(target, assert_met):
    assert_met(target)


def test_every_number_of_the_paper_is_a_target():
    assert [t.id for t in study(STUDY).targets] == [f"C{n}" for n in range(1, 20 + 1)]


@pytest.mark.slow
def test_the_page_holds_every_figure_and_needs_nothing_else(page_of):
    text, figures = page_of(STUDY)
    assert figures == ["4", "7", "8", "9", "10", "12", "14"]
    assert study(STUDY).paper.title in text
