"""Whatever is put together, the loops agree to the last bit: record, end, and state at the end."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st

from rths.assembly.hybrid_test import CHANNEL_ROLES, HybridTest
from rths.errors import InputError
from rths.registry import find

RAMPS = ("linear", "hold", "quadratic", "cubic")


def storeys(n: int, **given: Any) -> Any:
    made = {"masses": [2.2, 1.5, 1.0][:n], "stiffnesses": [2250.0, 1500.0, 1000.0][:n]}
    return find("structure", "shear_building")(**made, damping_ratios=0.05, **given)


def one_mass() -> Any:
    return find("structure", "linear")(mass=2.2, damping=15.0, stiffness=2250.0)


@dataclass
class Composition:
    """A composition of which one loop is compiled, and the values that may change in it."""

    structure: Any
    roles: dict[str, Any]
    clock: dict[str, Any] = field(default_factory=dict)
    ranges: dict[str, tuple[float, float]] = field(default_factory=dict)

    def test(self, values: dict[str, Any]) -> HybridTest:
        roles = {
            role: tuple(_made(role, g) for g in given)
            if isinstance(given, list)
            else _made(role, given)
            for role, given in self.roles.items()
        }
        base = {
            "compensator": find("compensator", "none")(),
            "feedback": find("feedback", "direct")(),
        }
        clock = {"tick": 1e-3, "duration": 0.3, **self.clock}
        return HybridTest(structure=self.structure, **{**base, **roles}, **clock).with_values(
            values
        )


def _made(role: str, given: tuple[Any, ...]) -> Any:
    kind, *fields = given
    return find(role, kind)(**(fields[0] if fields else {}))


SPRING = ("spring", {"stiffness": 2250.0})
DELAY = ("dead_time", {"delay": 0.003})
POOL = {
    "one mass, held": Composition(
        one_mass(),
        {
            "excitation": ("sine", {"amplitude": 5.0, "frequency": 3.0}),
            "integrator": ("central_difference",),
            "transfer": DELAY,
            "specimen": SPRING,
        },
        {"step": 4e-3, "ramp": "hold"},
        {
            "transfer.delay": (0, 0.06),
            "specimen.stiffness": (0, 1e4),
            "excitation.frequency": (0.5, 9),
        },
    ),
    "two actuators": Composition(
        storeys(2, interface=(0, 1), attached="storey"),
        {
            "excitation": ("free_vibration", {"displacement": 0.01}),
            "integrator": ("explicit_newmark",),
            "compensator": [("polynomial", {"delay": 0.006}), ("none",)],
            "transfer": [
                ("second_order", {"frequency": 31.0, "damping": 0.8, "delay": 0.004}),
                DELAY,
            ],
            "specimen": ("bilinear", {"stiffness": 2250.0, "yield_displacement": 2e-3}),
        },
        {"step": 3e-3, "ramp": "quadratic"},
        {
            "excitation.displacement": (-0.1, 0.1),
            "compensator.0.delay": (0, 0.009),
            "transfer.0.damping": (0.1, 2),
            "transfer.1.delay": (0, 0.06),
            "specimen.yield_displacement": (1e-4, 1e-2),
        },
    ),
    "adaptive, with noise": Composition(
        storeys(3, interface=(2,)),
        {
            "excitation": ("ground_motion",),
            "integrator": ("cr", {"interface_stiffness": 1000.0}),
            "compensator": ("adaptive_inverse", {"alpha": 5.0, "proportional": 100.0}),
            "transfer": ("sampled_lag", {"alpha": 5.0}),
            "specimen": ("coulomb", {"friction": 1.0, "slip_displacement": 1e-3}),
            "feedback": ("noise", {"force": 0.1, "displacement": 1e-6}),
        },
        {},
        {
            "compensator.alpha": (0, 20),
            "compensator.proportional": (0, 1e6),
            "transfer.alpha": (1, 20),
            "specimen.friction": (0, 50),
            "feedback.force": (0, 1),
            "excitation.scale": (-5, 5),
        },
    ),
    "two stages": Composition(
        one_mass(),
        {
            "excitation": ("multi_sine", {"amplitudes": [3.0, 1.0], "frequencies": [2.0, 11.0]}),
            "integrator": ("lsrt2", {"interface_stiffness": 2250.0}),
            "compensator": ("hermite", {"delay": 0.006, "order": 3}),
            "transfer": ("first_order", {"time_constant": 0.006}),
            "specimen": ("spring_dashpot", {"stiffness": 2250.0, "damping": 3.0}),
        },
        {"step": 4e-3, "ramp": "cubic"},
        {
            "compensator.delay": (0, 0.05),
            "transfer.time_constant": (1e-4, 0.05),
            "specimen.damping": (0, 50),
        },
    ),
    "scaled, filtered, on ticks": Composition(
        storeys(2, interface=(1,)),
        {
            "excitation": (
                "sweep",
                {"amplitude": 3.0, "start_frequency": 1.0, "end_frequency": 20.0, "length": 0.2},
            ),
            "integrator": ("central_difference",),
            "compensator": ("forward_prediction", {"ahead": 0.004}),
            "transfer": DELAY,
            "specimen": (
                "power_law_damper",
                {"coefficient": 15.0, "exponent": 0.4, "length_scale": 2.0, "count": 3},
            ),
            "feedback": ("filter", {"edge": 60.0, "order": 4}),
        },
        {"step": 2e-3},
        {
            "compensator.ahead": (0, 0.05),
            "transfer.delay": (0, 0.06),
            "specimen.coefficient": (0, 100),
            "specimen.exponent": (0, 1),
            "specimen.length_scale": (1.5, 9),
            "feedback.edge": (5, 400),
        },
    ),
    "model-based": Composition(
        find("structure", "bilinear_building")(
            masses=(2.2, 1.5),
            stiffnesses=(2250.0, 1500.0),
            damping_ratios=0.05,
            yield_deformations=2e-3,
        ),
        {
            "excitation": ("sine", {"amplitude": 5.0, "frequency": 3.0}),
            "integrator": ("central_difference",),
            "compensator": ("model_based", {"delay": 0.008, "interface_stiffness": 2250.0}),
            "transfer": DELAY,
            "specimen": (
                "saturating_spring",
                {"stiffness": 2250.0, "saturation_displacement": 2e-3},
            ),
        },
        {"step": 4e-3},
        {
            "compensator.interface_stiffness": (0, 1e4),
            "transfer.delay": (0, 0.06),
            "specimen.saturation_displacement": (1e-4, 1e-1),
            "excitation.phase": (-3, 3),
        },
    ),
}


def portions(total: int) -> st.SearchStrategy[list[int]]:
    return st.lists(st.integers(1, total), min_size=1, max_size=3)


@pytest.mark.parametrize("composition", POOL.values(), ids=POOL.keys())
@settings(max_examples=12, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_loops_agree_for_all_values(composition, data, different):
    values: dict[str, Any] = {
        path: data.draw(st.floats(low, high), path)
        for path, (low, high) in composition.ranges.items()
    }
    bound = data.draw(st.sampled_from([1e-4, 1e-3, 1e-2, 1e9]), "limit")
    values |= {
        "seed": data.draw(st.integers(0, 9), "seed"),
        "limits": {"compensator.command": bound},
    }
    test = composition.test(values)
    parts = data.draw(portions(120), "portions")
    table = end(test, "table", parts)
    assert_alike(table, end(test, "fused", parts), different)
    few = [min(p, 40) for p in parts]
    assert_alike(end(test, "interpreted", few), end(test, "table", few), different)


def end(test: HybridTest, engine: Any, parts: list[int]) -> tuple[Any, ...]:
    """Run a test in portions; give its record, why it stopped, and its state."""
    cycle, layout = test.cycle(engine), test.layout
    rows = np.zeros((sum(parts), len(layout.record_slots)))
    done = 0
    for part in parts:
        done += cycle.advance(part, rows[done : done + part])
    kept = [cycle.arena[: layout.bus], *(cycle.arena[a.x : a.u] for a in layout.places)]
    return str(cycle.stop), rows[:done], np.concatenate(kept)


def assert_alike(one: tuple[Any, ...], other: tuple[Any, ...], different: Any) -> None:
    assert one[0] == other[0]
    assert not different(one[1], other[1]).any()
    assert not different(one[2], other[2]).any()


@settings(max_examples=60, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_table_and_interpreted_loop_agree_for_all_compositions(data, members, different):
    def drawn(role: str) -> Any:
        kind = data.draw(st.sampled_from([m.kind for m in members if m.role == role]), role)
        return next(m for m in members if (m.role, m.kind) == (role, kind)).example()

    n = data.draw(st.integers(1, 3), "degrees of freedom")
    interface = data.draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=n, unique=True))
    attached = data.draw(st.sampled_from(["floor", "storey"]), "attached")
    roles: dict[str, Any] = {"structure": storeys(n, interface=interface, attached=attached)}
    if data.draw(st.booleans(), "a structure of its own"):
        roles["structure"] = drawn("structure")
    m = len(roles["structure"].interface_rows())
    roles |= {role: drawn(role) for role in ("excitation", "integrator")}
    for role in CHANNEL_ROLES:
        each = tuple(drawn(role) for _ in range(m))
        alone = any(getattr(e, "joint", False) for e in each)
        roles[role] = each[0] if alone or data.draw(st.booleans(), "for all alike") else each
    per_step = data.draw(st.integers(1, 3), "stages") * roles["integrator"].stages
    bound = data.draw(st.sampled_from([1e-3, 1.0, 1e9]), "limit")
    try:
        test = HybridTest(
            **roles,
            tick=1e-3,
            step=per_step * 1e-3,
            duration=0.1,
            ramp=data.draw(st.sampled_from(RAMPS), "ramp"),
            limits={"compensator.command": bound, "feedback.force": 1e6 * bound},
            seed=data.draw(st.integers(0, 9), "seed"),
        )
    except InputError:  # not everything goes together; that is said in one message
        reject()
    parts = data.draw(portions(30), "portions")
    assert_alike(end(test, "interpreted", parts), end(test, "table", parts), different)
