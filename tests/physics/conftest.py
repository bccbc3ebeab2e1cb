"""The rigs of two papers as hybrid tests, let go from a displacement."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rths.assembly.hybrid_test import HybridTest
from rths.metrics.growth_rate import growth_rate
from rths.registry import find
from rths.run.virtual import simulate


def made(role: str, kind: str, **fields: Any) -> Any:
    return find(role, kind)(**fields)


def let_go(structure: Any, specimen: float, displacement: float, **given: Any) -> HybridTest:
    """A structure with a spring behind an actuator, released from a displacement."""
    rest = {
        "excitation": made("excitation", "free_vibration", displacement=displacement),
        "integrator": made("integrator", "central_difference"),
        "compensator": made("compensator", "none"),
        "feedback": made("feedback", "direct"),
        "record": ("integrator.target",),
    }
    spring = made("specimen", "spring", stiffness=specimen)
    return HybridTest(structure=structure, specimen=spring, **{**rest, **given})


def rate_of(test: HybridTest, start: float = 0.0) -> float:
    """Growth rate of the free response at the steps from ``start`` on, 1/s."""
    record = simulate(test)
    if not record.stop.completed:
        return np.inf
    x = record["integrator.target"][:: test.clock.stage_ticks, 0]
    return growth_rate(x[round(start / test.clock.step) :], test.clock.step).rate


@pytest.fixture(scope="session")
def make() -> Callable[..., Any]:
    return made


@pytest.fixture(scope="session")
def released() -> Callable[..., HybridTest]:
    return let_go


@pytest.fixture(scope="session")
def rate() -> Callable[..., float]:
    return rate_of
