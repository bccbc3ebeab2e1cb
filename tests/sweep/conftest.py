"""A small study: a rig that is stable up to some delay, and runs for less than a second."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rths.config.plan import dumps, load
from rths.registry import find
from rths.studies.wallace2005.three_ways import PLAN


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    """The rig of the demo, under two storeys and for half a second."""
    storeys = find("structure", "shear_building")(
        masses=(2.2, 2.0), stiffnesses=(2250.0, 2000.0), damping_ratios=0.02
    )
    changes = {
        "duration": 0.5,
        "structure": storeys,
        "compensator.delay": 0.003,
        "transfer.delay": 0.003,
        "specimen.stiffness": 900.0,
        "limits": {"compensator.command": 0.1},
        "name": "rig",
    }
    path = tmp_path / "rig.toml"
    path.write_text(dumps(load(PLAN).with_values(changes)), encoding="utf-8")
    return path


@pytest.fixture
def tables(plan: Path) -> dict[str, Any]:
    """A study as tables: two numbers of the plan, sixty runs in batches of seven."""
    return {
        "plan": str(plan),
        "design": "latin_hypercube",
        "runs": 60,
        "batch": 7,
        "seed": 4,
        "variable": [
            {"field": "transfer.delay", "low": 0.0, "high": 0.004},
            {"field": "specimen.stiffness", "mean": 900.0, "deviation": 90.0},
        ],
        "outcomes": {"peaks": ["compensator.command", "feedback.force"]},
    }
