"""The Wallace rig as a hybrid test, to be changed piece by piece."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rths.assembly.hybrid_test import HybridTest
from rths.registry import find


def made(role: str, kind: str, **fields: Any) -> Any:
    """Make a description by its role and kind."""
    return find(role, kind)(**fields)


def wallace(**changes: Any) -> HybridTest:
    """Give the rig; ``changes`` replace roles, clock and whatever else a test has."""
    given = {
        "excitation": made("excitation", "sine", amplitude=1.0, frequency=3.0),
        "structure": made("structure", "linear", mass=2.2, damping=15.0, stiffness=2250.0),
        "integrator": made("integrator", "central_difference"),
        "compensator": made("compensator", "none"),
        "transfer": made("transfer", "dead_time", delay=0.003),
        "specimen": made("specimen", "spring", stiffness=2250.0),
        "feedback": made("feedback", "direct"),
        "tick": 1e-3,
        "duration": 0.2,
    }
    return HybridTest(**{**given, **changes})


def storeys(*interface: int, attached: str = "storey", n: int = 2) -> Any:
    """Give a shear building with actuators at these floors or storeys."""
    return made(
        "structure",
        "shear_building",
        masses=[2.2, 1.5, 1.0][:n],
        stiffnesses=[2250.0, 1500.0, 1000.0][:n],
        damping_ratios=0.05,
        interface=interface,
        attached=attached,
    )


@pytest.fixture(scope="session")
def rig() -> Callable[..., HybridTest]:
    return wallace


@pytest.fixture(scope="session")
def make() -> Callable[..., Any]:
    return made


@pytest.fixture(scope="session")
def building() -> Callable[..., Any]:
    return storeys
