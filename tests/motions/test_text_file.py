"""The text of a file, or why there is none."""

import pytest

from rths.errors import InputError
from rths.motions.text_file import first_lines, read_text


def test_no_file_an_empty_file_a_folder_and_binary_data_are_refused(tmp_path):
    with pytest.raises(InputError, match="does not exist"):
        read_text(tmp_path / "absent.csv")
    with pytest.raises(InputError, match="is a directory"):
        read_text(tmp_path)
    path = tmp_path / "record.csv"
    path.touch()
    with pytest.raises(InputError, match="is empty"):
        read_text(path)
    path.write_bytes(b"time_s,x\0\0\0")
    with pytest.raises(InputError, match="binary"):
        read_text(path)


def test_a_look_at_the_format_never_refuses(tmp_path):
    path = tmp_path / "record.csv"
    assert first_lines(path) == first_lines(tmp_path) == []
    path.write_bytes(b"time_s,x\0\0\0")
    assert first_lines(path) == []
    path.write_bytes("\ufefftime_s,µ\n0,1\n1,2\n".encode())
    assert first_lines(path, 2) == ["time_s,µ", "0,1"]
