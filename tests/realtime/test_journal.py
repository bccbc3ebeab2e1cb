"""The journal: whole rows only, also of a file that breaks off or a disk that is full."""

from __future__ import annotations

import json
import os
import shutil
import threading

import numpy as np
import pytest

from rths.errors import InputError
from rths.realtime import journal as journals
from rths.realtime.journal import Journal, read_journal


def test_a_journal_that_breaks_off_is_read_up_to_its_last_whole_row(tmp_path):
    rows = np.arange(12.0).reshape(4, 3)
    with Journal(tmp_path / "journal", {"width": 3}) as journal:
        journal.append(rows)
    whole = (tmp_path / "journal").read_bytes()
    (tmp_path / "journal").write_bytes(whole[:-5])
    about, found = read_journal(tmp_path / "journal")
    assert about["width"] == 3
    assert np.array_equal(found, rows[:3])


def test_rows_that_find_no_room_are_taken_back_as_a_whole(tmp_path, full_disk):
    rows = np.arange(3000.0).reshape(1000, 3)
    with Journal(tmp_path / "journal", {"width": 3}) as journal:
        journal.append(rows[:300])
        with full_disk:
            full_disk(tmp_path)
            with pytest.raises(OSError, match="large"):
                journal.append(rows[300:])
        journal.append(rows[300:600])
    assert np.array_equal(read_journal(tmp_path / "journal")[1], rows[:600])


ROWS = np.arange(3000.0).reshape(1000, 3)


def appended(journal, rows):
    """Append rows until they are taken; give how often they were not."""
    refused = 0
    while True:
        try:
            journal.append(rows)
            return refused
        except OSError:
            refused += 1
            journal.settle()


def test_a_journal_that_is_deleted_while_it_goes_to_the_disk_is_made_anew(tmp_path, monkeypatch):
    """The thread that writes to the disk holds the old file just when the new one takes over."""
    at_work, may_go_on = threading.Event(), threading.Event()

    def slow(descriptor):
        at_work.set()
        may_go_on.wait(5)
        return os.fstat(descriptor)  # fails if somebody has closed it meanwhile

    monkeypatch.setattr(journals.os, "fdatasync", slow)
    monkeypatch.setattr(journals, "SYNC", 0.001, raising=False)
    with Journal(tmp_path / "journal", {"width": 3}) as journal:
        journal.append(ROWS[:300])
        at_work.wait(5)
        (tmp_path / "journal").unlink()
        with pytest.raises(FileNotFoundError):
            journal.append(ROWS[300:600])
        may_go_on.set()
        appended(journal, ROWS[300:600])
        journal.append(ROWS[600:])
    assert np.array_equal(read_journal(tmp_path / "journal")[1], ROWS)


def test_copying_a_long_journal_does_not_keep_the_supervisor(tmp_path, monkeypatch):
    copying = threading.Event()
    write = journals.write_whole

    def slow(file, data):
        if threading.current_thread() is not threading.main_thread():
            copying.wait(5)
        write(file, data)

    monkeypatch.setattr(journals, "write_whole", slow)
    with Journal(tmp_path / "journal", {"width": 3}) as journal:
        journal.append(ROWS[:300])
        (tmp_path / "journal").unlink()
        for _ in range(3):  # at once, and nothing was copied yet
            with pytest.raises(FileNotFoundError):
                journal.append(ROWS[300:600])
        copying.set()
        assert appended(journal, ROWS[300:]) <= 1
    assert np.array_equal(read_journal(tmp_path / "journal")[1], ROWS)


def test_a_journal_that_is_moved_away_and_back_goes_on(tmp_path, monkeypatch):
    with Journal(tmp_path / "journal", {"width": 3}) as journal:
        journal.append(ROWS[:300])
        monkeypatch.setattr(journal._wanted, "set", lambda: None)  # nobody has begun to copy
        (tmp_path / "journal").rename(tmp_path / "elsewhere")
        with pytest.raises(FileNotFoundError):
            journal.append(ROWS[300:])
        (tmp_path / "elsewhere").rename(tmp_path / "journal")
        monkeypatch.undo()
        appended(journal, ROWS[300:])
    assert np.array_equal(read_journal(tmp_path / "journal")[1], ROWS)


def test_a_journal_that_is_gone_at_the_end_is_there_when_it_is_closed(tmp_path):
    (tmp_path / "run").mkdir()
    with Journal(tmp_path / "run" / "journal", {"width": 3}) as journal:
        journal.append(ROWS)
        shutil.rmtree(tmp_path / "run")
        with pytest.raises(FileNotFoundError):
            journal.append(ROWS[:0])
    assert np.array_equal(read_journal(tmp_path / "run" / "journal")[1], ROWS)


@pytest.mark.parametrize("place", ["run", "run/journal", ".", "loop"])
def test_a_journal_whose_place_is_taken_goes_on_in_a_spare_folder(tmp_path, monkeypatch, place):
    spare = tmp_path / "temporary"
    spare.mkdir()
    monkeypatch.setattr(journals.tempfile, "tempdir", str(spare))
    lab = tmp_path / "lab"
    (lab / "run").mkdir(parents=True)
    with Journal(lab / "run" / "journal", {"width": 3}) as journal:
        journal.append(ROWS[:300])
        shutil.rmtree(lab / "run" if place != "." else lab)
        if place == "run/journal":
            (lab / "run").mkdir()
        if place == "loop":
            (lab / "run").symlink_to(lab / "run")
        else:
            (lab / place).write_text("somebody's")
        assert appended(journal, ROWS[300:600]) > 0
        journal.append(ROWS[600:])
    assert np.array_equal(read_journal(journal.path)[1], ROWS)
    assert journal.path.parent.parent == (spare if place == "." else lab)
    assert place == "loop" or (lab / place).read_text() == "somebody's"


def test_a_journal_whose_folder_is_replaced_after_the_last_row_is_kept(tmp_path):
    (tmp_path / "run").mkdir()
    with Journal(tmp_path / "run" / "journal", {"width": 3}) as journal:
        journal.append(ROWS)
        shutil.rmtree(tmp_path / "run")
        (tmp_path / "run").touch()
    assert np.array_equal(read_journal(journal.path)[1], ROWS)


def test_a_journal_that_is_discarded_is_not_made_anew(tmp_path):
    with Journal(tmp_path / "journal", {"width": 3}) as journal:
        journal.discard()
    assert not list(tmp_path.iterdir())


def test_a_file_that_is_no_journal_is_refused(tmp_path):
    (tmp_path / "journal").write_bytes(b"no journal")
    with pytest.raises(InputError, match="journal"):
        read_journal(tmp_path / "journal")


@pytest.mark.parametrize("width", [0, -3, 2, True, 1e9, "3", None])
def test_a_journal_of_a_width_that_no_row_has_is_refused(tmp_path, width):
    (tmp_path / "journal").write_bytes(json.dumps({"width": width}).encode() + b"\n" + bytes(240))
    with pytest.raises(InputError, match="cannot be read"):
        read_journal(tmp_path / "journal")


@pytest.mark.parametrize(
    "ticks", [(0, 0), (1, 0), (0, np.nan), (-1, 0), (0, 0.5), (0, np.inf), (0, 1e300)]
)
def test_rows_that_do_not_count_are_refused(tmp_path, ticks):
    with Journal(tmp_path / "journal", {"width": 3}) as journal:
        journal.append(np.array([[tick, 0.0, 0.0] for tick in ticks]))
    with pytest.raises(InputError, match="do not grow"):
        read_journal(tmp_path / "journal")
