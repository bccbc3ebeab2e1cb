from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from rths.assembly.hybrid_test import HybridTest
from rths.compensator.hermite import Hermite
from rths.compensator.upper_bound_delay import UpperBoundDelay
from rths.errors import InputError
from rths.excitation.sine import Sine
from rths.feedback.direct import Direct
from rths.integrator.central_difference import CentralDifference
from rths.integrator.lsrt2 import Lsrt2
from rths.run.virtual import simulate
from rths.specimen.spring import Spring
from rths.structure.linear import Linear
from rths.transfer.dead_time import DeadTime

DT = 0.01


def loop(compensator, integrator=None, ticks=10, **given):
    values = {
        "excitation": Sine(acting="force", amplitude=1.0, frequency=1.3),
        "structure": Linear(mass=1.0, damping=0.4, stiffness=100.0),
        "integrator": integrator or Lsrt2(interface_stiffness=100.0),
        "compensator": compensator,
        "transfer": DeadTime(delay=DT),
        "specimen": Spring(stiffness=100.0),
        "feedback": Direct(),
        "tick": DT / ticks,
        "step": DT,
        "duration": 2.0,
        "record": ("compensator.command", "integrator.response", "structure.velocity"),
    }
    return HybridTest(**values | given)


@pytest.mark.parametrize("ticks", [2, 10])
@pytest.mark.parametrize("order", [2, 3])
def test_the_command_runs_straight_between_predictions_from_whole_steps(ticks, order):
    """Convention U-J: x'_i+3 from y_i+1 and y_i, reached at t_i+1.5; eta = 2."""
    predictor = {"kind": "hermite", "order": order}
    record = simulate(loop(UpperBoundDelay(delay=1.5 * DT, predictor=predictor), ticks=ticks))
    x = record["integrator.response"][::2, 1]  # displacement at whole steps: every other stage
    v = record["structure.velocity"][::2, 0]
    if order == 2:
        ahead = -3 * x[1:] + 4 * x[:-1] + 6 * DT * v[1:]
    else:
        ahead = (1 - 12 - 16) * x[1:] + 28 * x[:-1] + DT * (18 * v[1:] + 12 * v[:-1])
    command = record["compensator.command"][:, 0]
    nodes = command[3 * ticks // 2 :: ticks]  # t = 1.5 dt, 2.5 dt, ...
    n = min(len(nodes), len(ahead))
    assert_allclose(nodes[:n], ahead[:n], atol=1e-12)
    between = command[ticks // 2 : ticks // 2 + ticks * (n - 1) + 1]
    times = np.arange(len(between)) / ticks
    assert_allclose(between, np.interp(times, np.arange(n), [0.0, *ahead[: n - 1]]), atol=1e-12)


def test_with_one_stage_a_step_it_is_the_predictor_with_the_upper_bound():
    one = CentralDifference()
    over = loop(UpperBoundDelay(delay=2.3 * DT), one)
    plain = loop(Hermite(delay=2.3 * DT, order=2), one)
    assert_array_equal(simulate(over).rows, simulate(plain).rows)


def test_any_predictor_from_points_will_do():
    for predictor in ({"kind": "polynomial", "order": 2}, {"kind": "linear_acceleration"}):
        record = simulate(loop(UpperBoundDelay(delay=1.5 * DT, predictor=predictor)))
        assert record.stop.reason == "completed"
        assert np.abs(record["compensator.command"]).max() > 0


def test_all_loops_agree_bit_for_bit():
    test = loop(UpperBoundDelay(delay=1.5 * DT), ticks=4, duration=0.3)
    rows = [simulate(test, engine).rows for engine in ("interpreted", "table", "fused")]
    assert_array_equal(rows[0], rows[1])
    assert_array_equal(rows[0], rows[2])


def test_a_predictor_with_a_model_is_refused():
    model = {"kind": "model_based", "interface_stiffness": 1.0}
    with pytest.raises(InputError, match=r"predictor.*targets alone"):
        UpperBoundDelay(delay=0.02, predictor=model)
