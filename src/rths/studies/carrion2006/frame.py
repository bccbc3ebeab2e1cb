"""The one-storey frame as a virtual test: one column computed, the other behind the actuator.

The actuator is a dead time of two steps, or the second order with dead time that Fig. 4 gives; a
longer dead time is a delay that was underestimated. Commands run straight between steps unless they
are held. References are the same central differences with the exact force.

[carrion2006]; set-up C0 to C17.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rths.assembly.hybrid_test import HybridTest
from rths.compensator.base import Compensator
from rths.compensator.model_based import ModelBased
from rths.compensator.none import NoCompensation
from rths.compensator.polynomial import Polynomial
from rths.excitation.base import Excitation
from rths.excitation.free_vibration import FreeVibration
from rths.excitation.ground_motion import GroundMotion
from rths.feedback.direct import Direct
from rths.identification.second_order_bandwidth import SecondOrder as Actuator
from rths.identification.second_order_bandwidth import second_order_from_bandwidth
from rths.integrator.central_difference import CentralDifference
from rths.loop.ramp import Ramp
from rths.run.virtual import simulate
from rths.specimen.base import Specimen
from rths.specimen.spring import Spring
from rths.structure.base import Structure
from rths.structure.bilinear_building import BilinearBuilding
from rths.structure.published import Published
from rths.transfer.base import Transfer
from rths.transfer.dead_time import DeadTime
from rths.transfer.second_order import SecondOrder

Signal = NDArray[np.float64]
STEP, DELAY, TICK = 6.2e-3, 12.4e-3, 1e-4
"""Step and delay of the paper, s; the tick is fine enough to show what lies between its steps."""
PHYSICAL, NUMERICAL, ZETA = 3.61e6, 6.65e6, 0.02
"""Stiffnesses of the two columns, N/m, and damping ratio of the whole, as printed."""
SHARE = PHYSICAL / (PHYSICAL + NUMERICAL)
PEAK = 5.08e-3
"""Largest displacement to which the ground motion is scaled, m."""
YIELD, HARDENING, DUCTILITY = 1e-3, 0.02, 4.0
"""Yielding of the computed column: m, share of its stiffness, and what the motion is scaled to."""
TARGET = "integrator.target"
UNSTABLE = "unstable"
DIVERGED = 1.0
"""Displacement, m, at which a run is ended: two hundred times what is wanted."""


@cache
def identified_actuator() -> Actuator:
    """Read the actuator off Fig. 4: -3 dB at 28.7 Hz, 0.94 at 15 Hz, a slope of 12.4 ms."""
    return second_order_from_bandwidth(28.7, 15.0, 0.94, DELAY)


def actuator(late: float = 0.0) -> Transfer:
    """Give the identified actuator, or one that is later than was thought."""
    a = identified_actuator()
    return SecondOrder(frequency=a.frequency, damping=a.damping, delay=a.dead_time + late)


def compensator(name: str) -> Compensator:
    """Give one of the schemes compared."""
    return {
        "none": NoCompensation(),
        "cubic": Polynomial(delay=DELAY, order=3),
        "cubic, 6.2 ms": Polynomial(delay=DELAY, order=3, spacing=STEP),
        "model": ModelBased(delay=DELAY, interface_stiffness=PHYSICAL),  # type: ignore[arg-type]
    }[name]


def numerical_part(frequency: float, inelastic: bool = False) -> Structure:
    """Give the computed column with the mass for a natural frequency (Hz) of the whole."""
    linear = Published(name="carrion2006", frequency=frequency)
    if not inelastic:
        return linear
    M, C, _ = linear.matrices()
    return BilinearBuilding(
        masses=(M.item(),),
        stiffnesses=(NUMERICAL,),
        damping=((C.item(),),),
        yield_deformations=(YIELD,),
        hardening=(HARDENING,),
    )


def rehearsal(
    structure: Structure,
    scheme: Compensator,
    transfer: Transfer,
    excitation: Excitation,
    duration: float = 20.0,
    specimen: Specimen | None = None,
    ramp: Ramp = "linear",
) -> HybridTest:
    """Put a test together; the ticks are a 62nd of the step."""
    return HybridTest(
        excitation=excitation,
        structure=structure,
        integrator=CentralDifference(),
        compensator=scheme,
        transfer=transfer,
        specimen=specimen or Spring(stiffness=PHYSICAL),
        feedback=Direct(),
        tick=TICK,
        step=STEP,
        ramp=ramp,
        duration=round(duration / STEP) * STEP,
        limits={TARGET: DIVERGED},
        record=(TARGET,),
    )


def history(test: HybridTest) -> Signal | None:
    """Run a test; give the targets of its steps, or None if it diverged."""
    record = simulate(test)
    if not record.stop.completed:
        return None
    return np.asarray(record[TARGET][:: round(STEP / TICK), 0])


def nrmse(reference: Signal, found: Signal | None) -> float | str:
    """Give the error of a run against its reference."""
    if found is None or np.abs(found).max() > 20 * np.abs(reference).max():
        return UNSTABLE
    return float(np.sqrt(np.mean((found - reference) ** 2) / np.mean(reference**2)))


@cache
def is_stable(name: str, frequency: float, kind: str, late: float = 0.0) -> bool:
    """Tell whether a free vibration from 1 mm dies out; ``kind`` is dead time, ramp or hold."""
    transfer = DeadTime(delay=DELAY) if kind == "dead time" else actuator(late)
    ramp: Ramp = "hold" if kind == "hold" else "linear"
    release = FreeVibration(displacement=(1e-3,))
    x = history(
        rehearsal(numerical_part(frequency), compensator(name), transfer, release, 20.0, ramp=ramp)
    )
    if x is None:
        return False
    third = x.size // 3
    return bool(np.abs(x[-third:]).max() < np.abs(x[third:-third]).max() * (1 + 1e-9))


def first_unstable(name: str, kind: str, late: float = 0.0, since: float = 0.5) -> float | str:
    """Give the lowest natural frequency (Hz) of the grid at which the test is unstable."""
    low = [f / 10 for f in range(round(10 * since), 30)]
    for f in (*low, *np.arange(max(3.0, since), 30.1, 0.5).tolist()):
        if not is_stable(name, f, kind, late):
            return float(f)
    return "none"


@cache
def scaled_motion(frequency: float, inelastic: bool) -> GroundMotion:
    """Scale El Centro, 15 s of it, to the displacement or the ductility wanted."""
    structure = numerical_part(frequency, inelastic)
    wanted = DUCTILITY * YIELD if inelastic else PEAK

    def peak(scale: float) -> float:
        motion = GroundMotion(length=15.0, scale=scale)
        x = history(rehearsal(structure, NoCompensation(), DeadTime(delay=0.0), motion))
        return np.inf if x is None else float(np.abs(x).max())

    scale = wanted / peak(1.0)
    if inelastic:
        from scipy.optimize import brentq

        scale = float(brentq(lambda s: peak(s) - wanted, 0.05 * scale, 20 * scale, xtol=1e-10))
    return GroundMotion(length=15.0, scale=scale)


@cache
def reference(frequency: float, inelastic: bool = False) -> Signal:
    """Give the response without an actuator."""
    motion = scaled_motion(frequency, inelastic)
    x = history(
        rehearsal(
            numerical_part(frequency, inelastic), NoCompensation(), DeadTime(delay=0.0), motion
        )
    )
    assert x is not None
    return x


@cache
def response(name: str, frequency: float, inelastic: bool = False) -> Signal | None:
    """Give the response of the virtual test with the identified actuator."""
    motion = scaled_motion(frequency, inelastic)
    return history(
        rehearsal(numerical_part(frequency, inelastic), compensator(name), actuator(), motion)
    )


def error(name: str, frequency: float, inelastic: bool = False) -> Any:
    """Give the nrmse of that test."""
    return nrmse(reference(frequency, inelastic), response(name, frequency, inelastic))


def first_lost_frequency(name: str, late: float, since: float = 9.0) -> float | str:
    """Give the lowest frequency, in steps of 0.5 Hz, at which the earthquake test is lost.

    Lost means that the response exceeds five times its reference, with an actuator that is later
    than was assumed.
    """
    for f in np.arange(since, 20.1, 0.5).tolist():
        exact, motion = reference(f), scaled_motion(f, False)
        found = history(rehearsal(numerical_part(f), compensator(name), actuator(late), motion))
        if found is None or np.abs(found).max() > 5 * np.abs(exact).max():
            return float(f)
    return "none"
