"""The one-period map is the same whichever loop takes it."""

from __future__ import annotations

import numpy as np

from rths.stability.loop_map import LoopMap, period_of, rest_layout


def test_the_map_of_a_loop_that_records_nothing_needs_no_compiler(rig, monkeypatch):
    test = rig()
    layout = rest_layout(test)
    assert layout.record_slots.size == 0
    maps = [LoopMap(layout, period_of(test, layout))]
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    maps.append(LoopMap(layout, period_of(test, layout)))
    for each in maps:
        each.arena[each.here] += 1e-3
        each.run(3)
    compiled, interpreted = (each.arena[each.places()] for each in maps)
    assert np.any(compiled != 0.0)
    np.testing.assert_array_equal(interpreted, compiled)
