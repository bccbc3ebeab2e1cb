"""``rths new``, ``rths explain`` and ``rths schema``: help before the first run."""

from __future__ import annotations

import json

from rths.config.template import templates
from rths.registry import ROLES, kinds


def test_without_a_name_the_templates_are_listed(rths):
    out = rths("new").out
    assert all(name in out for name in templates())


def test_a_new_plan_is_commented_and_runs(rths, tmp_path):
    answer = rths("new", "wallace2005", "mine.toml")
    assert "rths run mine.toml" in answer.out
    assert (tmp_path / "mine.toml").read_text(encoding="utf-8").count("#") > 15
    assert rths("run", "mine.toml", "--set", "clock.duration=0.1").status == 0


def test_a_plan_that_exists_is_not_overwritten(rths, tmp_path):
    (tmp_path / "mine.toml").write_text("precious")
    answer = rths("new", "wallace2005", "mine.toml")
    assert answer.status == 2
    assert "exists already" in answer.err
    assert (tmp_path / "mine.toml").read_text() == "precious"


def test_a_kind_is_explained_with_formula_fields_units_and_source(rths):
    out = rths("explain", "compensator.polynomial").out
    for part in ("Polynomial extrapolation", "u_k =", "delay:", "in s", "default 3", "Horiuchi"):
        assert part in out


def test_a_role_lists_its_kinds_and_nothing_lists_the_roles(rths):
    out = rths("explain", "transfer").out
    assert [line.split()[0] for line in out.splitlines()] == kinds("transfer")
    assert all(role in rths("explain").out for role in ROLES)


def test_a_field_is_explained_alone(rths):
    out = rths("explain", "compensator.polynomial.delay").out
    assert len(out.splitlines()) == 2
    assert "in s (required)" in out


def test_links_guards_and_safety_are_explained_with_points_or_spaces(rths):
    assert rths("explain", "hardware", "udp").out == rths("explain", "hardware.udp").out
    assert "port: a port from 0 to 65535" in rths("explain", "hardware", "udp").out
    guard = rths("explain", "guard", "stuck").out
    assert "[[guard]]" in guard
    assert "moved:" in guard
    assert "rate: a velocity above 0, in m/s (required)" in rths("explain", "safety").out
    assert len(rths("explain", "safety", "rate").out.splitlines()) == 2
    assert all(t in rths("explain").out for t in ("hardware", "safety", "guard"))
    assert "stop the test" in rths("explain", "limits").out


def test_what_does_not_exist_is_refused_with_what_does(rths):
    for words, known in (
        ("compensater", "compensator"),
        ("compensator.polinomial", "polynomial"),
        ("compensator.polynomial.lag", "delay"),
        ("hardware.upd", "udp"),
        ("gard", "guard"),
        ("guard.stuck.mooved", "moved"),
        ("safety.speed", "rate"),
    ):
        answer = rths("explain", words)
        assert answer.status == 2
        assert known in answer.err


def test_the_schema_is_printed_or_written(rths, tmp_path):
    made = json.loads(rths("schema").out)
    assert set(ROLES) <= set(made["properties"])
    rths("schema", "--out", "plan.schema.json")
    assert json.loads((tmp_path / "plan.schema.json").read_text(encoding="utf-8")) == made
