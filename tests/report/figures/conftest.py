"""A run of a frame that yields, and one of no frame, as reports show them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rths.config.plan import load
from rths.report.shown_run import ShownRun
from rths.run.virtual import simulate
from rths.studies.wallace2005.three_ways import PLAN

FRAME = """
name = "Portal"
[clock]
tick = 0.002
duration = 1.2
[excitation]
kind = "sine"
acting = "ground_acceleration"
amplitude = 6.0
frequency = 2.2
[structure]
kind = "frame"
model = "portal"
interface = ["roof_left.x"]
rayleigh = [0.02, 0.02]
[integrator]
kind = "kr_alpha"
[compensator]
kind = "none"
[transfer]
kind = "dead_time"
delay = 0.0
[specimen]
kind = "spring"
stiffness = 1e5
"""


@pytest.fixture(scope="session")
def portal_run():
    """A portal whose columns yield."""
    return ShownRun("Portal", simulate(load(FRAME)))


@pytest.fixture(scope="session")
def weak_run():
    """The same, shaken less, and in part not recorded."""
    return ShownRun("weak", simulate(load(FRAME, {"excitation.amplitude": 1.0})))


@pytest.fixture(scope="session")
def bare_run():
    """The same without the displacements of the structure in its record."""
    test = replace(load(FRAME), record=("integrator.target", "transfer.displacement"))
    return ShownRun("bare", simulate(test))


@pytest.fixture(scope="session")
def other_run():
    """A test without a frame."""
    return ShownRun("rig", simulate(load(PLAN, {"clock.duration": 1.0})))
