"""The eight tests as virtual ones: two storeys with MR dampers, two actuators that lag.

CR at 10/1024 s, the rest at 1/1024 s; actuators m <- m + (c - m)/alpha with alpha = 33 and 28.
Dampers: elastic-plastic, 180 kN at 5 mm, plus 100 kN s/m, six in the first storey and four in the
second. El Centro x 1.5, 31 s, in place of the record of Canoga Park.

[chen2010] Table 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from rths.assembly.hybrid_test import HybridTest
from rths.compensator.adaptive_inverse import AdaptiveInverse
from rths.excitation.ground_motion import GroundMotion
from rths.feedback.direct import Direct
from rths.integrator.cr import Cr
from rths.metrics.maximum_tracking_error import maximum_tracking_error
from rths.metrics.rms_tracking_error import rms_tracking_error
from rths.metrics.tracking_indicator import tracking_indicator
from rths.run.virtual import simulate
from rths.specimen.mr_elastic_plastic import MrElasticPlastic
from rths.structure.base import Structure
from rths.structure.frame import Frame
from rths.structure.published import Published
from rths.theory.step.amplification import spectral_radius
from rths.theory.step.lag_actuator_loop import LagActuatorLoop
from rths.transfer.sampled_lag import SampledLag

Signal = NDArray[np.float64]
TICK, TICKS = 1 / 1024, 10
"""Tick of the controller, s, and ticks in a step."""
ACTUATORS, DEVICES = (33.0, 28.0), (6, 4)
"""Constants of the actuators, and dampers, of the two storeys."""
SLIP_FORCE, SLIP, DASHPOT = 180e3, 5e-3, 100e3
"""One damper, as above: N, m, N s/m."""
MILLIMETRES, SQUARE = 1e3, 1e6
"""Millimetres in a metre, mm² in a m²."""
TESTS: dict[int, tuple[tuple[float, float], float]] = {
    1: ((0, 0), 0.0),
    2: ((0, 0), 0.4),
    3: ((30, 30), 0.0),
    4: ((30, 30), 0.4),
    5: ((60, 60), 0.0),
    6: ((60, 60), 0.4),
    7: ((0, 60), 0.4),
    8: ((60, 0), 0.4),
}
"""Estimates alpha_es of both actuators and the gain k_p in 1/mm² (k_i is a tenth of it per s)."""
SIGNALS = (
    "integrator.target",
    "transfer.displacement",
    "specimen.force",
    "compensator.alpha",
)


@dataclass(frozen=True, eq=False)
class Tracking:
    """What one test recorded: a column for each actuator; mm, mm², kN of one damper."""

    time: Signal
    target: Signal
    measured: Signal
    force: Signal
    alpha: Signal

    @property
    def indicator(self) -> Signal:
        """TI, mm²."""
        pairs = zip(self.target.T, self.measured.T, strict=True)
        return np.column_stack([tracking_indicator(c, m, TICK) for c, m in pairs])

    @property
    def largest_error(self) -> list[float]:
        """MTE, mm."""
        pairs = zip(self.target.T, self.measured.T, strict=True)
        return [maximum_tracking_error(c, m, TICK) for c, m in pairs]

    @property
    def rms(self) -> list[float]:
        """RMS, %."""
        pairs = zip(self.target.T, self.measured.T, strict=True)
        return [100 * rms_tracking_error(c, m, TICK) for c, m in pairs]

    @property
    def largest_indicator(self) -> list[float]:
        """TI where it is largest, with its sign, mm²."""
        return [float(column[np.argmax(np.abs(column))]) for column in self.indicator.T]


def plan(
    estimates: tuple[float, float],
    gain: float,
    actuators: tuple[float, float] = ACTUATORS,
    structure: Structure | None = None,
) -> HybridTest:
    """Put a test of the virtual set together; the gain in 1/mm², two storeys if not given."""
    dampers = tuple(
        MrElasticPlastic(slip_force=SLIP_FORCE, slip_displacement=SLIP, damping=DASHPOT, count=n)
        for n in DEVICES
    )
    return HybridTest(
        excitation=GroundMotion(scale=1.5),
        structure=structure or Published(name="chen2010"),
        integrator=Cr(),
        compensator=tuple(AdaptiveInverse(alpha=a, proportional=gain * SQUARE) for a in estimates),
        transfer=tuple(SampledLag(alpha=a) for a in actuators),
        specimen=dampers,
        feedback=Direct(),
        tick=TICK,
        step=TICKS * TICK,
        duration=31.0,
        record=SIGNALS,
    )


def run_tracking(test: HybridTest) -> Tracking:
    """Run a test."""
    record = simulate(test)
    target, measured, force, alpha = (record[name] for name in SIGNALS)
    per_damper = 1e-3 * force / np.array(DEVICES)
    return Tracking(
        record.time(SIGNALS[0]),
        MILLIMETRES * target,
        MILLIMETRES * measured,
        per_damper,
        alpha,
    )


@cache
def virtual_test(number: int) -> Tracking:
    """Run one of the eight tests."""
    return run_tracking(plan(*TESTS[number]))


@cache
def whole_frame() -> Frame:
    """Give the frame of 71 elements, its dampers between ground, first and second floor."""
    return Frame(model="chen2010", interface=("p1.x", "p2.x - p1.x"), rayleigh=(0.02, 0.02))


@cache
def frame_test(number: int) -> Tracking:
    """Run one of the eight tests with the whole frame."""
    return run_tracking(plan(*TESTS[number], structure=whole_frame()))


def radius_at_rest(alpha: float) -> float:
    """Spectral radius of a step with dampers that have not slipped, both alphas alike."""
    M, C, K = Published(name="chen2010").matrices()
    devices = np.array(DEVICES, float)
    loop = LagActuatorLoop(
        mass=M,
        damping=C,
        stiffness=K,
        deformation=Published(name="chen2010").interface_rows(),
        specimen_stiffness=SLIP_FORCE / SLIP * devices,
        specimen_damping=DASHPOT * devices,
        compensation=np.full(2, alpha),
        lag=np.array(ACTUATORS),
        tick=TICK,
        ticks=TICKS,
    )
    return spectral_radius(loop.matrix())
