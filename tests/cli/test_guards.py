"""``rths guards``: levels from a rehearsal, as tables that the plan takes."""

from __future__ import annotations

import resource
import tomllib

import pytest

from rths.config.plan import load
from rths.run.virtual import simulate
from rths.studies.wallace2005.three_ways import PLAN

SAFETY = "\n[safety]\nrate = 0.05\nvelocity = 0.5\n"
KINDS = {"displacement_offset", "frozen_displacement", "growing_lag", "high_frequency",
         "saturation", "sign_flip", "stuck", "tracking_energy"}  # fmt: skip


@pytest.fixture
def plan(tmp_path):
    path = tmp_path / "plan.toml"
    path.write_text(PLAN.read_text("utf-8").replace("duration = 12.0", "duration = 4.0") + SAFETY)
    return path


def test_it_prints_tables_with_a_level_and_a_reason_for_each(rths, plan):
    found = rths("guards", plan, "--seeds", 1)
    assert found.status == 0, found.err
    tables = tomllib.loads(found.out)["guard"]
    assert {t["kind"] for t in tables} == KINDS
    assert all(0 < t["warn"] < t["trip"] for t in tables)
    levels = [line for line in found.out.splitlines() if line.startswith("trip")]
    assert all("  # " in line for line in levels)
    assert plan.read_text("utf-8").endswith(SAFETY)


@pytest.mark.parametrize("way", ["printed", "appended", "as JSON"])
def test_it_says_where_only_the_velocity_limit_is_left_to_stop_chatter(rths, plan, way):
    options = {"printed": (), "appended": ("--append",), "as JSON": ("--json",)}[way]
    tight = ("--set", "safety.velocity=0.042", "--set", "safety.rate=0.02")
    comment = "# no high_frequency: the rehearsed command leaves no room below its velocity limit"
    found = rths("guards", plan, "--seeds", 1, *tight, *options)
    assert found.status == 0, found.err
    assert comment in found.out
    assert 'kind = "high_frequency"' not in found.out
    if way == "printed":
        assert {t["kind"] for t in tomllib.loads(found.out)["guard"]} == KINDS - {"high_frequency"}
    assert comment not in rths("guards", plan, "--seeds", 1).out  # there is room


def test_a_plan_with_them_runs_to_its_end_and_is_stopped_on_a_slower_rig(rths, plan):
    assert rths("guards", plan, "--seeds", 1, "--append").status == 0
    assert simulate(load(plan)).stop.completed
    late = load(plan, {"compensator.kind": "none", "clock.duration": 12.0})
    stop = simulate(late).stop
    assert stop.reason == "trip"
    assert stop.guard in KINDS
    assert simulate(late)["safety.command"].max() < 0.25 * 0.025
    assert rths("guards", plan, "--seeds", 1).out == ""  # it has them all


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        (["compensator.kind=none", "clock.duration=12.0"], "does not end as planned"),
        ([], "[safety]"),
    ],
)
def test_a_plan_without_levels_is_refused_with_a_remedy(rths, plan, changes, told):
    if not changes:
        plan.write_text(plan.read_text("utf-8").removesuffix(SAFETY))
    found = rths("guards", plan, "--seeds", 1, *(w for c in changes for w in ("--set", c)))
    assert found.status == 2
    assert told in found.err


def test_a_plan_that_cannot_take_tables_is_left_alone(rths, plan):
    text = 'guard = [{kind = "link", trip = 10}]\n' + plan.read_text("utf-8")
    plan.write_text(text)
    found = rths("guards", plan, "--seeds", 1, "--append")
    assert found.status == 2
    assert "[[guard]]" in found.err
    assert plan.read_text("utf-8") == text


def test_a_full_disk_leaves_the_plan_as_it_was(rths, plan):
    before, limit = plan.read_bytes(), resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 100, limit[1]))
    try:
        found = rths("guards", plan, "--seeds", 1, "--append")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
    assert found.status == 2
    assert "too large" in found.err  # what the system says of such a file
    assert plan.read_bytes() == before


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b""])
def test_lines_that_are_there_stay_as_they_are(rths, plan, end):
    lines = plan.read_bytes().splitlines()
    before = (end or b"\n").join(lines) + end
    plan.write_bytes(before)
    assert rths("guards", plan, "--seeds", 1, "--append").status == 0
    after = plan.read_bytes()
    assert after.startswith(before)
    assert after.count(b"\r") == (after.count(b"\n") if end == b"\r\n" else 0)
    assert {g.kind for g in load(plan).guards} == KINDS


def test_a_block_of_ones_own_is_trusted_as_elsewhere(rths, plan, tmp_path):
    (tmp_path / "own.py").write_text(
        "from rths.specimen.base import describe\n"
        "from rths.specimen.spring import Spring\n\n\n"
        '@describe\nclass Mine(Spring):\n    """A spring of my own."""\n'
    )
    plan.write_text(plan.read_text("utf-8").replace('"spring"', '"own.py:Mine"'))
    assert "--trust" in rths("guards", plan, "--seeds", 1).err
    found = rths("guards", plan, "--seeds", 1, "--trust", "--append")
    assert found.status == 0, found.err
    assert {g.kind for g in load(plan).guards} == KINDS
