"""The simulations of section 4: free vibration of a spring, and El Centro on a yielding specimen.

LSRT2 at dt = 10 ms, a dead time of dt. Conventional: Hermite from the stage points, horizon dt.
Over-compensated: Hermite from whole steps, horizon 1.5 dt, force of the last dt that fits the
target. Before the first prediction has arrived (the first seven stage points) the force is
computed from the target itself, a substructuring ratio of zero; these points count as J = 0.

[wu2013] sections 4.1 and 4.2; set-up U11 to U15.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rths.assembly.hybrid_test import HybridTest
from rths.compensator.base import Compensator
from rths.compensator.hermite import Hermite
from rths.compensator.none import NoCompensation
from rths.compensator.upper_bound_delay import UpperBoundDelay
from rths.excitation.free_vibration import FreeVibration
from rths.excitation.ground_motion import GroundMotion
from rths.feedback.base import Feedback
from rths.feedback.chain import Chain
from rths.feedback.substructuring_ratio import SubstructuringRatio
from rths.integrator.base import Integrator
from rths.integrator.central_difference import CentralDifference
from rths.integrator.lsrt2 import Lsrt2
from rths.registry import find
from rths.run.virtual import simulate
from rths.structure.linear import Linear
from rths.transfer.dead_time import DeadTime

Signal = NDArray[np.float64]
DT, START_UP, TICKS = 0.01, 7, 10
"""Step, s; stage points before the first prediction has arrived; ticks in a step."""
GRAVITY = 9.81
"""m/s², for motions given in g."""
TARGET, MEASURED, FORCE = "integrator.target", "transfer.displacement", "specimen.force"
SOLUTIONS = "feedback.solutions"
# the specimens of 4.1 and 4.2, SI
SPRING = {"kind": "spring", "stiffness": 200.0}
YIELDING = {
    "kind": "bilinear",
    "stiffness": 44.41,
    "yield_displacement": 25e-3,
    "hardening": 0.115,
}


@dataclass(frozen=True, eq=False)
class Run:
    """Time, target, measured displacement and force at every tick; J at every stage point."""

    time: Signal
    target: Signal
    measured: Signal
    force: Signal
    solutions: Signal

    @property
    def counts(self) -> list[int]:
        """Count the stage points with J = 0, 1 and 2."""
        J = self.solutions.copy()
        J[:START_UP] = 0
        return [int(np.sum(k == J)) for k in (0, 1, 2)]


def plan(
    specimen: dict[str, Any],
    excitation: Any,
    duration: float,
    compensator: Compensator,
    feedback: Feedback,
    record: tuple[str, ...] = (),
) -> HybridTest:
    """Put a simulation together; the computed spring is as stiff as the specimen."""
    fields = dict(specimen)
    made = find("specimen", fields.pop("kind"))(**fields)
    k = float(fields["stiffness"])
    return HybridTest(
        excitation=excitation,
        structure=Linear(mass=((1.0,),), damping=((0.0,),), stiffness=((k,),)),
        integrator=Lsrt2(interface_stiffness=((k,),)),
        compensator=compensator,
        transfer=DeadTime(delay=DT),
        specimen=made,
        feedback=feedback,
        tick=DT / TICKS,
        step=DT,
        duration=duration,
        record=(TARGET, MEASURED, FORCE, *record),
    )


def run_conventional(specimen: dict[str, Any], excitation: Any, duration: float, order: int) -> Run:
    """Compensate the delay as it is."""
    hermite = Hermite(delay=DT, order=order)  # type: ignore[arg-type]
    begin = SubstructuringRatio(estimate=specimen, **_start_up())
    return _run(plan(specimen, excitation, duration, hermite, begin))


def run_over_compensated(
    specimen: dict[str, Any], excitation: Any, duration: float, order: int
) -> Run:
    """Compensate half a step too much, and feed back the force that fits."""
    predictor = {"kind": "hermite", "order": order}
    bound = UpperBoundDelay(delay=1.5 * DT, predictor=predictor)
    begin = {"kind": "substructuring_ratio", "estimate": specimen, **_start_up()}
    chain = Chain(links=({"kind": "optimal", "window": DT}, begin))
    return _run(plan(specimen, excitation, duration, bound, chain, (SOLUTIONS,)))


def _start_up() -> dict[str, Any]:
    return {"change": "ramp", "ratio": 1.0, "initial_ratio": 0.0, "ramp_start": START_UP * DT / 2}


def _run(test: HybridTest) -> Run:
    record = simulate(test)
    stages = TICKS // 2
    solutions = record[SOLUTIONS][::stages, 0][:-1] if SOLUTIONS in record.channels else np.empty(0)
    target, measured, force = (record[name][:, 0] for name in (TARGET, MEASURED, FORCE))
    return Run(record.time(TARGET), target, measured, force, solutions)


@cache
def free_vibration(order: int, over: bool) -> Run:
    """Release the spring at 10 mm and let it swing for 20 s."""
    release = FreeVibration(displacement=(0.01,))
    return (run_over_compensated if over else run_conventional)(SPRING, release, 20.0, order)


@cache
def earthquake(order: int, over: bool) -> Run:
    """Shake the yielding specimen for 10 s, El Centro scaled to 0.13 g."""
    motion = GroundMotion(peak=0.13 * GRAVITY)
    return (run_over_compensated if over else run_conventional)(YIELDING, motion, 10.0, order)


@cache
def exact_run(yielding: bool, fine: bool = True) -> Run:
    """Give the response without an actuator: central differences at 1 ms, or LSRT2 at dt."""
    drive = GroundMotion(peak=0.13 * GRAVITY) if yielding else FreeVibration(displacement=(0.01,))
    specimen, duration = (YIELDING, 10.0) if yielding else (SPRING, 20.0)
    test = plan(specimen, drive, duration, NoCompensation(), find("feedback", "direct")())
    scheme: Integrator = CentralDifference() if fine else test.integrator
    step = None if fine else DT
    return _run(replace(test, transfer=DeadTime(delay=0.0), integrator=scheme, step=step))


def amplitude(run: Run) -> float:
    """Give the largest displacement of the last half second, m."""
    return float(np.abs(run.target[run.time > run.time[-1] - 0.5]).max())


def nrmse(run: Run, reference: Run) -> float:
    """Compare two runs at whole steps."""
    x, r = run.target[::TICKS], reference.target[::TICKS]
    return float(np.sqrt(np.mean((x - r) ** 2) / np.mean(r**2)))
