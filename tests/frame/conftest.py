"""What tests of frames share: OpenSees beside them, and histories to put both through."""

from __future__ import annotations

import numpy as np
import pytest


@pytest.fixture
def opensees():
    """OpenSees with an empty planar model; the test is skipped where it is not installed."""
    try:
        import openseespy.opensees as ops
    except Exception as error:  # it raises RuntimeError where a library of the system is missing
        pytest.skip(f"openseespy is not installed here ({type(error).__name__})")
    ops.wipe()
    ops.model("basic", "-ndm", 2, "-ndf", 3)
    yield ops
    ops.wipe()


def random_history(seed, steps=300):
    """A smooth cyclic path of growing reach, at most 1, with reversals of every size."""
    rng = np.random.default_rng(seed)
    turns = rng.uniform(-1, 1, 12) * np.linspace(0.1, 1, 12)
    at = np.sort(rng.choice(np.arange(1, steps), 12, replace=False))
    return np.interp(np.arange(1, steps + 1), [0, *at], [0.0, *turns])


@pytest.fixture(scope="session")
def history():
    return random_history
