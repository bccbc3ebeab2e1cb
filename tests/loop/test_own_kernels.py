"""A kernel of the user's that reaches beyond its arrays is refused before it runs compiled."""

from __future__ import annotations

from typing import Any

import pytest

from rths.assembly.hybrid_test import HybridTest
from rths.errors import InputError
from rths.loop.block import Block, kernel
from rths.registry import find
from rths.run.ensemble import ensemble
from rths.run.virtual import simulate
from rths.stability.certificate import certify
from rths.transfer.base import Transfer, describe
from rths.transfer.limited import step as limited


@kernel
def greedy(x, p, u, y):
    x[int(p[0])] = u[0]
    y[0] = u[0]


@describe
class Greedy(Transfer):
    """An actuator with one state that writes another, if it is told to."""

    kind = "test_own_kernels:Greedy"

    place: int = 1
    """State that it writes."""
    states: int = 1
    """States that it has."""

    def block(self, site):
        return Block(greedy, [float(self.place)], self.states)


@describe
class Wrapped(Greedy):
    """The same inside a block of the package."""

    kind = "test_own_kernels:Wrapped"

    def block(self, site):
        inside = super().block(site)
        for _ in range(2):
            inside = Block.around(around, [1.0], [0.0], {"inside": inside})
        return inside


@kernel
def inside(x, p, u, y):
    """Stand for the block inside."""


def around_function(x, p, u, y):
    inside(x[1:], p[1:], u, y)


around_function.__module__ = limited.function.__module__  # as if it were ours
around = kernel(around_function)


def plan(**given: Any) -> HybridTest:
    parts = {
        "excitation": find("excitation", "sine")(amplitude=1.0, frequency=3.0),
        "structure": find("structure", "linear")(mass=2.2, damping=15.0, stiffness=2250.0),
        "integrator": find("integrator", "central_difference")(),
        "compensator": find("compensator", "none")(),
        "transfer": Greedy(),
        "specimen": find("specimen", "spring")(stiffness=100.0),
        "feedback": find("feedback", "direct")(),
        "tick": 1e-3,
        "duration": 0.1,
    }
    return HybridTest(**{**parts, **given})


RUNS = {
    "a rehearsal": simulate,
    "an ensemble": lambda test: ensemble(test, {"specimen.stiffness": [100.0, 200.0]}),
    "a certificate": certify,
    "a live test": lambda test: test.cycle("table", live=True),
}


@pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)
def test_no_compiled_loop_runs_it(run):
    with pytest.raises(InputError, match="reaches beyond its arrays") as error:
        run(plan())
    assert "test_own_kernels.py:" in str(error.value.value)


def test_it_is_found_inside_of_our_blocks():
    with pytest.raises(InputError, match="reaches beyond its arrays"):
        simulate(plan(transfer=Wrapped()))


def test_one_that_fitted_is_looked_at_again_with_fewer_states_or_other_parameters():
    assert simulate(plan(transfer=Greedy(place=1, states=2))).stop.completed
    for less in (Greedy(place=1, states=1), Greedy(place=2, states=2)):
        with pytest.raises(InputError, match="reaches beyond its arrays"):
            simulate(plan(transfer=less))


def test_the_look_at_a_live_test_asks_no_rig():
    link = find("hardware", "udp")(port=9)
    fits = Greedy(place=0)
    assert plan(transfer=fits, hardware=link).cycle("table", live=True).done == 0
    with pytest.raises(InputError, match="reaches beyond its arrays"):
        plan(compensator=Leading(), hardware=link).cycle("table", live=True)


@kernel
def leading(x, p, u, y):
    y[0] = u[1]


@describe
class Leading(find("compensator", "none")):
    """A compensator that reads an input it has not asked for."""

    kind = "test_own_kernels:Leading"

    def block(self, site):
        return Block(leading)
