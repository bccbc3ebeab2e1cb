"""A small hybrid test with an ideal actuator, its exact solution, and a way to run any block."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy.linalg import expm

from rths.assembly.hybrid_test import EVERYTHING, HybridTest
from rths.loop.block import Vector
from rths.registry import find

DRIVES = {
    "sine": find("excitation", "sine")(amplitude=40.0, frequency=1.1, phase=0.7, acting="force"),
    "free": find("excitation", "free_vibration")(displacement=0.02, velocity=-0.1),
}
STRUCTURES = {
    1: find("structure", "linear")(mass=2.0, damping=1.6, stiffness=300.0),
    3: find("structure", "shear_building")(
        masses=(2.0, 1.5, 1.0), stiffnesses=(900.0, 700.0, 500.0), damping_ratios=0.03
    ),
}
SPECIMEN = 400.0  # N/m


def _integrator(kind: str, known: bool = False, **fields: object) -> object:
    told = {"interface_stiffness": SPECIMEN} if known else {}
    return find("integrator", kind)(**told, **fields)


@pytest.fixture(scope="session")
def small_test() -> Callable[..., HybridTest]:
    """Make a test of one or three masses with a spring at the first, step dt."""

    def make(kind: str, dt: float, masses: int = 1, known: bool = False, **given: object):
        drive, duration = given.pop("drive", "sine"), given.pop("duration", 2.0)
        structure = given.pop("structure", STRUCTURES[masses])
        integrator = _integrator(kind, known, **given)
        return HybridTest(
            excitation=DRIVES[drive],
            structure=structure,
            integrator=integrator,
            compensator=find("compensator", "none")(),
            transfer=find("transfer", "dead_time")(delay=0.0),
            specimen=find("specimen", "spring")(stiffness=SPECIMEN),
            feedback=find("feedback", "direct")(),
            tick=dt / integrator.stages,
            duration=duration,
            record=(*EVERYTHING, "structure.next_velocity") if drive == "sine" else None,
        )

    return make


@pytest.fixture(scope="session")
def run() -> Callable[..., dict[str, Vector]]:
    """Run a test to its end and give its signals by name, rows in time."""

    def go(test: HybridTest, engine: str = "table") -> dict[str, Vector]:
        cycle, layout = test.cycle(engine), test.layout
        record = np.empty((test.clock.ticks, len(layout.record_slots)))
        assert cycle.advance(len(record), record) == len(record), cycle.stop
        widths = [layout.signals[name].width for name in layout.recorded]
        parts = np.split(record, np.cumsum(widths)[:-1], axis=1)
        found = dict(zip(layout.recorded, parts, strict=True))
        return {**found, "time": np.arange(len(record)) * test.tick}

    return go


@pytest.fixture(scope="session")
def exact_solution() -> Callable[[HybridTest, Vector], Vector]:
    """Solve structure and spring together; the sine is a pair of states of its own."""

    def solve(test: HybridTest, times: Vector) -> Vector:
        e, n = test.equation, test.equation.size
        A = np.zeros((2 * n + 2, 2 * n + 2))
        A[:n, n : 2 * n] = np.eye(n)
        A[n : 2 * n, :n] = -np.linalg.solve(e.M, e.K + SPECIMEN * e.L.T @ e.L)
        A[n : 2 * n, n : 2 * n] = -np.linalg.solve(e.M, e.C)
        s = np.concatenate([e.displacement, e.velocity, [0.0, 0.0]])
        if test.excitation.kind == "sine":
            w, phase = 2 * np.pi * test.excitation.frequency, test.excitation.phase
            A[n : 2 * n, 2 * n] = np.linalg.solve(e.M, e.B[:, 0])
            A[2 * n, 2 * n + 1], A[2 * n + 1, 2 * n] = w, -w
            s[2 * n :] = test.excitation.amplitude * np.array([np.sin(phase), np.cos(phase)])
        step = expm(A * (times[1] - times[0]))
        rows = [s]
        for _ in times[1:]:
            rows.append(step @ rows[-1])
        return np.array(rows)[:, : 2 * n]

    return solve
