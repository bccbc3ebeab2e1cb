"""The way to safety with limited acceleration: never harder, never faster, and it arrives."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rths.loop.block import Block
from rths.loop.solo import respond
from rths.safety.guided_path import BOUNDS, LAST, WAYS, P, X, guided_path
from rths.safety.phase import ARRIVED, HOLDING, PASSING, RUNNING, TRIPPED
from rths.safety.relief import DONE, NONE, STANDING

ROUND = 1e-9  # a difference of two sums of this size, against steps of a thousandth of it


def path_of(way="position", hold=0, fastest=0.05, slowing=0.002, position=0.0, quiet=3):
    bounds = BOUNDS.pack(
        position=[position], full=[10.0], small=[1.0], lowest=[-1.0], highest=[1.0]
    )
    params = P.pack(
        way=WAYS.index(way), hold=hold, fastest=fastest, slowing=slowing, quiet=quiet,
        channels=bounds,
    )  # fmt: skip
    return Block(guided_path, params, X.pack(ticks=0, channels=[0.0] * len(LAST)), 2)


def led(block, before, ticks, relief=NONE, force=0.0):
    """Send the commands before the test is left; give all commands and what the path does."""
    n = len(before) + ticks
    commands = np.r_[before, np.full(ticks, np.nan)]
    phases = np.r_[np.full(len(before), RUNNING), np.full(ticks, TRIPPED)]
    beside = np.full(n, relief), np.full(n, force)
    found = respond(block, np.column_stack([commands, phases, *beside]))
    return found[:, 0], found[:, 1]


def arrival(start, velocity, position, fastest, slowing):
    """Count the ticks that the way takes at most."""
    stop = velocity * velocity / (2 * slowing)
    way = abs(position - start) + 2 * stop
    turns = 2 * (abs(velocity) + fastest) / slowing + 4 * (way / slowing) ** 0.5
    return int(way / fastest + turns) + 8


@settings(max_examples=40)
@given(
    start=st.floats(-1, 1),
    velocity=st.floats(-0.05, 0.05),
    position=st.floats(-1, 1),
    fastest=st.floats(0.01, 0.05),
    slowing=st.floats(1e-3, 0.1),
)
def test_no_step_changes_by_more_than_the_acceleration_and_it_arrives(
    start, velocity, position, fastest, slowing
):
    ticks = arrival(start, velocity, position, fastest, slowing)
    block = path_of(fastest=fastest, slowing=slowing, position=position)
    sent, does = led(block, [start - velocity, start], ticks)
    steps = np.diff(sent)
    assert np.abs(np.diff(steps)).max() <= slowing * (1 + ROUND)
    assert sent[-1] == position
    assert does[-1] == ARRIVED
    assert np.abs(steps).max() <= max(fastest, abs(velocity)) * (1 + ROUND)
    braking = velocity * abs(velocity) / (2 * slowing)
    low, high = (f(start, position, start + braking) for f in (min, max))
    assert low - ROUND <= sent[1:].min()
    assert sent[1:].max() <= high + ROUND  # room to brake is all it takes


@settings(max_examples=30)
@given(velocity=st.floats(-0.05, 0.05), slowing=st.floats(1e-3, 0.1), hold=st.integers(0, 99))
def test_what_is_held_brakes_and_stands(velocity, slowing, hold):
    block = path_of(hold=hold, slowing=slowing, position=0.5)
    sent, does = led(block, [0.0 - velocity, 0.0], max(hold, 1))
    steps = np.diff(sent)
    assert np.abs(np.diff(steps)).max() <= slowing * (1 + ROUND)
    assert np.all(does[2 : 2 + hold] == HOLDING)
    if hold > abs(velocity) / slowing + 2:
        assert steps[hold] == 0.0


def test_while_the_test_runs_the_command_passes_as_it_is():
    commands = np.sin(np.arange(50.0))
    sent, does = led(path_of(), commands, 0)
    assert np.array_equal(sent, commands)
    assert np.all(does == PASSING)


@pytest.mark.parametrize("stiffness", [50.0, 1000.0])
def test_a_force_is_released_at_the_limited_rate_and_stays_released(stiffness):
    block, late = path_of("force", fastest=1e-3, slowing=1e-4), 5
    x, p = block.states.copy(), block.params
    sent = [0.1] * (late + 2)
    x[X.channels + LAST.command] = 0.1  # of one channel
    forces, does, y = [], 0.0, np.zeros(2)
    for _ in range(2000):
        force = stiffness * (sent[-1 - late] - 0.02) if does != ARRIVED else forces[-1]
        forces.append(force)
        guided_path(x, p, np.array([np.nan, TRIPPED, NONE, force]), y)
        sent.append(float(y[0]))
        does = y[1]
        if does == ARRIVED:
            break
    steps = np.diff(sent)
    assert does == ARRIVED
    assert abs(forces[-1]) <= 1.0
    assert abs(sent[-1] - 0.02) <= 1.0 / stiffness + 1e-3 * late  # where the specimen has no force
    assert np.abs(steps).max() <= 1e-3 * (1 + ROUND)
    assert np.abs(np.diff(steps)).max() <= 1e-4 * (1 + ROUND)


@given(start=st.floats(-0.9, 0.9), velocity=st.floats(-0.01, 0.01), force=st.sampled_from([-9, 9]))
@settings(max_examples=20)
def test_a_force_that_never_ends_leads_to_the_end_of_the_limits_and_no_further(
    start, velocity, force
):
    sent, does = led(path_of("force"), [start - velocity, start], 200, force=force)
    assert np.abs(sent).max() <= 1.0
    assert sent[-1] == -np.sign(force)
    assert np.abs(np.diff(sent, n=2)).max() <= 0.002 * (1 + ROUND)
    assert does[-1] != ARRIVED


def test_a_force_that_is_not_a_number_is_not_followed():
    sent, _ = led(path_of("force"), [0.0, 0.001], 50, force=np.nan)
    assert np.isfinite(sent).all()
    assert sent[-1] == sent[-2]


def test_a_relief_brakes_stands_and_ends_the_way():
    sent, does = led(path_of(position=1.0), [0.0, 0.02], 30, relief=STANDING)
    assert sent[-1] == sent[-2]
    assert np.all(does[2:] == HOLDING)
    _, does = led(path_of(position=1.0), [0.0, 0.02], 3, relief=DONE)
    assert np.all(does[2:] == ARRIVED)
