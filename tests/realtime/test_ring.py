"""The ring: each row once, in order."""

from __future__ import annotations

import numpy as np

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
