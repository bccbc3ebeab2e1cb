"""A record as a report shows it: its stability limit is that of theory."""

from __future__ import annotations

import pytest

from rths.config.plan import load
from rths.report.shown_run import ShownRun
from rths.run.virtual import simulate
from rths.studies.wallace2005.three_ways import PLAN


def test_the_stability_limit_of_the_rig_is_the_published_one():  # W2: 6.7695 ms, one tick 1 ms
    run = ShownRun("rig", simulate(load(PLAN, {"clock.duration": 0.5})))
    assert run.critical_delay == pytest.approx(6.7695e-3, rel=1e-3)
