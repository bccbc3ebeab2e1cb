"""The rig run three ways: as it is, with the delay compensated, and without an actuator at all.

The actuator is 9.4 ms late, the critical delay is 6.77 ms (c/k_s = 6.67 ms): the test as it is
must grow; a cubic prediction must bring it back to the emulated system.

[wallace2005] section 2.2.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from rths.config.plan import load
from rths.identification.least_squares_delay import delay_by_least_squares
from rths.metrics.nrmse import nrmse
from rths.metrics.rms_tracking_error import rms_tracking_error
from rths.records.record import Record
from rths.registry import find
from rths.report.shown_signals import MEASURED, TARGET
from rths.run.virtual import simulate

PLAN = Path(__file__).parent / "rig.toml"


@dataclass(frozen=True)
class Outcome:
    """What one run showed: its record and the measures of the table."""

    name: str
    record: Record
    delay: float
    """Time by which the specimen lags the target, s."""
    tracking: float
    """RMS tracking error over RMS target."""
    error: float
    """RMS difference to the reference over RMS reference."""

    @property
    def stable(self) -> bool:
        """Tell whether the run came to its planned end."""
        return self.record.stop.completed


def three_ways() -> dict[str, Outcome]:
    """Run the rig uncompensated, compensated and emulated."""
    plan = load(PLAN)
    tests = {
        "uncompensated": replace(plan, compensator=find("compensator", "none")()),
        "compensated": plan,
        "emulated": plan.reference_test(),
    }
    records = {name: simulate(test) for name, test in tests.items()}
    return {name: _judge(name, r, records["emulated"]) for name, r in records.items()}


def _judge(name: str, record: Record, reference: Record) -> Outcome:
    target, measured = record[TARGET][:, 0], record[MEASURED][:, 0]
    wanted = reference[TARGET][: len(target), 0]
    return Outcome(
        name,
        record,
        delay_by_least_squares(target, measured, record.tick).value,
        rms_tracking_error(target, measured, record.tick),
        nrmse(wanted, target, record.tick),
    )
