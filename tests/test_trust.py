"""Reading is never executing: a program of a plan or a record runs once its content is trusted."""

from __future__ import annotations

import hashlib
import importlib.util
import py_compile
from dataclasses import replace

import pytest

from rths.config.attachments import rebuild_test
from rths.config.plan import dumps, load
from rths.errors import InputError
from rths.records.hdf5 import write
from rths.registry import find
from rths.run.repetition import repetition
from rths.run.virtual import simulate
from rths.studies.wallace2005.three_ways import PLAN
from rths.trust import Program, grant_trust, is_trusted, require_trust

OWN = """
from pathlib import Path
Path({mark!r}).write_text("executed")
from rths.specimen.spring import Spring
class Mine(Spring):
    pass
"""


@pytest.fixture
def mark(tmp_path):
    """The file that the program writes when it runs."""
    return tmp_path / "executed"


@pytest.fixture
def program(tmp_path, mark):
    path = tmp_path / "blocks" / "mine.py"
    path.parent.mkdir()
    path.write_text(OWN.format(mark=str(mark)))
    return path


@pytest.fixture
def plan(tmp_path, program):
    """A plan whose specimen is a program in another folder."""
    text = PLAN.read_text("utf-8").replace('kind = "spring"', 'kind = "../blocks/mine.py:Mine"')
    path = tmp_path / "plans" / "plan.toml"
    path.parent.mkdir()
    path.write_text(text.replace("duration = 12.0", "duration = 0.05"), "utf-8")
    return path


def test_a_program_is_refused_with_its_path_and_digest_and_does_not_run(plan, program, mark):
    with pytest.raises(InputError, match="--trust") as error:
        load(plan)
    assert str(program) in str(error.value)
    assert hashlib.sha256(program.read_bytes()).hexdigest() in str(error.value)
    assert error.value.field == "specimen.kind"
    assert not mark.exists()


def test_trust_is_remembered_by_content_wherever_it_lies(plan, program, mark):
    load(plan, trust=True)
    assert mark.exists()
    load(plan)
    elsewhere = program.with_name("other.py")
    elsewhere.write_bytes(program.read_bytes())
    load(plan, {"specimen.kind": "../blocks/other.py:Mine", "specimen.stiffness": 1.0})


def test_another_content_is_another_program(plan, program, mark):
    load(plan, trust=True)
    mark.unlink()
    program.write_text(program.read_text() + "# edited\n")
    with pytest.raises(InputError, match="--trust"):
        load(plan)
    assert not mark.exists()


@pytest.mark.parametrize("command", ["run", "certify", "chart", "rig"])
def test_no_command_runs_the_program_of_a_plan_unasked(rths, plan, mark, command):
    axes = ("--x", "transfer.delay", "--y", "specimen.stiffness") if command == "chart" else ()
    answer = rths(command, plan, *axes)
    assert answer.status == 2
    assert "--trust" in answer.err
    assert not mark.exists()


def test_with_trust_a_command_shows_what_it_runs(rths, plan, program, mark):
    answer = rths("run", plan, "--trust", "--loop", "interpreted", "--out", "a")
    assert answer.status == 0
    assert f"{program} (SHA-256 " in answer.err
    assert mark.exists()
    again = rths("run", plan, "--loop", "interpreted", "--out", "b")
    assert (again.status, again.err) == (0, "")


@pytest.fixture
def foreign_record(plan, tmp_path, mark, monkeypatch):
    """A record with an embedded program, which somebody else has made."""
    record = simulate(load(plan, trust=True), "interpreted")
    text = record.plan.replace("../blocks/mine.py", "../../treasure.py")
    write(replace(record, plan=text), tmp_path / "record.h5")
    mark.unlink()
    monkeypatch.setenv("RTHS_STATE_DIR", str(tmp_path / "of another user"))
    return tmp_path / "record.h5"


def test_a_repetition_of_a_foreign_record_is_refused_until_it_is_trusted(
    rths, foreign_record, mark
):
    answer = rths("rerun", foreign_record)
    assert answer.status == 2
    assert "--trust" in answer.err
    assert not mark.exists()
    assert rths("rerun", foreign_record, "--trust").status == 0
    assert repetition(foreign_record).identical


def test_a_report_needs_no_program_of_its_record(rths, foreign_record, mark):
    answer = rths("report", foreign_record, "--out", "page.html")
    assert answer.status == 0
    assert not mark.exists()


def test_files_of_a_record_are_put_into_their_folder_and_nowhere_else(plan, tmp_path):
    test = load(plan, trust=True)
    folder = tmp_path / "deep" / "folder"
    folder.mkdir(parents=True)
    before = sorted(tmp_path.rglob("*"))
    content = (tmp_path / "blocks" / "mine.py").read_bytes()
    rebuild_test(dumps(test), {"specimen.kind": content}, folder)
    new = set(tmp_path.rglob("*")) - set(before)
    assert new
    assert all(p.is_relative_to(folder) for p in new if "state" not in p.parts)
    assert not (tmp_path / "deep" / "blocks").exists()


@pytest.mark.parametrize("field", ["clock", "clock.tick.x", "nothing.kind", "specimen[3].kind"])
def test_a_file_of_a_record_that_no_field_names_is_refused(plan, tmp_path, field):
    text = PLAN.read_text("utf-8")
    with pytest.raises(InputError, match="no field of the plan"):
        rebuild_test(text, {field: b""}, tmp_path)


def test_byte_code_beside_a_trusted_source_is_not_run(plan, program, tmp_path, mark):
    other = tmp_path / "other.py"
    other.write_text(OWN.format(mark=str(tmp_path / "byte code")))
    beside = importlib.util.cache_from_source(str(program))
    always = py_compile.PycInvalidationMode.UNCHECKED_HASH
    py_compile.compile(str(other), beside, doraise=True, invalidation_mode=always)
    load(plan, trust=True)
    assert mark.exists()
    assert not (tmp_path / "byte code").exists()


def test_a_module_of_another_package_is_not_imported_unasked():
    with pytest.raises(InputError, match="--trust"):
        find("specimen", "this:Zen")


def test_packages_on_the_way_to_a_trusted_module_are_programs_too(tmp_path, mark, monkeypatch):
    monkeypatch.syspath_prepend(str(tmp_path))
    package = tmp_path / "a_package_of_mine"
    package.mkdir()
    inner = "from rths.specimen.spring import Spring\nclass Mine(Spring):\n    pass\n"
    (package / "part.py").write_text(inner)
    (package / "__init__.py").write_text(OWN.format(mark=str(mark)))
    with grant_trust(True):
        require_trust("specimen.kind", "", Program(package / "part.py", inner.encode()))
    with pytest.raises(InputError, match=r"__init__\.py"):
        find("specimen", "a_package_of_mine.part:Mine")
    assert not mark.exists()


def test_a_module_that_is_not_there_is_told():
    with pytest.raises(InputError, match="cannot be imported"):
        find("specimen", "no_such_package.part:Mine")


def test_trust_is_a_file_of_the_state_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("RTHS_STATE_DIR", str(tmp_path))
    program = Program(tmp_path / "x.py", b"1")
    assert not is_trusted(program)
    (tmp_path / "trusted" / program.digest).write_text("")
    assert is_trusted(program)
