"""The ring: each row once, in order."""

from __future__ import annotations

import errno
import os
import tempfile
from pathlib import Path

import numpy as np
import pytest

from rths.errors import InputError
from rths.realtime.control_words import ControlWord
from rths.realtime.ring import SharedRing


def test_the_ring_gives_each_row_once_and_in_order(tmp_path):
    ring = SharedRing.create(tmp_path / "ring", 5, 2)
    assert len(ring.rows) == 8
    taken = []
    for head in (3, 8, 13):
        for k in range(ring.read(ControlWord.WRITTEN), head):
            ring.rows[k % 8] = (k, -k)
        ring.write(ControlWord.WRITTEN, head)
        taken.append(ring.copy_new())
        ring.release(len(taken[-1]))
    assert np.array_equal(np.concatenate(taken)[:, 0], np.arange(13))
    assert (ring.read(ControlWord.TAKEN), ring.read(ControlWord.LOST)) == (13, 0)


def test_shared_memory_that_is_full_is_refused_and_not_replaced_by_a_disk(monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    kept = os.posix_fallocate

    def full(file, start, size):
        if Path(os.readlink(f"/proc/self/fd/{file}")).parent == Path("/dev/shm"):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        kept(file, start, size)

    monkeypatch.setattr(os, "posix_fallocate", full)
    before = set(Path("/dev/shm").iterdir())
    with pytest.raises(InputError, match=r"no room in /dev/shm \(No space left on device\)"):
        SharedRing.reserve(8, 2)
    assert not list(tmp_path.iterdir())
    assert not [p for p in set(Path("/dev/shm").iterdir()) - before if p.stat().st_size == 0]
