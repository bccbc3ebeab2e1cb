"""The limits of a machine come from a file of the laboratory, found by name and kept by digest."""

from __future__ import annotations

import tomllib
from hashlib import sha256
from pathlib import Path

import pytest

from rths.config.attachments import attached_files, rebuild_test
from rths.config.plan import dumps, from_table, load
from rths.errors import InputError
from rths.safety.rig_file import RigFile
from rths.studies.wallace2005.three_ways import PLAN

LAB = """
[rig]
name = "south wall"
flow = 0.01

[[actuator]]
stroke = [-0.05, 0.06]
velocity = 0.5
acceleration = 40.0
force = 2000.0
area = 0.002
"""


@pytest.fixture
def lab(tmp_path, monkeypatch):
    """Give the folder of a laboratory with one rig."""
    folder = tmp_path / "laboratory"
    folder.mkdir()
    (folder / "wall.toml").write_text(LAB)
    monkeypatch.setenv("RTHS_RIGS", str(folder))
    return folder


@pytest.fixture
def plan(tmp_path):
    def make(**changes):
        path = tmp_path / "plan.toml"
        path.write_text(PLAN.read_text())
        given = {"safety": {"rate": 0.05}, "rig": {"file": "wall.toml"}}
        return load(path, {**given, **changes})

    return make


@pytest.mark.parametrize("name", ["wall", "wall.toml"])
def test_a_rig_is_found_by_its_name_in_the_folder_of_the_laboratory(lab, name):
    found = RigFile(file=name)
    assert (found.rig.name, found.rig.actuator[0].stroke) == ("south wall", (-0.05, 0.06))
    assert found.found_digest == sha256(LAB.encode()).hexdigest()


def test_one_beside_the_plan_must_be_that_of_the_laboratory(lab, plan, tmp_path):
    (tmp_path / "wall.toml").write_text(LAB)
    assert plan().rig.path == tmp_path / "wall.toml"
    (tmp_path / "wall.toml").write_text(LAB.replace("velocity = 0.5", "velocity = 5.0"))
    with pytest.raises(InputError, match="with another content") as error:
        plan()
    assert error.value.field == "rig.file"


@pytest.mark.parametrize("name", ["wall", "wall.toml"])
@pytest.mark.parametrize("other", ["wall", "wall.toml"])
def test_a_file_in_the_current_folder_does_not_stand_for_that_of_the_laboratory(
    lab, plan, tmp_path, monkeypatch, name, other
):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / other).write_text(LAB.replace("velocity = 0.5", "velocity = 5.0"))
    monkeypatch.chdir(elsewhere)
    assert plan(rig={"file": name}).rig.path == lab / "wall.toml"
    assert RigFile(file=name).path == lab / "wall.toml"


def test_a_file_beside_the_plan_without_its_ending_is_none(lab, plan, tmp_path):
    (tmp_path / "wall").write_text(LAB.replace("velocity = 0.5", "velocity = 5.0"))
    assert plan(rig={"file": "wall"}).rig.path == lab / "wall.toml"
    (tmp_path / "wall.toml").write_text(LAB.replace("velocity = 0.5", "velocity = 5.0"))
    with pytest.raises(InputError, match="with another content"):
        plan(rig={"file": "wall"})


def test_a_plan_with_a_digest_takes_no_other_file(lab, plan):
    test = plan()
    again = from_table(tomllib.loads(dumps(test)), Path())
    assert again.rig.digest == test.rig.found_digest
    (lab / "wall.toml").write_text(LAB.replace("force = 2000.0", "force = 9000.0"))
    with pytest.raises(InputError, match="is not the file that is there") as error:
        from_table(tomllib.loads(dumps(test)), Path())
    assert error.value.field == "rig.digest"


@pytest.mark.parametrize("name", ["wall.toml", "emulated"])
def test_a_record_keeps_the_file_and_is_repeated_without_the_laboratory(lab, plan, tmp_path, name):
    test = plan(**{"rig.file": name})
    kept = attached_files(test)
    assert sha256(kept["rig.file"]).hexdigest() == test.rig.found_digest
    (lab / "wall.toml").unlink()
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    again = rebuild_test(dumps(test), kept, folder)
    assert again.rig.rig == test.rig.rig
    assert again.clock == test.clock


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "actuator: is missing"),
        ("[rig]\nname = 'a'\n", "actuator: is missing"),
        (LAB.replace("force = 2000.0", ""), r"actuator\[0\]\.force: is required"),
        (LAB.replace("velocity = 0.5", "velocity = 500.0"), r"actuator\[0\]\.velocity = 500.0"),
        (LAB.replace("name =", "title ="), "rig.title"),
        (LAB.replace("force = 2000.0", "force = 1e12"), r"actuator\[0\]\.force = 1000000000000.0"),
        (LAB + "near = 10.0\n", r"actuator\[0\]\.near = 10.0: is more than 20 %"),
        (LAB + "force_near = 1e4\n", r"actuator\[0\]\.force_near"),
        (LAB + "noise = 0.5\n", r"actuator\[0\]\.noise"),
        ('actuator = [1, 2]\n[rig]\nname = "wall"\n', r"actuator\[0\] = 1: is no table"),
        (LAB + "[clock]\ntick = 1\n", "clock: is not a table of a rig"),
        ("[rig\n", "cannot be read"),
        ("rig = 3\n", "actuator: is missing"),
    ],
)
def test_a_file_that_is_no_rig_is_refused_by_its_name_and_field(lab, text, words):
    (lab / "wall.toml").write_text(text)
    with pytest.raises(InputError, match=words) as error:
        RigFile(file="wall")
    assert "wall.toml" in str(error.value)


def test_a_rig_that_is_not_there_is_refused_with_where_it_should_be(lab):
    with pytest.raises(InputError, match="rths new rig") as error:
        RigFile(file="north wall")
    assert str(lab) in str(error.value)
