"""The page of a comparison, from runs that never took place."""

from __future__ import annotations

import numpy as np

from rths.problems.silva2020.candidates import candidate
from rths.problems.silva2020.page import write
from rths.problems.silva2020.problem import BUILT_IN, Motion
from rths.problems.silva2020.results import Cell, Wish
from rths.problems.silva2020.runs import Score

SHORT = Motion("short", BUILT_IN, 0.0, 4.0)
PEAKS = {"force": 9000.0, "stroke": 1e-3, "velocity": 0.1}


def test_page_shows_criteria_counts_and_limits(tmp_path):
    good = Score(np.arange(1.0, 10.0), PEAKS)
    others = [Score(np.arange(1.0, 10.0) * f, {}) for f in (1.0, 1.5)] + [Score(None)]
    one, two = candidate("none"), candidate("inverse_rls")
    wish = Wish([one, two], [SHORT], (1,), plants=3)
    cells = [Cell(one, SHORT, 1, "difference", Score(None), [Score(None)] * 3, 0),
             Cell(two, SHORT, 1, "difference", good, others, 1)]  # fmt: skip
    text = write(wish, cells, "somewhere", tmp_path / "new").read_text(encoding="utf-8")
    assert "13.50" in text  # worst of J9
    assert "11.25" in text  # its mean over the stable runs
    assert "1 of 3; 1 plants left out" in text
    assert "3 of 3" in text
    assert ">force<" in text
    assert text.count("data:image/svg+xml") == 2
    assert "delay = 0.0251" in text  # what it was told
    assert text.index("<td>inverse rls") < text.index("<td>none")  # who loses runs comes last


def test_page_of_an_interrupted_benchmark_says_what_is_missing(tmp_path):
    wish = Wish([candidate("inverse_rls")], [SHORT], (1, 2), plants=1)
    cells = [Cell(wish.candidates[0], SHORT, 1, "difference", None, [Score(np.ones(9))], 0)]
    text = write(wish, cells, "somewhere", tmp_path).read_text(encoding="utf-8")
    assert "1 of 4 runs are here" in text


def test_without_perturbed_plants_there_are_no_boxes(tmp_path):
    wish = Wish([candidate("none")], [SHORT], (1,))
    cells = [Cell(wish.candidates[0], SHORT, 1, "difference", Score(np.ones(9), {}), [], 0)]
    text = write(wish, cells, "somewhere", tmp_path).read_text(encoding="utf-8")
    assert text.count("data:image/svg+xml") == 1
