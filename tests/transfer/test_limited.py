from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from rths.assembly.hybrid_test import HybridTest
from rths.compensator.none import NoCompensation
from rths.errors import InputError
from rths.excitation.sine import Sine
from rths.feedback.direct import Direct
from rths.integrator.central_difference import CentralDifference
from rths.loop.solo import respond
from rths.site import Site
from rths.specimen.spring import Spring
from rths.structure.linear import Linear
from rths.transfer.limited import Limited
from rths.transfer.second_order import SecondOrder

H = 1 / 1024
SITE = Site(tick=H, interval=H)
IDEAL = {"kind": "dead_time", "delay": 0.0}
RIG = {"kind": "second_order", "frequency": 31.24, "damping": 0.765, "delay": 4.262e-3}
SINE = 0.02 * np.sin(2 * np.pi * 2 * np.arange(2048) * H)


def moved(transfer, command, force=0.0):
    rows = np.column_stack([command, np.broadcast_to(force, command.shape)])
    return respond(transfer.block(SITE), rows)[:, 0]


def test_without_limits_it_is_the_actuator_inside():
    rig = SecondOrder(**{k: v for k, v in RIG.items() if k != "kind"}).block(SITE)
    assert_allclose(moved(Limited(actuator=RIG), SINE), respond(rig, SINE)[:, 0], atol=1e-16)


def test_limits_that_are_not_reached_change_nothing():
    wide = Limited(actuator=RIG, stroke=0.03, velocity=0.3, force=1e6)
    assert_allclose(moved(wide, SINE, 10.0), moved(Limited(actuator=RIG), SINE), atol=1e-16)


@pytest.mark.parametrize("inside", [IDEAL, RIG])
def test_stroke_and_velocity_are_never_passed(inside):
    x = moved(Limited(actuator=inside, stroke=0.015, velocity=0.2), SINE)
    assert_allclose(np.abs(x).max(), 0.015, rtol=1e-12)
    assert_allclose(np.abs(np.diff(x)).max() / H, 0.2, rtol=1e-9)


def test_a_saturated_actuator_catches_up_at_full_speed():
    t = np.arange(1024) * H
    x = moved(Limited(actuator=IDEAL, velocity=0.1), np.full(t.size, 0.02))
    assert_allclose(x, np.minimum(0.1 * (t + H), 0.02), rtol=1e-12)


@pytest.mark.parametrize(("load", "ahead", "back"), [(0.75, 0.5, 7**0.5 / 2), (1.2, 0.0, 2.2**0.5)])
def test_a_load_slows_one_way_and_speeds_up_the_other(load, ahead, back):  # (2)
    transfer = Limited(actuator=IDEAL, velocity=0.1, force=1000.0)
    for sign, speed in ((1, ahead), (-1, back)):
        x = moved(transfer, np.full(50, 1.0 * sign), 1000.0 * load)
        assert_allclose(np.diff(x) / H, sign * 0.1 * speed, rtol=1e-9)


@pytest.mark.parametrize("count", [1, 4])
def test_the_actuator_feels_its_own_specimen_and_not_what_that_stands_for(count):
    test = HybridTest(
        excitation=Sine(amplitude=40.0, frequency=0.5, acting="force"),
        structure=Linear(mass=1.0, damping=20.0, stiffness=1000.0),
        integrator=CentralDifference(),
        compensator=NoCompensation(),
        transfer=Limited(actuator=IDEAL, velocity=1.0, force=5.0),
        specimen=Spring(stiffness=1000.0, count=count),
        feedback=Direct(),
        tick=1e-3,
        duration=2.0,
        record=("transfer.displacement", "specimen.force"),
    )
    record = np.empty((test.clock.ticks, 2))
    test.cycle("table").advance(len(record), record)
    assert_allclose(record[:, 0].max(), 5e-3, rtol=0.01)  # stalled: 5 N on 1000 N/m
    assert_allclose(record[:, 1].max(), count * 5.0, rtol=0.01)


def test_a_force_limit_without_a_velocity_is_refused():
    with pytest.raises(InputError, match=r"transfer\.force.*velocity"):
        Limited(actuator=IDEAL, force=1000.0)


def test_an_actuator_without_a_kind_or_of_an_unknown_kind_is_refused():
    with pytest.raises(InputError, match=r"transfer\.actuator.*no kind"):
        Limited(actuator={"delay": 0.01})
    with pytest.raises(InputError, match=r"transfer\.actuator\.kind.*Did you mean 'dead_time'"):
        Limited(actuator={"kind": "deadtime", "delay": 0.01})
    with pytest.raises(InputError, match=r"transfer\.actuator\.delay"):
        Limited(actuator={"kind": "dead_time", "delay": -1.0})


@pytest.mark.parametrize("engine", ["table", "fused"])
def test_all_loops_agree_bit_for_bit(engine):
    transfer = Limited(actuator=RIG, stroke=0.015, velocity=0.2, force=1e3)
    rows = np.column_stack([SINE, 5e4 * SINE])
    compiled = respond(transfer.block(SITE), rows, engine)
    assert_array_equal(compiled, respond(transfer.block(SITE), rows, "interpreted"))
