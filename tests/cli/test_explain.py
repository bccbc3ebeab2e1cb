"""``rths explain``: what a table, a kind or a field is."""

from __future__ import annotations

from rths.registry import ROLES, kinds


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


def test_every_field_is_explained_by_its_path_in_a_plan(rths):
    assert "clock.tick: a time above 0, in s (required)" in rths("explain", "clock.tick").out
    out = rths("explain", "transfer.delay").out
    assert "transfer.dead_time.delay: a time" in out
    assert "stop the test" in rths("explain", "limits.compensator.command").out
    assert "recorded" in rths("explain", "record.signals").out
    assert all(rths("explain", name).status == 0 for name in ("name", "seed", "rig.file"))


def test_a_near_miss_of_a_field_is_suggested(rths):
    assert "Did you mean 'tick'" in rths("explain", "clock.tik").err
    assert "Did you mean 'delay'" in rths("explain", "compensator.polynomial.dely").err
