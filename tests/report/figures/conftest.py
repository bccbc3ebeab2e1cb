"""A run of a frame that yields, and one of no frame, as reports show them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rths.config.plan import load
from rths.report.shown_run import ShownRun
from rths.run.virtual import simulate
from rths.studies.wallace2005.three_ways import PLAN


@pytest.fixture(scope="session")
def portal_run(portal_plan):
    """A portal whose columns yield."""
    return ShownRun("Portal", simulate(load(portal_plan())))


@pytest.fixture(scope="session")
def weak_run(portal_plan):
    """The same, shaken less, and in part not recorded."""
    return ShownRun("weak", simulate(load(portal_plan(), {"excitation.amplitude": 1.0})))


@pytest.fixture(scope="session")
def bare_run(portal_plan):
    """The same without the displacements of the structure in its record."""
    test = replace(load(portal_plan()), record=("integrator.target", "transfer.displacement"))
    return ShownRun("bare", simulate(test))


@pytest.fixture(scope="session")
def other_run():
    """A test without a frame."""
    return ShownRun("rig", simulate(load(PLAN, {"clock.duration": 1.0})))
