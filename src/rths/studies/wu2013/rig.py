"""The tests of section 5 as virtual ones: an actuator that lags by 16.6 ms, sampled at 1024 Hz.

Under-compensated 15 ms, conventional 16.6 ms, over-compensated 20 ms with the nearest of the last
13 samples. A first-order lag stands for the actuator, of which the paper gives no model.

[wu2013] sections 5.2 to 5.4; set-up U17 to U20.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from rths.assembly.hybrid_test import HybridTest
from rths.compensator.base import Compensator
from rths.compensator.hermite import Hermite, weights
from rths.compensator.upper_bound_delay import UpperBoundDelay
from rths.excitation.sine import Sine
from rths.feedback.base import Feedback
from rths.feedback.direct import Direct
from rths.feedback.optimal import Optimal
from rths.integrator.lsrt2 import Lsrt2
from rths.loop.solo import respond
from rths.run.virtual import simulate
from rths.site import Site
from rths.specimen.mr_bingham import MrBingham
from rths.structure.published import Published
from rths.transfer.base import Transfer
from rths.transfer.dead_time import DeadTime
from rths.transfer.first_order import FirstOrder

Signal = NDArray[np.float64]
TICK, TICKS = 1 / 1024, 10
"""Tick of the controller, s, and ticks in a step."""
LAG, BOUND, UNDER = 16.6e-3, 20e-3, 15e-3
"""Lag of the actuator, and what the two other compensators take for it, s."""
SPRING = 40e3
"""Stiffness of the specimen, N/m."""
SITE = Site(tick=TICK, interval=TICK)
NEAREST = Optimal(window=12 * TICK, search="sampled")
TONES = ((5.0, 1.0), (3.0, 2.0), (2.0, 4.0))
"""Amplitudes (mm) and frequencies (Hz) of the prescribed command (12)."""
TARGET, MEASURED = "integrator.target", "transfer.displacement"
MATCHED = "feedback.matched_displacement"


def follow_command(transfer: Transfer, command: Signal) -> Signal:
    """Let an actuator follow a command."""
    return respond(transfer.block(SITE), command)[:, 0]


def sine_pair(dead: bool) -> tuple[Signal, Signal]:
    """Give 25 s of the command (10), 10 mm at 1 Hz, and what the actuator makes of it."""
    x = 10 * np.sin(2 * np.pi * TICK * np.arange(25 * 1024))
    return x, follow_command(DeadTime(delay=LAG) if dead else FirstOrder(time_constant=LAG), x)


def tones(t: Signal, derivative: int = 0) -> Signal:
    """Give the three tones (12) or a derivative of them, mm."""
    total = np.zeros_like(t)
    for a, f in TONES:
        w = 2 * np.pi * f
        total += a * w**derivative * np.sin(w * t + derivative * np.pi / 2)
    return total


@dataclass(frozen=True, eq=False)
class Outcome:
    """Desired displacement of the specimen and the one whose force was used, mm."""

    time: Signal
    desired: Signal
    used: Signal

    @property
    def error(self) -> Signal:
        """Used minus desired, without the first second."""
        return (self.used - self.desired)[round(1 / TICK) :]

    @property
    def spread(self) -> float:
        """Standard deviation of the error, mm."""
        return float(self.error.std())


@dataclass(frozen=True, eq=False)
class PrescribedRun(Outcome):
    """The same under the prescribed command, with what was measured, mm."""

    measured: Signal


@cache
def run_prescribed(over: bool, seconds: float = 10.0) -> PrescribedRun:
    """Send (12) with Hermite 3 over 16.6 ms, or over 20 ms with the nearest sample fed back."""
    t, span = TICK * np.arange(round(seconds / TICK), dtype=np.float64), TICKS * TICK
    w = weights(3, (BOUND if over else LAG) / span, span)
    points = (tones(t), tones(t, 1), tones(t - span), tones(t - span, 1))
    command = sum((a * p for a, p in zip(w, points, strict=True)), np.zeros_like(t))
    measured = follow_command(FirstOrder(time_constant=LAG), command)
    used = measured
    if over:
        rows = np.column_stack([measured, measured, tones(t), tones(t, 1), tones(t, 2)])
        used = respond(NEAREST.block(SITE), rows)[:, 0]
    return PrescribedRun(t, tones(t), used, measured)


def rig(
    structure: str, order: int, delay: float, over: bool, friction: float, drive: Sine
) -> HybridTest:
    """Put a test of 20 s together."""
    hermite: Compensator = Hermite(delay=delay, order=order)  # type: ignore[arg-type]
    bound = UpperBoundDelay(delay=delay, predictor={"kind": "hermite", "order": order})
    feedback: Feedback = NEAREST if over else Direct()
    return HybridTest(
        excitation=drive,
        structure=Published(name=structure),  # type: ignore[arg-type]
        integrator=Lsrt2(interface_stiffness=((SPRING,),)),
        compensator=bound if over else hermite,
        transfer=FirstOrder(time_constant=LAG),
        specimen=MrBingham(friction=friction, damping=0.0, stiffness=SPRING),
        feedback=feedback,
        tick=TICK,
        step=TICKS * TICK,
        duration=20.0,
        record=(TARGET, MEASURED, *((MATCHED,) if over else ())),
    )


def run_test(test: HybridTest) -> Outcome:
    """Run a test."""
    record = simulate(test)
    used = record[MATCHED if MATCHED in record.channels else MEASURED][:, 0]
    return Outcome(record.time(TARGET), 1e3 * record[TARGET][:, 0], 1e3 * used)


@cache
def one_mass(delay: float, over: bool, friction: float) -> Outcome:
    """Run the SDOF test of section 5.3."""
    drive = Sine(acting="force", amplitude=300.0, frequency=1.3)
    return run_test(rig("wu2013_sdof", 3, delay, over, friction, drive))


@cache
def five_masses(delay: float, over: bool, friction: float) -> Outcome:
    """Run the five-DOF test of section 5.4, its physical mass kept in the computed part."""
    drive = Sine(acting="force", amplitude=1000.0, frequency=1.5, dof=4)
    return run_test(rig("wu2013_five_dof", 2, delay, over, friction, drive))


def run_reference(structure: str, friction: float, drive: Sine) -> Outcome:
    """Compute the same without an actuator."""
    test = rig(structure, 2, LAG, False, friction, drive)
    return run_test(replace(test.reference_test(), record=(TARGET, MEASURED)))
