"""A workshop runs some variations in one call and others alone; each is the run of its plan."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from rths.config.plan import load
from rths.run.virtual import simulate
from rths.sweep import workshop
from rths.sweep.job import make_job
from rths.sweep.study import plan_of_run, read_study
from rths.sweep.sweep import sweep
from rths.sweep.workshop import Workshop

PEAKS = ("peak.compensator.command", "peak.feedback.force")


@pytest.fixture
def fused(monkeypatch):
    """Let the loop of peaks pay at once."""
    monkeypatch.setattr("rths.loop.cycle.FUSED_PAYS", 1)


def shop_of(study):
    shop = Workshop(make_job(study, PEAKS), study.test)
    assert shop.stacks
    return shop


def points(study):
    columns = study.design.columns(0, study.runs)
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def alone(study, run):
    """End, time and peaks of a run, from the record of its plan."""
    record = simulate(plan_of_run(study, run))
    names = [name.removeprefix("peak.") for name in PEAKS]
    peaks = [np.abs(record[n]).max() if len(record.rows) else 0.0 for n in names]
    return record.stop.reason, record.stop.time, dict(zip(PEAKS, peaks, strict=True))


def test_a_run_in_a_stack_is_the_run_of_its_plan(tables, fused):
    study = read_study(tables)
    found = shop_of(study).run(points(study))
    assert found == [alone(study, run) for run in range(study.runs)]


def test_some_stop_some_are_refused_and_some_are_built_anew(tables, fused, monkeypatch):
    tables["variable"] = [
        {"field": "transfer.delay", "values": [0.001, 0.003, 0.2, 0.02]},  # 0.2 s: another ring
        {"field": "specimen.stiffness", "values": [900.0, -5.0, 90000.0]},  # the last is lost
    ]
    study = read_study({k: v for k, v in tables.items() if k != "runs"} | {"design": "grid"})
    given = points(study)
    found = shop_of(study).run(given)
    refused = [values["specimen.stiffness"] < 0 for values in given]
    assert [end == "refused" for end, *_ in found] == refused
    ends = {end for end, *_ in found}
    assert {"completed", "refused"} < ends  # and what a lost run ends with
    kept = [run for run in range(study.runs) if not refused[run]]
    assert [found[run] for run in kept] == [alone(study, run) for run in kept]
    monkeypatch.setattr(workshop, "TICKS_AT_ONCE", 1)
    one_by_one = shop_of(study).run(given)
    assert str(one_by_one) == str(found)  # not a number is none in both


def test_a_structure_that_varies_is_built_anew(tables, fused):
    tables |= {"runs": 4}
    tables["variable"] = [{"field": "structure.masses[1]", "low": 1.5, "high": 2.5}]
    study = read_study(tables)
    found = shop_of(study).run(points(study))
    assert found == [alone(study, run) for run in range(4)]


def test_what_nobody_asks_for_is_not_kept(tables, fused):
    study = read_study(tables | {"runs": 3, "outcomes": {}})
    found = shop_of(study).run(points(study))
    assert [(end, row) for end, _, row in found] == [("completed", {})] * 3


FRAIL = """
from rths import Block, kernel
from rths.compensator.base import Compensator, describe
from rths.quantity import Delay


@kernel
def step(x, p, u, y):
    if x[0] == p[0]:
        raise ValueError("too late")
    x[0] += 1.0
    y[0] = u[0]


@describe
class Frail(Compensator):
    '''Raises in a tick, or cannot be made at all.'''

    delay: Delay

    def block(self, site):
        return Block(step, [round(1.0 / (self.delay - 0.5))], [0.0])
"""


def test_blocks_that_raise_cost_their_own_runs_alone(tables, plan, tmp_path, fused, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (plan.parent / "frail.py").write_text(FRAIL)
    own = plan.read_text().replace('"polynomial"', '"frail.py:Frail"').replace("order = 3\n", "")
    plan.write_text(own)
    tables["variable"] = [{"field": "compensator.delay", "values": [0.003, 0.5, 0.51, 0.4]}]
    tables |= {"design": "grid", "batch": 4}
    del tables["runs"]
    study = read_study(tables, load(plan, trust=True))
    found = sweep(study, tmp_path / "out")
    assert list(found["end"]) == ["completed", "refused", "exception", "completed"]
    assert found["time"][2] == pytest.approx(0.1)  # 1/(0.51 - 0.5) ticks
    monkeypatch.setattr("rths.loop.cycle.FUSED_PAYS", 10**9)
    assert sweep(study, tmp_path / "table").digest() == found.digest()


def test_a_billion_runs_are_opened_like_ten(tables):
    study = read_study(tables | {"runs": 10**9})
    tracemalloc.start()
    try:
        shop = Workshop(make_job(study, PEAKS), study.test)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert shop.source is not None
    assert most < 50e6  # a list of all runs would be 8e9
