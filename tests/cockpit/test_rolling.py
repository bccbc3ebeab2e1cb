from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rths.cockpit.rolling import Rolling


@given(st.integers(1, 20), st.lists(st.integers(0, 50), max_size=12))
def test_the_last_rows_are_kept_in_order(most, portions):
    kept, everything, at = Rolling(most, 1), [], 0
    for count in portions:
        rows = np.arange(at, at + count, dtype=float)[:, None]
        at += count
        kept.add(rows)
        everything += rows[:, 0].tolist()
        assert kept.last()[:, 0].tolist() == everything[-most:]
        assert kept.last(3)[:, 0].tolist() == everything[-min(3, most) :]
