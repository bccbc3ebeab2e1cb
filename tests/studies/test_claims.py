"""Claims and captions of the studies are data, each with its function."""

from __future__ import annotations

import pytest

from rths.studies import study_names
from rths.studies.claims import read_claims
from rths.studies.drawing import read_captions
from rths.studies.study import study
from rths.studies.target import AT_MOST, EXACT, Tolerance


@pytest.mark.parametrize("name", study_names())
def test_every_claim_is_computed_once_and_has_a_target(name):
    targets = list(study(name).targets)
    assert [t.id for t in targets] == list(read_claims(f"rths.studies.{name}"))
    assert all(t.target is not None for t in targets)


@pytest.mark.parametrize("name", study_names())
def test_every_caption_has_its_figure(name):
    drawn = [figure.number for figure in study(name).figures]
    assert drawn == list(read_captions(f"rths.studies.{name}"))


def test_a_tolerance_is_read_as_it_is_written(tmp_path, monkeypatch):
    package = tmp_path / "claimed"
    package.mkdir()
    (package / "__init__.py").touch()
    text = """
        [X1]
        claim = "a"
        paper = "1"
        tolerance = "exact"
        [X2]
        claim = "b"
        paper = "2"
        tolerance = { relative = 0.1, absolute = 0.2 }
        [X3]
        claim = "c"
        paper = "3"
        reason = "a misprint"
        target = { first = 1, second = [2, 3] }
        tolerance = { first = "at most", second = { absolute = 1 } }
    """
    (package / "claims.toml").write_text(text, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    first, second, third = read_claims("claimed").values()
    assert (first.tolerance, first.target, first.reason) == (EXACT, None, "")
    assert second.tolerance == Tolerance(relative=0.1, absolute=0.2)
    assert third.tolerance == {"first": AT_MOST, "second": Tolerance(absolute=1)}
    assert third.target == {"first": 1, "second": [2, 3]}
