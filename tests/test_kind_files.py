"""Files of a folder are named after what they define."""

from __future__ import annotations

from rths.kind_files import files_of


def test_files_that_begin_with_an_underscore_are_no_kinds(tmp_path):
    for name in ("_shared.py", "__init__.py", "base.py", "mine.py"):
        (tmp_path / name).touch()
    assert files_of(tmp_path) == ["mine"]
