"""The journal: whole rows only, also of a file that breaks off or a disk that is full."""

from __future__ import annotations

import json

import numpy as np
import pytest

from rths.errors import InputError
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
