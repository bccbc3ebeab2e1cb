"""[hardware], [safety] and [[guard]] of a plan: mistakes are named, own classes travel along."""

from __future__ import annotations

from pathlib import Path

import pytest

from rths.config.attachments import attached_files, place_files, rebuild_test
from rths.config.plan import dumps, load
from rths.errors import InputError
from rths.studies.wallace2005.three_ways import PLAN

LIVE = """
[hardware]
kind = "udp"
port = 52100

[safety]
rate = 0.05

[[guard]]
kind = "link"
trip = 50

[[guard]]
kind = "stuck"
signal = "feedback.force"
moved = 0.002
trip = 60
"""
OWN = '''
from rths.guard.base import describe
from rths.guard.limit import Limit


@describe
class Mine(Limit):
    """A limit of my own."""
'''


@pytest.fixture
def plan(tmp_path):
    def write(old: str = "", new: str = "") -> Path:
        assert old in LIVE
        path = tmp_path / "plan.toml"
        path.write_text(
            PLAN.read_text() + LIVE.replace(old, new) if old else PLAN.read_text() + LIVE
        )
        return path

    return write


@pytest.mark.parametrize(
    ("old", "new", "field", "told"),
    [
        ("port = 52100", "prt = 52100", "hardware.prt", "Did you mean 'port'"),
        ("port = 52100", "port = 70000", "hardware.port", "0 to 65535"),
        ("port = 52100", 'timeout = "a"', "hardware.timeout", "a time above 0, in s"),
        ("port = 52100", 'policy = "pray"', "hardware.policy", '"hold" or "extrapolate"'),
        ('kind = "udp"', 'kind = "upd"', "hardware.kind", "Did you mean 'udp'"),
        ("rate = 0.05", "rat = 0.05", "safety.rat", "Did you mean 'rate'"),
        ("rate = 0.05", "rate = -1.0", "safety.rate", "above 0"),
        ("trip = 60", "trp = 60", "guard[1].trp", "Did you mean 'trip'"),
        ("trip = 60", 'trip = "x"', "guard[1].trip", "a number, or [low, high]"),
        ("trip = 60", "trip = [1.0]", "guard[1].trip", "a number, or [low, high]"),
        ("trip = 60", "trip = [2.0, 1.0]", "guard[1].trip", "leaves nothing allowed"),
        ("moved = 0.002", "", "guard[1].moved", "Add moved = a length"),
        ('kind = "stuck"', 'kind = "stuk"', "guard[1].kind", "Did you mean 'stuck'"),
        ('"feedback.force"', '"feedback.farce"', "guard[1].signal", "mean 'feedback.force'"),
    ],
)
def test_a_mistake_names_field_line_and_remedy(plan, old, new, field, told):
    path = plan(old, new)
    with pytest.raises(InputError) as error:
        load(path)
    assert error.value.field == field
    assert told in str(error.value)
    assert str(error.value).startswith(f"{path}:")


def test_another_kind_of_link_drops_the_fields_of_the_one_before(plan):
    test = load(plan(), {"hardware.kind": "simulated"})
    assert test.hardware.kind == "simulated"
    assert "port = " not in dumps(test)


def test_a_guard_of_ones_own_travels_with_the_record(plan, tmp_path):
    (tmp_path / "mine.py").write_text(OWN)
    path = plan('kind = "link"\ntrip = 50', 'kind = "mine.py:Mine"\nsignal = "feedback.force"')
    test = load(path, trust=True)
    files = attached_files(test)
    assert set(files) == {"guard[0].kind"}
    (tmp_path / "mine.py").unlink()
    elsewhere = tmp_path / "elsewhere"
    again = rebuild_test(dumps(test), files, elsewhere)
    assert again.guards[0].kind == "mine.py:Mine"
    assert "guard.mine_level" in test.layout.recorded
    assert again.layout.recorded == test.layout.recorded


@pytest.mark.parametrize("field", ["specimen.stiffness", "limits.duration", "clock.tick"])
def test_a_record_puts_files_only_where_a_field_names_one(plan, tmp_path, field):
    test = load(plan(), {"limits": {"compensator.command": 0.02}})
    folder = tmp_path / "put"
    folder.mkdir()
    with pytest.raises(InputError, match="is no field"):
        rebuild_test(dumps(test), {field: b"content"}, folder)
    assert not list(folder.iterdir())


RIG = """
[rig]
name = "wall"
emulated = true
[actuator]
stroke = 0.1
velocity = 1.0
acceleration = 100.0
force = 1e4
"""


@pytest.mark.parametrize("act", ["edit", "delete"])
def test_a_run_keeps_its_files_whatever_becomes_of_the_first(plan, tmp_path, monkeypatch, act):
    """A rig or a motion that was edited in mid-run would keep the record from being made."""
    motion, rig, kept = tmp_path / "motion.csv", tmp_path / "wall.toml", tmp_path / "attached"
    lines = "".join(f"{0.01 * k:g},{k % 7}\n" for k in range(100))
    motion.write_text("time (s),acceleration (m/s2)\n" + lines)
    rig.write_text(RIG)
    quake = {"kind": "ground_motion", "motion": str(motion)}
    test = load(plan(), {"excitation": quake, "rig.file": str(rig)})
    kept.mkdir()
    monkeypatch.chdir(tmp_path)
    (kept / "plan.toml").write_text(place_files(test, Path("attached")))
    before = attached_files(test)
    for path in (motion, rig):
        path.write_text(path.read_text().replace("1", "2")) if act == "edit" else path.unlink()
    again = load(kept / "plan.toml")
    assert attached_files(again) == before
    assert again.rig.found_digest == test.rig.found_digest
    kept.rename(tmp_path / "moved")
    assert attached_files(load(tmp_path / "moved" / "plan.toml")) == before
