"""Guards by themselves and in the Wallace rig."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rths.config.plan import load
from rths.loop.solo import respond
from rths.site import Site
from rths.studies.wallace2005.three_ways import PLAN

TICK = 1 / 1024
SAFETY: dict[str, Any] = {"rate": 0.05, "hold": 0.05, "velocity": 1.0}


@pytest.fixture
def judged() -> Callable[..., np.ndarray]:
    """Run a guard over rows of its signals; give level and value of each row."""

    def run(guard: Any, rows: Any, interval: float = TICK) -> np.ndarray:
        site = Site(tick=interval, interval=interval)
        return respond(guard.block(site), np.asarray(rows, float))

    return run


@pytest.fixture
def rig() -> Callable[..., Any]:
    """Give the Wallace rig with a safe path."""

    def make(*guards: dict[str, Any], **changes: Any) -> Any:
        given = {"clock.tick": TICK, "clock.duration": 2.0, "safety": dict(SAFETY)}
        if guards:
            given["guard"] = list(guards)
        return load(PLAN, {**given, **{k.replace("__", "."): v for k, v in changes.items()}})

    return make
