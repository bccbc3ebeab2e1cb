"""What stands for an answer that did not come."""

from __future__ import annotations

import numpy as np
import pytest

from rths.loop.solo import respond
from rths.registry import find
from rths.site import Site

H, TICKS = 1 / 1024, 4000


def answered(policy, rows):
    link = find("hardware", "simulated")(policy=policy, missed=20, faults=("loss=0.6",))
    block = link.block(Site(H, H), np.zeros(1), [(1.0, 1.0)])
    return respond(block, rows)


@pytest.fixture
def noisy():
    """Rows of a measured sine of 50 mm/s with noise, as a rig gives them."""
    noise = np.random.default_rng(8).normal(scale=(2e-5, 2.0), size=(TICKS, 2))
    t = H * np.arange(TICKS)
    moved = 0.008 * np.sin(2 * np.pi * t)
    zero = np.zeros(TICKS)
    return np.column_stack([moved + noise[:, 0], zero, 1000 * moved + noise[:, 1], zero, t])


def test_an_extrapolated_answer_goes_no_further_than_the_last_two_lie_apart(noisy):
    found = answered("extrapolate", noisy)
    missed, sequence = found[:, 5], found[:, 6].astype(int)
    answers = np.unique(sequence[sequence > 0])
    before = dict(zip(answers[1:], answers[:-1], strict=True))
    assert missed.max() > 8
    for k in np.flatnonzero((missed > 0) & (sequence > answers[0])):
        for column in (0, 2):
            a, b = noisy[sequence[k] - 1, column], noisy[before[sequence[k]] - 1, column]
            assert abs(found[k, column] - a) <= abs(a - b) * (1 + 1e-12)


def test_with_noise_it_is_no_worse_than_holding(noisy):
    clean = 8.0 * np.sin(2 * np.pi * H * np.arange(TICKS))
    error = {p: found[:, 2] - clean for p in ("hold", "extrapolate")
             if (found := answered(p, noisy)) is not None}  # fmt: skip
    jump = {p: np.abs(np.diff(e)).max() for p, e in error.items()}
    assert jump["extrapolate"] < 2.3 * jump["hold"]  # sqrt(5), of 2 y_a - y_b
