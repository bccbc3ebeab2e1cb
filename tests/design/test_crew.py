"""Parts of a design on a cluster are those of threads."""

from __future__ import annotations

import threading
from concurrent.futures import Future

import pytest

from rths.design.candidate import Candidate
from rths.design.crew import ClusterCrew, gather_crew, results
from rths.design.search import Round, Tuned
from rths.errors import InputError
from rths.registry import find


@pytest.mark.slow
def test_a_local_cluster_tunes_as_threads_do(bench):
    pytest.importorskip("distributed")
    start = Candidate("polynomial", find("compensator", "polynomial")(delay=0.008))
    asked = ("tune", Tuned(start), Round(None, 1.0, None), 10, 600.0)
    with gather_crew(bench, 1, "local") as crew:
        (there,) = results(crew, [crew.submit(*asked)], [])
    here = bench.tune(*asked[1:])
    assert there.score == here.score
    assert there.candidate.compensator == here.candidate.compensator


class Mortal:
    """A place that loses what it is given so many times."""

    def __init__(self, losses, silent=False):
        self.losses, self.silent, self.is_sound, self.open = losses, silent, True, []

    def call(self, function, part, packed):
        found = Future()
        if self.losses and self.silent:
            self.is_sound = False
            self.open.append(found)
        elif self.losses:
            found.set_exception(RuntimeError("KilledWorker"))
        else:
            found.set_result(part)
        self.losses = max(0, self.losses - 1)
        return found

    def recover(self, error):
        self.is_sound = True
        while self.open:
            self.open.pop().set_exception(error)
        return True


@pytest.mark.parametrize("silent", [False, True])
def test_what_a_cluster_loses_is_given_out_again(silent):
    crew = ClusterCrew(Mortal(3, silent))
    assert results(crew, [crew.submit("tune"), crew.submit("judge")], []) == ["tune", "judge"]
    crew = ClusterCrew(Mortal(99))
    with pytest.raises(InputError, match="does not do its part"):
        results(crew, [crew.submit("tune")], [])


@pytest.mark.parametrize("wishes", [[], ["SIGINT"]])
def test_only_who_wants_to_stop_does_not_wait_for_the_last_part(wishes):
    begun, left = threading.Event(), threading.Event()

    class Bench:
        stop = threading.Event()

        def judge(self):
            begun.set()
            assert self.stop.wait(60)
            return left.wait(0 if not wishes else 60)

    with gather_crew(Bench(), 1, None, wishes) as crew:
        last = crew.submit("judge")
        assert begun.wait(60)
    assert last.done() != bool(wishes)
    left.set()
    last.result(60)
