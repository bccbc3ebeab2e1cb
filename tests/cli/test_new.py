"""``rths new``: plans to begin with."""

from __future__ import annotations

from rths.config.template import templates


def test_without_a_name_the_templates_are_listed(rths):
    out = rths("new").out
    assert all(name in out for name in templates())


def test_a_new_plan_is_commented_and_runs(rths, tmp_path):
    answer = rths("new", "wallace2005", "mine.toml")
    assert "rths run mine.toml" in answer.out
    assert (tmp_path / "mine.toml").read_text(encoding="utf-8").count("#") > 15
    assert rths("run", "mine.toml", "--set", "clock.duration=0.1").status == 0


def test_a_new_rig_is_commented_and_bounds_a_plan(rths, tmp_path):
    assert "file = " in rths("new", "rig").out
    assert (tmp_path / "lab.toml").read_text(encoding="utf-8").count("#") > 15
    rths("new", "wallace2005", "mine.toml")
    short = ("--set", "clock.duration=0.1", "--set", "rig.file=lab.toml")
    assert rths("run", "mine.toml", *short, "--set", "safety.rate=0.05").status == 0
    wide = rths("run", "mine.toml", *short, "--set", "safety.rate=0.6")
    assert wide.status == 2
    assert "beyond the velocity of the rig" in wide.err


def test_a_plan_that_exists_is_not_overwritten(rths, tmp_path):
    (tmp_path / "mine.toml").write_text("precious")
    answer = rths("new", "wallace2005", "mine.toml")
    assert answer.status == 2
    assert "exists already" in answer.err
    assert (tmp_path / "mine.toml").read_text() == "precious"
