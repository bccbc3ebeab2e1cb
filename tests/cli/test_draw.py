"""``rths draw``: pictures of a frame before a test, and of its elements after it."""

from __future__ import annotations

import json

import pytest

from rths.studies.wallace2005.three_ways import PLAN


@pytest.fixture
def plan(portal_plan, tmp_path):
    """Write a plan of a portal; give its name."""

    def write(**changes):
        (tmp_path / "plan.toml").write_text(portal_plan(duration=0.4, **changes), "utf-8")
        return "plan.toml"

    return write


def test_a_model_is_drawn_before_any_plan(rths, tmp_path):
    found = json.loads(rths("draw", "portal", "--json").out)
    assert (found["nodes"], found["elements"], found["degrees_of_freedom"]) == (5, 4, 7)
    names = {path.name for path in (tmp_path / "runs" / "portal").iterdir()}
    assert names == {
        f"frame_{picture}.{form}" for picture in ("model", "modes") for form in ("png", "svg")
    }
    assert len(found["written"]) == 4


def test_a_run_has_the_loops_of_elements_by_name(rths, plan, tmp_path):
    assert rths("run", plan(), "--out", "run", "-q").status == 0
    told = rths("draw", "run", "--element", "joint", "--out", "pictures")
    assert told.status == 0, told.err
    assert "periods 0.4467" in told.out
    assert (tmp_path / "pictures" / "frame_loops.svg").stat().st_size > 1000
    refused = rths("draw", "run", "--element", "wall")
    assert refused.status == 2
    assert "is no element" in refused.err


@pytest.mark.slow
def test_a_plan_is_drawn_before_any_test(rths, plan):
    assert "periods 0.4467" in rths("draw", plan()).out


@pytest.mark.slow
def test_a_reduced_frame_is_drawn_with_all_its_nodes(rths, plan, tmp_path):
    reduced = plan(kind="reduced_frame", model="elastic_portal")
    assert rths("run", reduced, "--out", "run", "-q").status == 0
    assert rths("draw", "run").status == 0
    assert rths("report", "run", "--figures", "figures").status == 0
    assert (tmp_path / "figures" / "frame_deformed.png").is_file()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("palace",), "is not there"),
        (("portal", "--element", "joint"), "nothing has moved"),
        ((PLAN,), "no frame"),
        (("broken.json",), "not well formed"),
        (("empty.json",), "error: empty.json: nodes: is missing"),
    ],
)
def test_what_cannot_be_drawn_is_said_in_one_message(rths, tmp_path, words, message):
    (tmp_path / "broken.json").write_text("{", "utf-8")
    (tmp_path / "empty.json").write_text("{}", "utf-8")
    found = rths("draw", *words)
    assert found.status == 2
    assert message in found.err
    assert "Traceback" not in found.err
