"""The directory of a run: names in one place, one run at a time, no file half written."""

from __future__ import annotations

import ast
import os
from pathlib import Path

import pytest

import rths
from rths.errors import InputError
from rths.run.run_directory import RunDirectory, read_json, write_json

SOURCES = Path(rths.__file__).parent
HOME = SOURCES / "run/run_directory.py"
NO_FILES = {
    ("config/documentation.py", "journal"),
    ("realtime/journal.py", "journal"),
    ("realtime/recovery.py", "journal"),
}
"""The field of a citation, and that of errors."""


def named_files(directory: RunDirectory) -> list[str]:
    kinds = vars(RunDirectory).items()
    return [getattr(directory, n).name for n, kind in kinds if isinstance(kind, property)]


def strings_of(source: Path) -> set[str]:
    """Give the strings of a module, those that stand alone (docstrings) left out."""
    tree = ast.parse(source.read_text(encoding="utf-8"))
    alone = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr)}
    found = (n for n in ast.walk(tree) if isinstance(n, ast.Constant) and id(n) not in alone)
    return {n.value for n in found if isinstance(n.value, str)}


def test_no_other_module_spells_the_name_of_a_file_of_a_run():
    names = {*named_files(RunDirectory(Path())), ".lock"}
    assert names <= strings_of(HOME)
    spelt = {
        (str(source.relative_to(SOURCES)), text)
        for source in SOURCES.rglob("*.py")
        if source != HOME
        for text in strings_of(source)
        if text.rpartition("/")[2] in names
    }
    assert spelt == NO_FILES


def test_no_two_files_of_a_run_have_the_same_name():
    names = named_files(RunDirectory(Path()))
    assert len(set(names)) == len(names) > 10


def test_whoever_has_the_file_holds_the_directory(tmp_path):
    with RunDirectory(tmp_path).hold() as file:
        other = os.dup(file)
        with pytest.raises(InputError, match="goes on"), RunDirectory(tmp_path).hold():
            pass
    with pytest.raises(InputError, match="goes on"), RunDirectory(tmp_path).hold():
        pass  # the loop's process still has it
    os.close(other)
    with RunDirectory(tmp_path).hold():
        pass


def test_what_was_written_as_json_is_read_again(tmp_path):
    value = {"ring": "/dev/shm/ü", "slips": 3, "share": [0.1, None]}
    write_json(tmp_path / "some.json", value)
    assert read_json(tmp_path / "some.json") == value


def test_only_a_journal_with_a_younger_record_is_cleared(tmp_path):
    directory = RunDirectory(tmp_path)
    directory.journal.write_text("rows")
    with pytest.raises(InputError, match="rths recover"):
        directory.clear()
    directory.record.write_text("record")
    made = directory.journal.stat().st_mtime_ns
    os.utime(directory.record, ns=(made - 1, made - 1))
    with pytest.raises(InputError, match="cut off"):
        directory.clear()
    assert directory.journal.exists()
    os.utime(directory.record, ns=(made, made))
    directory.clear()
    assert not directory.journal.exists()
    assert directory.record.exists()


def test_a_trip_that_is_acknowledged_overwrites_none_before(tmp_path):
    directory = RunDirectory(tmp_path)
    kept = []
    for _ in range(3):
        kept.append(directory.next_acknowledged_trip())
        kept[-1].touch()
    assert len(set(kept)) == 3
