"""Shared memory has a name and two ends, and is never somebody's file."""

from __future__ import annotations

import errno
import os
import uuid

import pytest

from rths.errors import InputError
from rths.registry import find


def made(name: str):
    return find("hardware", "shared_memory")(name=name)


@pytest.fixture
def link():
    found = made(f"rths-test-{uuid.uuid4().hex}")
    yield found
    found.remove()


def test_a_path_is_no_name_and_the_file_there_stays_as_it_was(tmp_path):
    thesis = tmp_path / "thesis.txt"
    thesis.write_text("six years of work")
    with pytest.raises(InputError, match="is no name of shared memory"):
        made(str(thesis)).open()
    with pytest.raises(InputError, match="is no name of shared memory"):
        made(f"../../{thesis}").open()
    assert thesis.read_text() == "six years of work"


@pytest.mark.parametrize("content", [b"", b"somebody's", bytes(4096), bytes(8256)])
def test_a_file_in_shared_memory_that_is_no_link_s_stays_as_it_was(link, content):
    link.path.write_bytes(content)
    for end in (link.open, link.serve):
        with pytest.raises(InputError, match="no link of this version has made"):
            end()
    assert link.path.read_bytes() == content


def test_a_link_is_not_followed_to_somebody_s_file(link, tmp_path):
    thesis = tmp_path / "thesis.txt"
    thesis.write_text("six years of work")
    link.path.symlink_to(thesis)
    with pytest.raises(InputError, match="cannot be made or opened"):
        link.open()
    assert thesis.read_text() == "six years of work"


@pytest.mark.parametrize(("end", "who"), [("serve", "rig"), ("open", "loop")])
def test_the_second_rig_and_the_second_loop_on_one_shared_memory_are_refused(link, end, who):
    first = getattr(link, end)()
    with pytest.raises(InputError, match=f"has a {who} already"):
        getattr(link, end)()
    first.close()
    getattr(link, end)().close()  # once it is closed, another may come


def test_one_rig_and_one_loop_share_the_memory(link):
    loop, rig = link.open(), link.serve()
    loop.send(b"a command ......")
    assert rig.kept[1][2:4].tobytes() == b"a command ......"
    assert loop.receive() is None
    loop.close()
    rig.close()


def test_shared_memory_that_is_full_is_said_and_nothing_is_left_behind(link, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "posix_fallocate", full)
    with pytest.raises(InputError, match="No space left on device"):
        link.open()
    assert not list(link.path.parent.glob(f"{link.name}*"))
