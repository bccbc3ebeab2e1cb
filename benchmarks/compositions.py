"""The hybrid tests that the engine is measured with: a cubic predictor, a dead time, a specimen."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from rths.assembly.hybrid_test import HybridTest
from rths.registry import find

TICK = 1 / 1024
"""A usual rate of controllers, s."""
SIGNALS = ("integrator.target", "compensator.command", "transfer.displacement", "feedback.force")


def noise_file(folder: Path, ticks: int) -> Path:
    """Write a ground motion of white noise with one sample a tick."""
    path = folder / "noise.csv"
    columns = np.column_stack(
        [np.arange(ticks) * TICK, np.random.default_rng(0).standard_normal(ticks)]
    )
    np.savetxt(path, columns, delimiter=",", header="time_s,acceleration_m_s2", comments="")
    return path


def composition(name: str, motion: Path, ticks: int) -> HybridTest:
    """Build the test ``spring``, ``bilinear`` or ``frame`` (three degrees of freedom)."""
    k = 1e5 if name == "frame" else 2250.0
    if name == "frame":
        structure = find("structure", "shear_building")(
            masses=[1000.0] * 3, stiffnesses=[4e5] * 3, damping_ratios=0.02
        )
    else:
        structure = find("structure", "linear")(mass=2.2, damping=15.0, stiffness=2250.0)
    specimen = find("specimen", "spring")(stiffness=k)
    if name == "bilinear":
        specimen = find("specimen", "bilinear")(
            stiffness=k, yield_displacement=0.004, hardening=0.05
        )
    return HybridTest(
        name=name,
        excitation=find("excitation", "ground_motion")(motion=str(motion)),
        structure=structure,
        integrator=find("integrator", "central_difference")(),
        compensator=find("compensator", "polynomial")(delay=4 * TICK),
        transfer=find("transfer", "dead_time")(delay=4.3 * TICK),
        specimen=specimen,
        feedback=find("feedback", "direct")(),
        tick=TICK,
        duration=(ticks - 1) * TICK,
        limits={"compensator.command": 1e3, "feedback.force": 1e7},
        record=SIGNALS,
    )
