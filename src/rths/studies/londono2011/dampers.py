"""The one-mass example with a late damper, and the three-storey frame with two dampers.

The example (section 3): 1000 kg, 500 kN/m, 3 %, a damper of 50 kN (s/m)^.15. Its friction model
has p_s = 2, which fixes the length x_0 = c_d/(p_s k) = 0.05 m. The frame (section 5) is that of
eq. (38) with two dampers of 60 kN (s/m)^.15 at the first mass; what the compensator leaves of the
delay is a dead time.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from rths.assembly.hybrid_test import HybridTest
from rths.compensator.none import NoCompensation
from rths.excitation.base import Excitation
from rths.excitation.ground_motion import GroundMotion
from rths.excitation.sine import Sine
from rths.feedback.substructuring_ratio_implicit import SubstructuringRatioImplicit
from rths.integrator.central_difference import CentralDifference
from rths.records.record import Record
from rths.run.virtual import simulate
from rths.specimen.power_law_damper import PowerLawDamper
from rths.structure.published import Published
from rths.transfer.dead_time import DeadTime

MASS, STIFFNESS, ZETA = 1000.0, 5e5, 0.03
COEFFICIENT, POWER = 50e3, 0.15
"""The example of section 3, SI, with the line above."""
RATE = (STIFFNESS / MASS) ** 0.5
"""ω_n of the example, 1/s."""
FRICTION = 2.0
"""p_s of the friction model."""
SCALE = COEFFICIENT / (FRICTION * STIFFNESS)
"""x_0, m: the length for which 50 kN are p_s = 2."""
DELAY = 0.224
"""Delay of the example, in 1/omega_n."""
TICK = 1e-4
"""Tick of the virtual tests, s: a tenth of the shortest delay that is left."""
VELOCITY, ACCELERATION = "structure.velocity[0]", "structure.acceleration[0]"
TARGET, MEASURED, FORCE = "integrator.target", "transfer.displacement", "specimen.force"
SIGNALS = (VELOCITY, ACCELERATION, TARGET, MEASURED, FORCE, "feedback.force")
DEVICE = {"kind": "power_law_damper", "coefficient": 60e3, "exponent": 0.15, "count": 2}
"""The two dampers of section 5."""


def frame(excitation: Excitation, delay: float, duration: float, **ratio: Any) -> HybridTest:
    """Join the frame with its dampers behind a dead time; ``ratio`` says how SR comes about."""
    return HybridTest(
        excitation=excitation,
        structure=Published(name="londono2011_frame"),
        integrator=CentralDifference(),
        compensator=NoCompensation(),
        transfer=DeadTime(delay=delay),
        specimen=PowerLawDamper(coefficient=60e3, exponent=0.15, count=2),
        feedback=SubstructuringRatioImplicit(estimate=DEVICE, **ratio),
        tick=TICK,
        duration=duration,
        record=SIGNALS,
    )


@cache
def run_shaken(ratio: float, delay: float) -> Record:
    """El Centro for 20 s, then quiet until 24 s, at a constant SR."""
    return simulate(frame(GroundMotion(length=20.0), delay, 24.0, ratio=ratio))


@cache
def run_ramp(amplitude: float) -> Record:
    """A base acceleration at 1.5 Hz for 20 s, SR from 0 to 1 within 17 s, 2 ms of delay left."""
    drive = Sine(amplitude=amplitude, frequency=1.5)
    ramp = {"change": "ramp", "ratio": 1.0, "ramp_duration": 17.0}
    return simulate(frame(drive, 2e-3, 20.0, **ramp))


@cache
def run_steady(ratio: float) -> Record:
    """A base acceleration of 8 m/s² at 1.5 Hz for 6 s, constant SR, 2 ms of delay left."""
    return simulate(frame(Sine(amplitude=8.0, frequency=1.5), 2e-3, 6.0, ratio=ratio))


def sustained_peaks(record: Record, since: float = 22.0) -> tuple[float, float]:
    """Give the largest velocity of the first mass (m/s) and force of both dampers (N) at last."""
    late = slice(round(since / TICK), None)
    velocity, force = (np.abs(record[name][late]).max() for name in (VELOCITY, FORCE))
    return float(velocity), float(force)


def deviation_above(record: Record, start: float, edge: float = 40.0) -> float:
    """Give the standard deviation of the first mass's acceleration above ``edge`` (Hz) in a second.

    From the spectrum of that second alone, so that a motion which does not fit into it a whole
    number of times leaks a little to high frequencies.
    """
    first = round(start / TICK)
    a = record[ACCELERATION][first : first + round(1 / TICK), 0]
    spectrum = np.fft.rfft(a)
    spectrum[np.fft.rfftfreq(a.size, TICK) < edge] = 0.0
    return float(np.fft.irfft(spectrum, a.size).std())
