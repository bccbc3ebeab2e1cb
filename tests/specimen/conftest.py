"""A loop around one specimen, for tests of what a specimen does to a loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from rths.assembly.hybrid_test import HybridTest
from rths.compensator.none import NoCompensation
from rths.excitation.free_vibration import FreeVibration
from rths.feedback.direct import Direct
from rths.integrator.explicit_newmark import ExplicitNewmark
from rths.structure.linear import Linear
from rths.transfer.dead_time import DeadTime

Run = Callable[..., dict[str, NDArray[np.float64]]]


@pytest.fixture
def free_response() -> Run:
    """Run a structure of one degree of freedom with a specimen behind a dead time, let go."""

    def run(specimen: Any, mass: float, damping: float, stiffness: float, **given: Any) -> Any:
        names = ("structure.displacement", "structure.velocity", "feedback.force")
        test = HybridTest(
            excitation=FreeVibration(displacement=given.get("start", 0.0)),
            structure=Linear(mass=mass, damping=damping, stiffness=stiffness),
            integrator=ExplicitNewmark(),
            compensator=NoCompensation(),
            transfer=DeadTime(delay=given.get("delay", 0.0)),
            specimen=specimen,
            feedback=Direct(),
            tick=given["tick"],
            duration=given["duration"],
            record=names,
        )
        rows = np.empty((test.clock.ticks, 3))
        done = test.cycle().advance(len(rows), rows)
        return {n.partition(".")[2]: rows[:done, i] for i, n in enumerate(names)}

    return run
