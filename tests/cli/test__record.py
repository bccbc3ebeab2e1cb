"""A directory stands for its record."""

from __future__ import annotations

import pytest

from rths.cli._record import find_record
from rths.errors import InputError
from rths.run.run_directory import RunDirectory


def test_a_file_stays_what_it_is(tmp_path):
    assert find_record(tmp_path / "any.h5") == tmp_path / "any.h5"


def test_a_directory_gives_its_record(tmp_path):
    RunDirectory(tmp_path).record.touch()
    (tmp_path / "other.h5").touch()
    assert find_record(tmp_path) == RunDirectory(tmp_path).record


def test_a_directory_with_one_record_of_another_name_gives_that(tmp_path):
    (tmp_path / "late.h5").touch()
    assert find_record(tmp_path) == tmp_path / "late.h5"


def test_what_is_no_record_is_refused_with_what_there_is(tmp_path):
    with pytest.raises(InputError, match="holds no records"):
        find_record(tmp_path)
    for name in ("a.h5", "b.h5"):
        (tmp_path / name).touch()
    with pytest.raises(InputError, match=r"Name one of: a\.h5, b\.h5"):
        find_record(tmp_path)


def test_a_run_that_was_cut_off_is_recovered_first(tmp_path):
    journal = RunDirectory(tmp_path).journal
    journal.parent.mkdir(exist_ok=True)
    journal.touch()
    with pytest.raises(InputError, match="rths recover"):
        find_record(tmp_path)


@pytest.mark.parametrize("words", [("metrics",), ("identify", "delay"), ("verify",), ("rerun",)])
def test_commands_take_the_directory_of_a_run(rths, records, tmp_path, words):
    from shutil import copy

    copy(records / "good.h5", RunDirectory(tmp_path).record)
    assert rths(*words, tmp_path).status == 0
