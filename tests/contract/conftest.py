"""Every member of every role, with example values, and a small test to put it in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from rths.assembly.hybrid_test import HybridTest
from rths.errors import InputError
from rths.loop.cycle import Cycle, Engine
from rths.loop.layout import Layout
from rths.registry import ROLES, find, kinds

TICK = 1e-3


@dataclass(frozen=True)
class Member:
    """A role and a kind of it."""

    role: str
    kind: str

    def __str__(self) -> str:
        return f"{self.role}.{self.kind}"

    @property
    def silent(self) -> bool:
        """Whether nothing comes out of it when nothing goes in."""
        return bool(getattr(self.cls, "silent", True))

    @property
    def cls(self) -> Any:
        """The class behind the kind."""
        try:
            return find(self.role, self.kind)
        except KeyError:
            pytest.fail(f"src/rths/{self.role}/{self.kind}.py registers no class of its own name")

    def example(self) -> Any:
        """Make the member with the values that its class gives as an example."""
        given = vars(self.cls).get("example")
        if given is None:
            pytest.fail(f"{self} has no example: its class needs example = {{field: value, ...}}")
        try:
            return self.cls(**given)
        except InputError as error:
            pytest.fail(f"{self} refuses its own example: {error}")


HOST = {
    "excitation": lambda: find("excitation", "sine")(amplitude=1.0, frequency=3.0),
    "structure": lambda: find("structure", "linear")(mass=2.2, damping=15.0, stiffness=2250.0),
    "integrator": lambda: find("integrator", "central_difference")(),
    "compensator": lambda: find("compensator", "none")(),
    "transfer": lambda: find("transfer", "dead_time")(delay=0.003),
    "specimen": lambda: find("specimen", "spring")(stiffness=2250.0),
    "feedback": lambda: find("feedback", "direct")(),
}
"""The test around a member: the Wallace rig, with a sine that starts at once."""


def composed(*members: Any, **given: Any) -> HybridTest:
    """Put descriptions into the host, each in its role."""
    roles = {role: make() for role, make in HOST.items()}
    roles |= {m.role: m for m in members}
    return HybridTest(**{"tick": TICK, "duration": 0.3, **roles, **given})


def ran(test: HybridTest, engine: Engine, ticks: int | None = None) -> tuple[np.ndarray, Cycle]:
    """Run a test; give the rows that are whole, and the cycle as it stands then."""
    cycle = test.cycle(engine)
    rows = np.empty((ticks or test.clock.ticks, len(test.layout.record_slots)))
    return rows[: cycle.advance(len(rows), rows)], cycle


def state(layout: Layout, arena: np.ndarray) -> np.ndarray:
    """Give bus, states and parameters out of an arena; gathered inputs are scratch."""
    kept = [arena[: layout.bus], *(arena[a.x : a.u] for a in layout.places)]
    return np.concatenate(kept)


def differs(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Tell where two arrays differ in a bit; one NaN is as good as another."""
    assert a.shape == b.shape
    bits = np.ascontiguousarray(a).view(np.int64) != np.ascontiguousarray(b).view(np.int64)
    return bits & ~(np.isnan(a) & np.isnan(b))


def assert_same_run(test: HybridTest, one: Engine, other: Engine, ticks: int | None = None) -> None:
    """Two loops give the same record, the same end and the same state, to the last bit."""
    (rows, cycle), (rows_too, cycle_too) = ran(test, one, ticks), ran(test, other, ticks)
    assert str(cycle.stop) == str(cycle_too.stop)  # as words: one NaN is not another
    assert len(rows) == len(rows_too)
    where = np.argwhere(differs(rows, rows_too))
    if where.size:
        tick, column = where[0]
        name = test.layout.slot_name(int(test.layout.record_slots[column]))
        values = rows[tick, column], rows_too[tick, column]
        pytest.fail(
            f"{name} differs first, at tick {tick}: {one} {values[0]!r}, {other} {values[1]!r}"
        )
    a, b = state(test.layout, cycle.arena), state(test.layout, cycle_too.arena)
    assert not differs(a, b).any(), "the records are the same, but not the states at the end"


ALL = [Member(role, kind) for role in ROLES for kind in kinds(role)]


CHOSEN = {
    "member": ALL,
    "moved": [m for m in ALL if m.role != "excitation"],
    "silent": [m for m in ALL if m.role != "excitation" and m.silent],
}
"""Members by the argument of a test: all, those that something else moves, those then at rest."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    for name in CHOSEN.keys() & metafunc.fixturenames:
        metafunc.parametrize(name, CHOSEN[name], ids=str)


@pytest.fixture(scope="session")
def members() -> list[Member]:
    return ALL


@pytest.fixture(scope="session")
def compose() -> Callable[..., HybridTest]:
    return composed


@pytest.fixture(scope="session")
def run() -> Callable[..., tuple[np.ndarray, Cycle]]:
    return ran


@pytest.fixture(scope="session")
def check_same_run() -> Callable[..., None]:
    return assert_same_run


@pytest.fixture(scope="session")
def different() -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    return differs
