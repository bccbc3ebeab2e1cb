"""The frame with the MR damper as the specimen: both columns computed, the force times 100.

The analytical response is the same equation in steps of 0.1 ms; in the test the velocity of the
damper is the difference over a tick of 0.1 ms.

[carrion2006] eq. (5) and Figs 10, 12, 14; set-up C16, C17.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from rths.compensator.base import Compensator
from rths.compensator.model_based import ModelBased
from rths.compensator.none import NoCompensation
from rths.excitation.ground_motion import GroundMotion
from rths.loop.solo import respond
from rths.run.virtual import simulate
from rths.site import Site
from rths.specimen.mr_bingham import MrBingham
from rths.structure.linear import Linear
from rths.studies.carrion2006.frame import (
    DELAY,
    NUMERICAL,
    PEAK,
    PHYSICAL,
    STEP,
    TARGET,
    TICK,
    ZETA,
    Signal,
    actuator,
    history,
    rehearsal,
)
from rths.transfer.dead_time import DeadTime

DAMPER = MrBingham(friction=39.8, damping=801.0, stiffness=2140.0, offset=1.49, force_scale=100.0)
NO_DAMPER = MrBingham(friction=0.0, damping=0.0)


def loop(frequency: float, amplitude: float = 10.16e-3) -> tuple[Signal, Signal, Signal]:
    """Run the damper through a cycle of a sine: displacement (m), velocity (m/s), force (N)."""
    t = TICK * np.arange(round(2 / frequency / TICK))
    w = 2 * np.pi * frequency
    x, v = amplitude * np.sin(w * t), amplitude * w * np.cos(w * t)
    block = replace(DAMPER, force_scale=1.0).block(Site(tick=TICK, interval=TICK))
    force = respond(block, x)[:, 0]
    half = slice(t.size // 2, None)
    return x[half], v[half], force[half]


def frame(frequency: float) -> Linear:
    """Both columns, with the mass for the natural frequency (Hz) without damper."""
    k = PHYSICAL + NUMERICAL
    m = k / (2 * np.pi * frequency) ** 2
    return Linear(mass=((m,),), damping=((2 * ZETA * (k * m) ** 0.5,),), stiffness=((k,),))


def analytical_response(frequency: float, scale: float, damper: MrBingham = DAMPER) -> Signal:
    """Give the response in steps of 0.1 ms, at the steps of the test."""
    motion = GroundMotion(length=15.0, scale=scale)
    plan = rehearsal(
        frame(frequency), NoCompensation(), DeadTime(delay=0.0), motion, specimen=damper
    )
    found = simulate(replace(plan, step=None, limits={}))[TARGET]
    return np.asarray(found[:: round(STEP / TICK), 0])


def hybrid_response(frequency: float, scale: float, scheme: Compensator) -> Signal:
    """Give the response of the virtual test."""
    motion = GroundMotion(length=15.0, scale=scale)
    found = history(rehearsal(frame(frequency), scheme, actuator(), motion, specimen=DAMPER))
    assert found is not None
    return found


@dataclass(frozen=True, eq=False)
class DamperTest:
    """Responses at one scale of the ground motion."""

    with_damper: Signal
    without: Signal
    compensated: Signal
    uncompensated: Signal

    @property
    def ratio(self) -> float:
        """Peak with over peak without damper."""
        return float(np.abs(self.with_damper).max() / np.abs(self.without).max())

    def error(self, found: Signal) -> float:
        """Nrmse against the analytical response."""
        exact = self.with_damper
        return float(np.sqrt(np.mean((found - exact) ** 2) / np.mean(exact**2)))


@cache
def damper_test(frequency: float, damped_peak: bool = True) -> DamperTest:
    """Scale the motion to 5.08 mm with damper (or without it) and run everything."""
    from scipy.optimize import brentq

    def excess(scale: float) -> float:
        return float(np.abs(analytical_response(frequency, scale)).max()) - PEAK

    scale = 1e-2 * PEAK / float(np.abs(analytical_response(frequency, 1e-2, NO_DAMPER)).max())
    if damped_peak:
        scale = float(brentq(excess, scale, 10 * scale, xtol=1e-7))
    predicting = ModelBased(delay=DELAY, interface_stiffness=0.0)  # type: ignore[arg-type]
    return DamperTest(
        analytical_response(frequency, scale),
        analytical_response(frequency, scale, NO_DAMPER),
        hybrid_response(frequency, scale, predicting),
        hybrid_response(frequency, scale, NoCompensation()),
    )
