"""Parts of a design on a cluster are those of threads."""

from __future__ import annotations

import pytest

from rths.design.candidate import Candidate
from rths.design.crew import gather_crew, results
from rths.design.search import Round, Tuned
from rths.registry import find


@pytest.mark.slow
def test_a_local_cluster_tunes_as_threads_do(bench):
    pytest.importorskip("distributed")
    start = Candidate("polynomial", find("compensator", "polynomial")(delay=0.008))
    asked = ("tune", Tuned(start), Round(None, 1.0, None), 10, 600.0)
    with gather_crew(bench, 1, "local") as crew:
        (there,) = results([crew.submit(*asked)], [])
    here = bench.tune(*asked[1:])
    assert there.score == here.score
    assert there.candidate.compensator == here.candidate.compensator
