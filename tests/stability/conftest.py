"""The rigs of the papers as plans."""

from __future__ import annotations

from math import pi

import pytest

from rths.assembly.hybrid_test import HybridTest
from rths.registry import find


def made(role, kind, **fields):
    return find(role, kind)(**fields)


def wallace(**given):
    """The rig W0, 9.4 ms of dead time, no compensation."""
    parts = {
        "excitation": made("excitation", "sine", amplitude=0.005, frequency=1.5),
        "structure": made("structure", "linear", mass=2.2, damping=15.0, stiffness=2250.0),
        "integrator": made("integrator", "central_difference"),
        "compensator": made("compensator", "none"),
        "transfer": made("transfer", "dead_time", delay=9.4e-3),
        "specimen": made("specimen", "spring", stiffness=2250.0),
        "feedback": made("feedback", "direct"),
        "tick": 1e-3,
        "duration": 3.0,
    }
    return HybridTest(**{**parts, **given})


def carrion(f0, compensator, transfer=None, tick=6.2e-3, **given):
    """The set C0 with a natural frequency f0 of the whole; step 6.2 ms."""
    w = 2 * pi * f0
    mass = (3.61e6 + 6.65e6) / w**2
    return wallace(
        structure=made("structure", "linear", mass=mass, damping=0.04 * w * mass, stiffness=6.65e6),
        specimen=made("specimen", "spring", stiffness=3.61e6),
        compensator=compensator,
        transfer=transfer or made("transfer", "dead_time", delay=12.4e-3),
        tick=tick,
        step=6.2e-3,
        **given,
    )


def two_storeys(**given):
    """Two storeys with an actuator and a spring each, the lower spring ten times as stiff."""
    return wallace(
        structure=made(
            "structure",
            "shear_building",
            masses=[1000.0] * 2,
            stiffnesses=[4e5] * 2,
            damping_ratios=0.03,
            interface=(0, 1),
        ),
        specimen=tuple(made("specimen", "spring", stiffness=k) for k in (2e5, 2e4)),
        transfer=made("transfer", "dead_time", delay=1e-3),
        **given,
    )


@pytest.fixture(scope="session")
def make():
    return made


@pytest.fixture(scope="session")
def rig():
    return wallace


@pytest.fixture(scope="session")
def frame():
    return carrion


@pytest.fixture(scope="session")
def storeys():
    return two_storeys


@pytest.fixture(scope="module")
def shaken(rig, make):
    """One mass that the ground shakes, with an actuator of first order and a spring."""

    def made(damping, share, frequency, scale, lag, **given):
        stiffness = 1000.0 * (2 * pi * frequency) ** 2
        return rig(
            excitation=make("excitation", "ground_motion", scale=scale),
            structure=make(
                "structure",
                "linear",
                mass=1000.0,
                stiffness=(1 - share) * stiffness,
                damping_ratios=damping,
            ),
            integrator=make("integrator", "exact"),
            transfer=make("transfer", "first_order", time_constant=lag),
            specimen=make("specimen", "spring", stiffness=share * stiffness),
            tick=1 / 1024,
            duration=20.0,
            **given,
        )

    return made
