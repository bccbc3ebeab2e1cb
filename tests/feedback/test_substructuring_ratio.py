from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from rths.assembly.hybrid_test import HybridTest
from rths.compensator.none import NoCompensation
from rths.errors import InputError
from rths.excitation.sine import Sine
from rths.feedback.substructuring_ratio import SubstructuringRatio
from rths.integrator.central_difference import CentralDifference
from rths.run.virtual import simulate
from rths.specimen.bilinear import Bilinear
from rths.structure.linear import Linear
from rths.transfer.dead_time import DeadTime

H = 1e-3
LAW = {"stiffness": 900.0, "yield_displacement": 2e-3, "hardening": 0.1}
ESTIMATE = {"kind": "bilinear", **LAW}


def loop(feedback, **given):
    values = {
        "excitation": Sine(amplitude=3.0, frequency=3.0),
        "structure": Linear(mass=2.0, damping=9.0, stiffness=900.0),
        "integrator": CentralDifference(),
        "compensator": NoCompensation(),
        "transfer": DeadTime(delay=5 * H),
        "specimen": Bilinear(**LAW),
        "feedback": feedback,
        "tick": H,
        "duration": 2.0,
    }
    return HybridTest(**values | given)


def ratio(**given):
    return SubstructuringRatio(estimate=ESTIMATE, **given)


def test_without_a_measured_share_the_test_is_the_emulated_one_whatever_the_delay():
    test = loop(ratio(ratio=0.0))
    assert_array_equal(
        simulate(test)["structure.displacement"],
        simulate(test.reference_test())["structure.displacement"],
    )


def test_with_the_measured_share_alone_the_estimate_does_nothing():
    weak = SubstructuringRatio(estimate={"kind": "spring", "stiffness": 1.0}, ratio=1.0)
    record = simulate(loop(weak))
    assert_array_equal(record["feedback.force"], record["specimen.force"])


def test_the_force_is_the_blend():
    record = simulate(loop(ratio(ratio=0.3)))
    assert_allclose(
        record["feedback.force"],
        0.3 * record["specimen.force"] + record["feedback.computed_share_a"],
        atol=1e-12,
    )
    assert_array_equal(record["feedback.substructuring_ratio_a"], 0.3)


def test_an_estimate_of_the_prototype_may_be_scaled_as_its_specimen_is():
    scales = {"force_scale": 88.0, "length_scale": 2.0, "count": 3}
    small = {**LAW, "stiffness": 900.0 / (88 * 3 / 2), "yield_displacement": 1e-3}
    test = loop(SubstructuringRatio(estimate={"kind": "bilinear", **small, **scales}, ratio=0.0))
    exact = simulate(test.reference_test())["structure.displacement"]
    assert_allclose(simulate(test)["structure.displacement"], exact, atol=1e-12)


def test_a_ramp_runs_straight_from_its_start_to_its_end():
    given = {"change": "ramp", "initial_ratio": 0.2, "ratio": 0.8}
    record = simulate(loop(ratio(**given, ramp_start=0.5, ramp_duration=1.0)))
    t = H * np.arange(2001)
    expected = np.interp(t, [0.5, 1.5], [0.2, 0.8])
    assert_allclose(record["feedback.substructuring_ratio_a"][:, 0], expected, atol=1e-12)
    jump = simulate(loop(ratio(**given, ramp_start=0.5)))["feedback.substructuring_ratio_a"]
    assert_array_equal(jump[:, 0], np.where(t >= 0.5, 0.8, 0.2))


def operated(engine):
    """Run in portions of five ticks; between them the operator writes the ratio."""
    test = loop(ratio(change="operator", ratio=0.1))
    cycle, rows = test.cycle(engine), np.empty((20, len(test.layout.record_slots)))
    slot = test.layout.signals["operator.substructuring_ratio"].first
    for k, written in enumerate((0.1, 0.6, 7.0, -1.0)):
        cycle.arena[slot] = written
        cycle.advance(5, rows[5 * k : 5 * k + 5])
    return rows, test.layout.recorded.index("feedback.substructuring_ratio_a")


@pytest.mark.parametrize("engine", ["table", "fused"])
def test_the_operator_writes_it_while_the_test_runs_and_all_loops_agree(engine):
    rows, column = operated(engine)
    assert_array_equal(rows[:, column], np.repeat([0.1, 0.6, 1.0, 0.0], 5))  # 7 and -1: no ratios
    assert_array_equal(rows, operated("interpreted")[0])


def test_an_estimate_without_a_kind_is_refused():
    with pytest.raises(InputError, match=r"estimate.*no kind"):
        SubstructuringRatio(estimate={"stiffness": 1.0})
