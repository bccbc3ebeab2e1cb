"""The rig as a virtual test: wall motion of 1.5 Hz, actuator 9.4 ms late, any prediction."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

from rths.compensator.adaptive_forward_prediction import AdaptiveForwardPrediction
from rths.compensator.base import Compensator
from rths.compensator.forward_prediction import ForwardPrediction
from rths.compensator.none import NoCompensation
from rths.config.plan import load
from rths.records.record import Record
from rths.run.virtual import simulate
from rths.studies.wallace2005.three_ways import PLAN

AHEAD = "compensator.ahead_a"
TARGET, MEASURED = "integrator.target", "transfer.displacement"


def run_rig(compensator: Compensator, duration: float, *, stroke: float = 0.025) -> Record:
    """Run the rig with a compensator; the command may not pass the stroke, m."""
    record = (TARGET, MEASURED, *((AHEAD,) if compensator.estimates else ()))
    changes: dict[str, Any] = {"limits": {"compensator.command": stroke}, "record": record}
    return simulate(replace(load(PLAN), compensator=compensator, duration=duration, **changes))


@cache
def run_reference(duration: float) -> Record:
    """Run the rig without an actuator."""
    plan = replace(load(PLAN), duration=duration, record=(TARGET, MEASURED))
    return simulate(plan.reference_test())


def constant_prediction(ahead: float) -> ForwardPrediction:
    """Give the prediction of the paper: third order through 12 points."""
    return ForwardPrediction(ahead=ahead, order=3, points=12)


def adaptive_prediction(ahead: float) -> AdaptiveForwardPrediction:
    """Give an adaptive prediction that starts at ``ahead``."""
    return AdaptiveForwardPrediction(ahead=ahead, longest=0.03, order=3, start_order=2)


def no_compensation() -> NoCompensation:
    """Give no compensation."""
    return NoCompensation()
