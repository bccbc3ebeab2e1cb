from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from rths.loop.solo import respond
from rths.site import Site
from rths.transfer.backlash import Backlash
from rths.transfer.dead_time import DeadTime

H = 1 / 1024
SITE = Site(tick=H, interval=H)
IDEAL = {"kind": "dead_time", "delay": 0.0}
T = np.arange(4096) * H
A, G = 5e-3, 2e-3


def moved(command, gap=G, actuator=IDEAL, engine="table"):
    return respond(Backlash(gap=gap, actuator=actuator).block(SITE), command, engine)[:, 0]


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=60), st.floats(1e-3, 1))
def test_the_specimen_is_never_further_off_than_half_the_gap_and_moves_only_at_its_ends(u, gap):
    a = np.array(u)
    x = moved(a, gap, engine="interpreted")
    assert np.all(np.abs(a - x) <= gap / 2 * (1 + 1e-12))
    moves = np.diff(x, prepend=0.0) != 0
    assert_allclose(np.abs(a - x)[moves], gap / 2, rtol=1e-9)


def test_a_sine_loses_half_a_gap_and_encloses_the_area_of_a_parallelogram():
    a = A * np.sin(2 * np.pi * T)
    x = moved(a)
    assert_allclose(np.abs(x[1024:]).max(), A - G / 2, rtol=1e-5)
    area = abs(np.trapezoid(x[1024:2049], a[1024:2049]))
    assert_allclose(area, 2 * G * (A - G / 2), rtol=1e-3)  # width g, height 2 (A - g/2)


def test_a_motion_inside_the_gap_does_not_arrive():
    assert_array_equal(moved(0.99 * G / 2 * np.sin(20 * T)), 0.0)


def test_it_acts_behind_the_actuator_and_may_stand_around_a_limited_one():
    late = {"kind": "dead_time", "delay": 10 * H}
    u = A * np.sin(2 * np.pi * T)
    a = respond(DeadTime(delay=10 * H).block(SITE), u)[:, 0]
    assert_array_equal(moved(u, actuator=late), moved(a))
    limited = Backlash(gap=G, actuator={"kind": "limited", "stroke": 2e-3, "actuator": late})
    assert limited.inputs == ("compensator.command", "specimen.force")
    x = respond(limited.block(SITE), np.column_stack([u, 0 * u]))
    assert_allclose(np.abs(x).max(), 2e-3 - G / 2, rtol=1e-12)


def test_all_loops_agree_bit_for_bit():
    u = A * np.sin(2 * np.pi * T[:500])
    assert_array_equal(moved(u, engine="table"), moved(u, engine="interpreted"))
    assert_array_equal(moved(u, engine="fused"), moved(u, engine="interpreted"))
