"""The bench of methods leaves out no compensator, and measures each in a loop that holds."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.methods import cost_rows, plans
from rths.registry import kinds

SECONDS = 2.0
"""Three periods of the excitation: a loop that grows has left its bound by then."""
BOUND = 0.01
"""Twenty times the static displacement, 2.2 kg times 1 m/s² over 4500 N/m, in m."""


def test_every_registered_compensator_has_a_row():
    rows = cost_rows({kind: [1.0] for kind in plans()})
    assert [name.partition(",")[0] for name in rows] == kinds("compensator")


@pytest.mark.parametrize("kind", kinds("compensator"))
def test_the_loop_that_is_measured_moves_and_holds(kind):
    test = plans()[kind]
    rows = np.empty((round(SECONDS / test.tick), len(test.layout.record_slots)))
    cycle = test.cycle("table")
    assert cycle.advance(len(rows), rows) == len(rows)
    assert 0 < np.abs(rows[:, 0]).max() < BOUND
