"""A cluster is only an address: the same results, no shared folder, nothing lost with a worker."""

from __future__ import annotations

import pickle
import threading
import time
from concurrent.futures import Future
from dataclasses import replace
from types import SimpleNamespace

import pytest

from rths.config.plan import load
from rths.errors import InputError
from rths.sweep import cluster, cluster_watch, workplace
from rths.sweep.cluster import _make_door
from rths.sweep.job import OtherVersionsError, check_versions, make_job, versions_here
from rths.sweep.results import Results
from rths.sweep.study import read_study
from rths.sweep.sweep import sweep
from rths.sweep.workplace import run_batches
from rths.sweep.workshop import Workshop

pytest.importorskip("distributed", reason="needs dask.distributed")

LEAD = """
from rths import Block, kernel
from rths.compensator.base import Compensator, describe
from rths.quantity import Delay


@kernel
def step(x, p, u, y):
    y[0] = u[0] + p[0] * (u[0] - x[0])
    x[0] = u[0]


@describe
class Lead(Compensator):
    '''Linear prediction.'''

    delay: Delay

    def block(self, site):
        return Block(step, [self.delay / site.interval], [site.displacement])
"""


def with_own_block(plan):
    """Load the plan with a compensator of the user's own, whose file lies beside it."""
    (plan.parent / "lead.py").write_text(LEAD)
    own = plan.read_text().replace('"polynomial"', '"lead.py:Lead"').replace("order = 3\n", "")
    plan.write_text(own)
    return load(plan, trust=True)


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_a_local_cluster_gives_the_same_bits_with_own_blocks(tables, plan, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    study = read_study(tables, with_own_block(plan))
    here = sweep(study, tmp_path / "here").digest()
    there = sweep(study, tmp_path / "there", cluster="local", workers=2)
    assert there.digest() == here


def test_a_job_needs_no_file_and_no_trust_of_the_machine_it_comes_to(
    tables, plan, tmp_path, monkeypatch
):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    study = read_study(tables, with_own_block(plan))
    job = pickle.loads(pickle.dumps(make_job(study, ("peak.compensator.command",))))
    values = {"transfer.delay": 0.002, "specimen.stiffness": 950.0}
    here = Workshop(job, study.test).run([values])
    (plan.parent / "lead.py").unlink()
    plan.unlink()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "other"))
    assert Workshop(job).run([values]) == here
    assert not list((tmp_path / "other").rglob("*"))  # nothing is trusted there from now on


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_a_worker_that_is_killed_loses_nothing(tables, tmp_path):
    import distributed

    study = read_study(tables | {"runs": 600, "batch": 10})
    whole = sweep(study, tmp_path / "whole").digest()
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=":0", worker_dashboard_address=":0"
    ) as cluster:
        told = []

        def kill_one(done):
            told.append(done)
            if len(told) in (10, 30):
                next(iter(cluster.workers.values())).process.process.kill()

        address = cluster.scheduler_address
        found = sweep(study, tmp_path / "out", cluster=address, progress=kill_one)
        assert found.digest() == whole


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_a_cluster_that_everybody_has_left_is_told(tables, tmp_path, monkeypatch):
    import distributed

    study = read_study(tables | {"runs": 600, "batch": 10})
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, dashboard_address=":0", worker_dashboard_address=":0"
    ) as cluster:
        told = []

        def leave(done):
            told.append(done)
            if len(told) == 5:
                monkeypatch.setattr("rths.sweep.cluster.ARRIVAL", 1.0)
                cluster.scale(0)
                end = time.monotonic() + 60.0
                while cluster.scheduler.workers and time.monotonic() < end:
                    time.sleep(0.05)  # no batch is given out meanwhile

        address = cluster.scheduler_address
        with pytest.raises(InputError, match="goes on with the rest"):
            sweep(study, tmp_path / "out", cluster=address, progress=leave)
    assert 50 <= len(Results(tmp_path / "out")["run"]) < 600
    assert sweep(study, tmp_path / "out").digest() == sweep(study, tmp_path / "whole").digest()


def test_other_versions_are_turned_away_at_the_door():
    check_versions(versions_here())
    with pytest.raises(InputError, match=r"numpy .* instead of 1\.0"):
        check_versions({**versions_here(), "numpy": "1.0"})


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_a_worker_with_other_versions_that_comes_late_leaves_again(tables):
    import distributed

    given = make_job(read_study(tables), ("a",))
    job = replace(given, versions={**given.versions, "numpy": "1.0"})
    with distributed.LocalCluster(
        n_workers=0, dashboard_address=":0", worker_dashboard_address=":0", silence_logs=50
    ) as started, distributed.Client(started, set_as_default=False) as client:  # fmt: skip
        client.register_plugin(_make_door(job))
        started.scale(1)
        came = False
        for _ in range(600):
            came = came or bool(client.nthreads())
            if came and not client.nthreads():
                break
            time.sleep(0.1)
        assert came
        assert not client.nthreads()


class Mixed:
    """A place where every batch comes to a worker with other versions first."""

    workers, is_sound = 1, True

    def __init__(self, refusals):
        self.left = dict.fromkeys(range(5), refusals)

    def submit(self, number):
        found, self.left[number] = Future(), self.left[number] - 1
        if self.left[number] >= 0:
            found.set_exception(OtherVersionsError("worker", "far", "has numpy 1.0", "Install."))
        else:
            found.set_result(number)
        return found

    def recover(self, error):
        return True


def test_what_a_worker_with_other_versions_refuses_is_given_out_again():
    assert sorted(run_batches(Mixed(2), range(5), lambda: False)) == [0, 1, 2, 3, 4]
    with pytest.raises(InputError, match=r"worker = 'far': has numpy 1\.0"):
        list(run_batches(Mixed(99), range(5), lambda: False))


class Silent:
    """A place that never answers what was given out before it was lost."""

    workers = 1

    def __init__(self, mends):
        self.mends, self.is_sound, self.losses, self.open = mends, True, 1, []

    def submit(self, number):
        found = Future()
        if number == 3 and self.losses:
            self.is_sound, self.losses = False, 0
        if self.is_sound:
            found.set_result(number)
        else:
            self.open.append(found)
        return found

    def recover(self, error):
        self.is_sound = self.mends
        while self.mends and self.open:
            self.open.pop().set_exception(error)
        return self.mends


def test_what_a_lost_scheduler_never_answers_is_given_out_again():
    assert sorted(run_batches(Silent(True), range(6), lambda: False)) == [0, 1, 2, 3, 4, 5]
    with pytest.raises(InputError, match="goes on with the rest"):
        list(run_batches(Silent(False), range(6), lambda: False))


class Scheduler:
    """Answers, or never."""

    def __init__(self, answers):
        self.answers, self.never = answers, threading.Event()

    def ncores(self):
        if not self.answers:
            self.never.wait()
        return {"a": 1}

    def identity(self):
        self.ncores()
        return {"workers": {"a": {"last_seen": 0.0}}}  # its heart does not beat


class Client:
    """Dask as far as a place uses it; ``answers`` are those of the scheduler, then of workers."""

    def __init__(self, answers):
        self.scheduler, self.tasks = Scheduler(answers[0]), answers[1]
        self.status, self.loop, self.doors = "running", self, []

    def sync(self, question):
        return question()

    def submit(self, function, *given, key=None, pure=True):
        return SimpleNamespace(status="finished", given=given)

    def add_callback(self, pass_on, client, sent, found):
        if self.tasks:
            found.set_result(sent.given[-1])

    def run(self, function, *given):
        pass

    def register_plugin(self, plugin, name):
        self.doors.append(name)

    def unregister_worker_plugin(self, name):
        self.doors.remove(name)

    def close(self, timeout):
        self.status = "closed"


@pytest.fixture
def dask(monkeypatch):
    """Give what makes a cluster out of clients, one for each time that it is met."""

    def make(*clients):
        left = iter(clients)

        def meet(*_, **__):
            found = next(left, None)
            if found is None:
                raise OSError("nobody listens")
            return found

        monkeypatch.setattr(cluster, "require_dask", lambda: SimpleNamespace(Client=meet))
        for name, seconds in {"ARRIVAL": 0.3, "ANSWER": 0.1, "LOOK": 0.0}.items():
            monkeypatch.setattr(cluster, name, seconds)
        monkeypatch.setattr(cluster_watch, "STILL", 0.05)
        monkeypatch.setattr(cluster_watch, "PATIENCE", 0.2)
        monkeypatch.setattr(workplace, "PATIENCE", 0.02)
        return clients

    return make


def run_on(tables, numbers):
    """Run batches at a cluster; what comes are their numbers."""
    with cluster.ClusterPlace(make_job(read_study(tables), ("a",)), "far", 1) as place:
        return sorted(run_batches(place, numbers, lambda: False))


def test_results_that_nobody_fetches_are_made_anew(tables, dask):
    silent, sound = dask(Client((True, False)), Client((True, True)))
    assert run_on(tables, range(5)) == [0, 1, 2, 3, 4]
    assert silent.status == sound.status == "closed"


def test_a_scheduler_that_is_silent_is_not_waited_for(tables, dask):
    first = Client((True, False))
    dask(first)
    first.add_callback = lambda *_: setattr(first.scheduler, "answers", False)
    with pytest.raises(InputError, match=r"no scheduler that answers.*goes on with the rest"):
        run_on(tables, range(5))
    first.scheduler.never.set()


def test_a_cluster_that_never_answers_is_given_up(tables, dask):
    dask(*(Client((True, False)) for _ in range(20)))
    with pytest.raises(InputError, match="goes on with the rest"):
        run_on(tables, range(5))


def test_the_door_is_open_again_when_the_sweep_has_left(tables, dask):
    (client,) = dask(Client((True, True)))
    run_on(tables, range(2))
    assert client.doors == []


def test_a_job_that_is_lost_with_its_workers_is_sent_again(tables, dask):
    broken, sound = dask(Client((True, False)), Client((True, True)))
    sent = SimpleNamespace(status="error", given=())
    broken.submit = lambda *_, **__: sent
    broken.add_callback = lambda p, c, s, found: found.set_exception(RuntimeError("KilledWorker"))
    assert run_on(tables, range(3)) == [0, 1, 2]
    assert sound.doors == []


def test_a_refusal_comes_from_another_machine_as_it_was_raised():
    error = InputError("worker", "far", "has numpy 1.0", "Install the same.", "here")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_an_address_without_a_scheduler_is_told(tables, tmp_path, monkeypatch):
    monkeypatch.setattr("rths.sweep.cluster.ARRIVAL", 0.1)
    with pytest.raises(InputError, match="no scheduler that answers"):
        sweep(tables, tmp_path / "out", cluster="tcp://127.0.0.1:1")


def test_a_job_is_known_by_all_that_decides_its_results(tables):
    study, other = read_study(tables), read_study(tables | {"seed": 9})
    assert make_job(study, ("a",)).key == make_job(read_study(tables), ("a",)).key
    assert make_job(study, ("a",)).key != make_job(other, ("a",)).key
