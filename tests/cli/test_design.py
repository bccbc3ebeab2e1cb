"""The command: what is wrong is one message; a minute of search chooses, or says why not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

PLAN = Path(__file__).parents[2] / "src" / "rths" / "studies" / "wallace2005" / "rig.toml"


@pytest.fixture
def plan(tmp_path):
    (tmp_path / "plan.toml").write_text(PLAN.read_text(encoding="utf-8"), encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "PLAN: is missing"),
        (("plan.toml", "--gain-margin", "0.5"), "--gain-margin = 0.5"),
        (("plan.toml", "--without", "speed"), "--without = 'speed'"),
        (("plan.toml", "--uncertain", "transfer.dealy=+-5%"), "transfer.dealy"),
        (("nowhere.toml",), "nowhere.toml"),
        (("--next", "nowhere"), "--next"),
    ],
)
def test_what_is_wrong_is_one_message(tmp_path, plan, rths, words, said):
    done = rths("design", *words)
    assert done.status == 2
    assert said in done.err
    assert done.err.count("\n") == 1
    assert not (tmp_path / "runs").exists()


def test_an_earlier_answer_is_not_replaced(tmp_path, plan, rths):
    kept = tmp_path / "runs" / "plan-design" / "chosen.toml"
    kept.parent.mkdir(parents=True)
    kept.write_text("mine", encoding="utf-8")
    done = rths("design", "plan.toml")
    assert done.status == 2
    assert "--overwrite" in done.err
    assert kept.read_text(encoding="utf-8") == "mine"


@pytest.mark.slow
def test_the_demo_rig_gets_a_plan_that_is_certified(tmp_path, plan, rths):
    done = rths("design", "plan.toml", "--json")
    assert done.status == 0, done.err
    told = json.loads(done.out)
    assert told["chosen"]["verdict"] in ("proved", "tested")
    assert (tmp_path / "runs" / "plan-design" / "design.html").is_file()


@pytest.mark.slow
def test_where_nothing_is_safe_it_ends_with_seven_and_still_leaves_a_page(tmp_path, plan, rths):
    done = rths("design", "plan.toml", "--set", "transfer.delay=0.09", "--json")
    assert done.status == 7, done.err
    told = json.loads(done.out)
    assert told["chosen"] is None
    assert told["remedies"]
    assert (tmp_path / "runs" / "plan-design" / "design.html").is_file()
    assert not (tmp_path / "runs" / "plan-design" / "chosen.toml").exists()
