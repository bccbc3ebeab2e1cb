"""Of n equal parts of each number every one is met once."""

from __future__ import annotations

import numpy as np
import pytest

from rths.sweep.points.latin_hypercube import LatinHypercube, permute
from rths.sweep.variable import read_variable


@pytest.mark.parametrize("size", [1, 2, 3, 17, 256, 1000])
def test_it_permutes_every_size(size):
    found = permute(np.arange(size, dtype=np.uint64), size, 1, 2)
    assert sorted(found.tolist()) == list(range(size))


def test_every_part_of_every_number_is_met_once():
    made = LatinHypercube(
        [read_variable({"field": f, "low": 0.0, "high": 1.0}, 0) for f in "abc"], 500, 7
    )
    parts = np.floor(made.shares(0, 500) * 500).astype(int)
    assert (np.sort(parts, axis=0) == np.arange(500)[:, None]).all()


def test_two_numbers_do_not_go_together():
    one, other = (permute(np.arange(4096, dtype=np.uint64), 4096, 1, k) for k in (0, 1))
    assert abs(np.corrcoef(one.astype(float), other.astype(float))[0, 1]) < 4 / 64
