"""Every member of every role, with example values, and a small test to put it in."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import numpy as np
import pytest

from rths.assembly.hybrid_test import HybridTest
from rths.errors import InputError
from rths.loop.cycle import Cycle, Engine
from rths.loop.layout import Layout
from rths.quantity import Range, Requirement
from rths.registry import ROLES, find, kinds

FILE = Path(__file__).with_name("examples.toml")
GIVEN = tomllib.loads(FILE.read_text(encoding="utf-8"))
TICK = 1e-3
BY_UNIT: dict[str, tuple[Any, ...]] = {
    "1": (0.5, 2.0, 3),
    "s": (0.006,),
    "Hz": (3.0, 31.24),
    "m": (0.002,),
    "m/s": (0.1,),
    "m, m/s² or N": (1.0,),
    "m/s²": (1.0,),
    "N": (2.0,),
    "N/m": (2250.0,),
    "N s/m": (15.0,),
    "N (s/m)^alpha": (15.0,),
    "kg": (2.2,),
    "SI": (2250.0,),
}
"""Values to try for a required field, by the unit that its type names."""


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
        return str(self) not in GIVEN["not_silent"]

    @property
    def cls(self) -> Any:
        """The class behind the kind."""
        try:
            return find(self.role, self.kind)
        except KeyError:
            pytest.fail(f"src/rths/{self.role}/{self.kind}.py registers no class of its own name")

    def example(self) -> Any:
        """Make the member with the values of the table, or with those that its types suggest."""
        cls = self.cls
        values = dict(GIVEN.get(self.role, {}).get(self.kind, {}))
        hints = get_type_hints(cls, include_extras=True)
        for f in fields(cls):
            default = f.default
            if hasattr(default, "is_required"):  # pydantic's Field(...)
                needed = default.is_required()
            else:
                needed = default is MISSING and f.default_factory is MISSING
            if needed and f.name not in values:
                values[f.name] = self._suggested(f.name, hints[f.name])
        try:
            return cls(**values)
        except InputError as error:
            pytest.fail(f"{self} refuses {values}: {error} Give values in {self._place}.")

    @property
    def _place(self) -> str:
        return f"tests/contract/{FILE.name}, table [{self}]"

    def _suggested(self, name: str, hint: Any) -> Any:
        if get_origin(hint) is Literal:
            return get_args(hint)[0]
        wanted = [m for m in getattr(hint, "__metadata__", ()) if isinstance(m, Requirement)]
        whole = get_args(hint)[:1] == (int,)
        for w in wanted:
            for value in BY_UNIT.get(w.unit, ()):
                if isinstance(value, int) == whole and all(
                    not isinstance(x, Range) or value in x for x in wanted
                ):
                    return value
        pytest.fail(
            f"{self} requires {name!r}, and its type suggests no value. Add it to {self._place}."
        )


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


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "member" in metafunc.fixturenames:
        metafunc.parametrize("member", ALL, ids=str)


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
def same_run() -> Callable[..., None]:
    return assert_same_run


@pytest.fixture(scope="session")
def different() -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    return differs
