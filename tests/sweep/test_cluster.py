"""A cluster is only an address: the same results, no shared folder, nothing lost with a worker."""

from __future__ import annotations

import pickle

import pytest

from rths.config.plan import load
from rths.errors import InputError
from rths.sweep.job import check_versions, make_job, versions_here
from rths.sweep.study import read_study
from rths.sweep.sweep import sweep
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
        n_workers=2, threads_per_worker=1, dashboard_address=None, worker_dashboard_address=None
    ) as cluster:
        told = []

        def kill_one(done):
            told.append(done)
            if len(told) in (10, 30):
                next(iter(cluster.workers.values())).process.process.kill()

        address = cluster.scheduler_address
        found = sweep(study, tmp_path / "out", cluster=address, progress=kill_one)
        assert found.digest() == whole


def test_other_versions_are_turned_away_at_the_door():
    check_versions(versions_here())
    with pytest.raises(InputError, match=r"numpy .* instead of 1\.0"):
        check_versions({**versions_here(), "numpy": "1.0"})


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
