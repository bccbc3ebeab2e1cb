"""Variants lie well beside the best values, come to their end, and are few."""

from __future__ import annotations

import pytest

from rths.design.candidate import Candidate
from rths.design.search import Tuned
from rths.design.variants import BESIDE, KEPT, STRIDES
from rths.registry import find


def test_a_variant_differs_in_one_number_by_its_stride(bench):
    cls = find("compensator", "phase_lead")
    start = Candidate("phase_lead", cls(lead_time=0.0094, lag_time=0.0005))
    found = bench.vary(Tuned(start, bench.sets.score(start)))
    assert 0 < len(found) <= KEPT
    assert [t.cost for t in found] == sorted(t.cost for t in found)
    for t in found:
        own = t.candidate.compensator
        ratios = own.lead_time / 0.0094, own.lag_time / 0.0005
        assert t.candidate.start == f"{BESIDE} delay"
        assert t.score.feasible
        changed = [r for r in ratios if r != pytest.approx(1.0, rel=1e-3)]
        assert len(changed) == 1
        assert any(changed[0] == pytest.approx(s, rel=1e-3) for s in STRIDES)


def test_variants_of_two_valleys_are_told_apart_and_scored_as_what_they_vary(bench):
    """One that dropped out after the first round is compared with others that did so."""
    own = find("compensator", "phase_lead")(lead_time=0.0094, lag_time=0.0005)
    valleys = [Candidate("phase_lead", own, start) for start in ("delay", "plan")]
    found = [bench.vary(Tuned(c, bench.sets.score(c, 3), rounds=1))[0] for c in valleys]
    assert len({t.candidate.name for t in found}) == len(found)
    few, every = (bench.sets.score(found[0].candidate, n).error for n in (3, None))
    assert found[0].score.error == few != every
