from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.loop.block import Block
from rths.loop.cycle import Cycle
from rths.loop.layout import Layout
from rths.loop.solo import play
from rths.loop.wiring import Wiring
from rths.site import Site
from rths.specimen.spring import Spring
from rths.specimen.spring_dashpot import SpringDashpot
from rths.transfer.servo_hydraulic import ServoHydraulic

H = 1 / 1024
LARGE = ServoHydraulic(  # a 1700 kN actuator of 1 m stroke with two valves of 2500 l/min
    proportional=30.0,
    flow=0.0833,
    area=0.082,
    volume=0.082,
    mass=1000.0,
    damping=5e4,
    leakage=1e-10,
    valve_lag=3e-3,
)
SMALL = ServoHydraulic(  # a 25 kN actuator of 0.25 m stroke
    proportional=40.0,
    flow=1e-3,
    area=1.2e-3,
    volume=3e-4,
    mass=30.0,
    damping=500.0,
    leakage=1e-12,
    valve_lag=2e-3,
)


def moved(actuator, specimen, command, h=H):
    """Displacement and force of an actuator with its specimen under a given command."""
    w, site = Wiring(), Site(tick=h, interval=h)
    for name in ("command", "displacement", "force"):
        w.signal(name)
    w.place("play", Block(play, command, 1, counters=(0,)), [], "command")
    w.place("actuator", actuator.block(site), ["command", "force"], "displacement")
    w.place("specimen", specimen.block(site), ["displacement"], "force")
    record = np.empty((len(command), 2))
    Cycle(Layout.of(w, ["displacement", "force"]), h, "table").advance(len(command), record)
    return record.T


def response(actuator, specimen, f, h, amplitude=1e-5):
    angle = 2 * np.pi * f * np.arange(round((4 + 10 / f) / h)) * h
    x, _ = moved(actuator, specimen, amplitude * np.sin(angle), h)
    late = angle.size // 2
    basis = np.column_stack([np.sin(angle), np.cos(angle)])[late:]
    return complex(*np.linalg.lstsq(basis, x[late:] / amplitude, rcond=None)[0])


def closed_form(a, k, f):  # (5)
    s = 2j * np.pi * f
    loop = a.proportional * a.flow * a.area
    oil = a.volume * s / (4 * a.bulk_modulus) + a.leakage
    inner = (a.mass * s**2 + a.damping * s + k) * oil + a.area**2 * s
    return loop / (loop + (a.valve_lag * s + 1) * inner)


@pytest.mark.parametrize("k", [0.0, 1e6, 2e7])
@pytest.mark.parametrize("f", [0.5, 5.0, 20.0])
def test_small_motions_follow_equation_5_with_the_specimen_in_its_poles(k, f):
    actuator = replace(LARGE, specimen_stiffness=k)
    got = response(actuator, Spring(stiffness=k), f, H)
    assert_allclose(got, closed_form(LARGE, k, f), rtol=1e-4 * max(1, f / 5) ** 2 + 1e-4)


@pytest.mark.parametrize("f", [10.0, 20.0])
def test_a_dashpot_counts_once_in_the_poles(f):
    c, h = 4e5, 1 / 4096
    actuator = replace(LARGE, specimen_damping=c)
    got = response(actuator, SpringDashpot(stiffness=0.0, damping=c), f, h)
    exact = closed_form(replace(LARGE, damping=LARGE.damping + c), 0.0, f)
    assert abs(closed_form(LARGE, 0.0, f) / exact - 1) > 0.05  # it matters
    assert_allclose(
        got, exact, rtol=4 * np.pi * f * h
    )  # the specimen's velocity is half a tick old


def test_the_error_falls_with_the_square_of_the_step():
    k, f = 2e7, 20.0
    stiff = replace(LARGE, specimen_stiffness=k)
    sizes = np.array([1 / 4096, 1 / 8192, 1 / 16384])  # one step in each tick
    errors = [
        abs(response(stiff, Spring(stiffness=k), f, h) - closed_form(LARGE, k, f)) for h in sizes
    ]
    order = np.polyfit(np.log(sizes), np.log(errors), 1)[0]
    assert 1.8 < order < 2.2


def test_a_stiffer_specimen_makes_the_actuator_slower():  # control-structure interaction
    lag = [-np.angle(closed_form(LARGE, k, 5.0)) for k in (0.0, 2e7, 1e8)]
    seen = [
        -np.angle(response(replace(LARGE, specimen_stiffness=k), Spring(stiffness=k), 5.0, H))
        for k in (0.0, 2e7, 1e8)
    ]
    assert seen[0] < seen[1] < seen[2]
    assert_allclose(seen, lag, atol=1e-3)


@pytest.mark.parametrize("actuator", [LARGE, SMALL])
@pytest.mark.parametrize("k", [1e6, 1e8, 1e10])
@pytest.mark.parametrize("share", [1.0, 0.3, 0.01])
def test_any_specimen_as_stiff_as_its_estimate_or_softer_is_stable(actuator, k, share):
    command = np.append(np.zeros(5), np.full(4000, 1e-4))
    x, _ = moved(replace(actuator, specimen_stiffness=k), Spring(stiffness=share * k), command)
    assert np.abs(x).max() < 2e-4
    assert_allclose(x[-500:], x[-1], atol=1e-3 * abs(x[-1]))


def test_without_an_estimate_a_stiff_specimen_is_lost():
    command = np.append(np.zeros(5), np.full(4000, 1e-4))
    x, _ = moved(LARGE, Spring(stiffness=1e9), command)
    assert not np.abs(x).max() < 1.0


def test_a_strong_dashpot_needs_its_estimate_too():
    command = np.append(np.zeros(5), np.full(4000, 1e-4))
    dashpot = SpringDashpot(stiffness=0.0, damping=2e5)
    x, _ = moved(replace(SMALL, specimen_damping=2e5), dashpot, command)
    assert_allclose(x[-1], 1e-4, rtol=1e-3)
    assert not np.abs(moved(SMALL, dashpot, command)[0]).max() < 1.0


def test_velocity_without_load_is_at_most_flow_over_area():
    x, _ = moved(LARGE, Spring(stiffness=0.0), np.full(600, 5.0))
    speed = np.diff(x) / H
    # steady part; the leakage takes its share of the pressure that the friction needs
    assert_allclose(speed[200:400].mean(), 0.0833 / 0.082, rtol=0.02)


def test_force_stalls_at_area_times_supply_pressure():
    k = 1e7
    sealed = replace(LARGE, leakage=0.0, specimen_stiffness=k)
    _, force = moved(sealed, Spring(stiffness=k), np.full(4000, 5.0))
    assert_allclose(force[-1], 0.082 * 20.7e6, rtol=1e-4)
    assert force.max() < 1.01 * 0.082 * 20.7e6


def test_against_a_load_the_flow_falls_with_the_root_of_the_pressure_left():
    # specimen: a soft spring, so that the load builds up slowly; quasi-steady velocity against load
    k = 2e6
    sealed = replace(LARGE, leakage=0.0, damping=0.0, mass=300.0, specimen_stiffness=k)
    x, force = moved(sealed, Spring(stiffness=k), np.full(1200, 5.0))
    load = force / (0.082 * 20.7e6)
    speed = np.gradient(x, H) / (0.0833 / 0.082)
    mid = (load > 0.1) & (load < 0.8)
    # while the pressure rises, some of the flow compresses the oil: dp/dt = k v/A
    compressed = 1 + 0.082 * k / (4 * 0.7e9 * 0.082**2)
    assert_allclose(speed[mid] * compressed, np.sqrt(1 - load[mid]), rtol=0.03)


def test_at_rest_nothing_moves():
    w = moved(LARGE, Spring(stiffness=1e6), np.zeros(100))
    assert np.all(w == 0.0)
