"""A rig that is 9.4 ms late where 6.77 ms are critical, and a search that takes a second."""

from __future__ import annotations

from pathlib import Path

import pytest

from rths.config.plan import load
from rths.design.search import Effort, Round
from rths.design.workbench import Commission, Workbench

PLAN = Path(__file__).parents[2] / "src" / "rths" / "studies" / "wallace2005" / "rig.toml"
LITTLE = Effort(
    ticks=2e6,
    seconds=60.0,  # never reached: the counted work decides, on every machine alike
    rounds=(Round(None, 0.5, 3), Round(3, 0.5, None, choices=True)),
    finalists=4,
    plants=2,
    samples=60,
)


@pytest.fixture(scope="session")
def plan():
    return load(PLAN, {"clock.duration": 4.0})


@pytest.fixture(scope="session")
def bench(plan):
    # without those that learn from the displacement: their certificates take seconds
    return Workbench(plan, Commission(effort=LITTLE, measured=("force",)))
