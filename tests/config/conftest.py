"""A plan on disk, to be spoilt line by line."""

from __future__ import annotations

from pathlib import Path

import pytest

PLAN = """\
name = "rig"
seed = 1

[clock]
tick = 0.001
step = 0.004
duration = 0.4

[excitation]
kind = "ground_motion"
motion = "motion.csv"

[structure]
kind = "linear"
mass = [[2.2, 0.0], [0.0, 1.5]]
damping = [[25.0, -10.0], [-10.0, 10.0]]
stiffness = [[3750.0, -1500.0], [-1500.0, 1500.0]]
interface = [0, 1]

[integrator]
kind = "central_difference"

[compensator]
kind = "polynomial"
delay = 0.006

[[transfer]]
kind = "dead_time"
delay = 0.005

[[transfer]]
kind = "dead_time"
delay = 0.007

[specimen]
kind = "spring"
stiffness = 2250.0

[limits]
compensator.command = 0.5
feedback.force = [-1000.0, 2000.0]
"""
MOTION = "time_s,acceleration_m_s2\n0.00,0.0\n0.01,1.0\n0.02,-1.0\n0.03,0.5\n0.04,0.0\n"


class Plan:
    """A plan and the motion beside it."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "plan.toml"
        self.motion = folder / "motion.csv"
        self.text = PLAN
        self.write(PLAN, MOTION)

    def write(self, plan: str, motion: str = MOTION) -> None:
        """Write both files."""
        self.path.write_text(plan, encoding="utf-8")
        self.motion.write_text(motion, encoding="utf-8")

    def with_line(self, old: str, new: str) -> int:
        """Replace one line of the plan; give its number."""
        lines = PLAN.splitlines()
        number = lines.index(old)
        lines[number] = new
        self.write("\n".join(lines) + "\n")
        return number + 1


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    return Plan(tmp_path)
