from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from rths.compensator.model_based import ModelBased
from rths.compensator.model_broyden import RESOLUTION, SMALLEST, ModelBroyden, X
from rths.equation import EquationOfMotion
from rths.loop.solo import respond
from rths.site import Site

DT = 0.01
M = np.diag([3.0, 2.0])
K = np.array([[900.0, -300.0], [-300.0, 300.0]])
EQUATION = EquationOfMotion(
    M, 1e-3 * K, K, np.array([[0.0, 1.0]]), -M @ np.ones((2, 1)), np.zeros(2), np.zeros(2)
)
SITE = Site(tick=DT / 2, interval=DT, stage=DT, equation=EQUATION)  # first call after t = 0
TOTAL = K + np.diag([0.0, 50.0])


def walked(rows, **given):
    """Take steps with rows (x_i+1 (2), f_i, e_i+1); give x, R and the stiffness after each."""
    block = ModelBroyden(delay=DT, interface_stiffness=50.0, **given).block(SITE)
    state, y = block.states.copy(), np.zeros(1)
    x, R, stiffness, last = [np.zeros(2)], [], [], np.zeros(2)
    for row in rows:
        block.kernel(state, block.params, np.array(row), y)
        R.append(K @ last + EQUATION.L.T @ row[2:3])
        last = np.array(row[:2])
        x.append(last)
        stiffness.append(state[X.stiffness : X.stiffness + 4].reshape(2, 2).copy())
    return np.array(x), np.array(R), np.array(stiffness)


numbers = st.lists(st.lists(st.floats(-1, 1), min_size=4, max_size=4), min_size=3, max_size=6).map(
    lambda rows: [np.array(r) for r in rows]
)


def teaches(x, loads):
    """Tell for each increment whether (4) lets it teach, from the forces |r| + |L' f| so far."""
    largest = np.maximum.accumulate(np.linalg.norm(loads, axis=1))
    dx = np.linalg.norm(np.diff(x, axis=0), axis=1)
    return (dx * np.linalg.norm(TOTAL) / (2 * RESOLUTION) > largest[1:]) & (dx**2 > SMALLEST)


def loads_of(x, rows):
    """|r| + |L' f| of each row."""
    measured = np.outer([row[2] for row in rows], EQUATION.L[0])
    return np.abs(x[:-1] @ K) + np.abs(measured)


@given(numbers)
def test_the_stiffness_explains_the_last_increment_and_changes_nothing_else(rows):  # C20
    x, R, stiffness = walked(rows)
    taught = teaches(x[:-1], loads_of(x, rows))
    for i in range(1, len(rows)):
        dx, dr, before, after = x[i] - x[i - 1], R[i] - R[i - 1], stiffness[i - 1], stiffness[i]
        if not taught[i - 1]:
            assert_array_equal(after, before)
            continue
        size = max(np.abs(after).max(), np.abs(before).max())
        length = np.linalg.norm(dx)
        # round-off of sums of size |K| |Δx|
        assert_allclose(after @ dx, dr, atol=1e-14 * size * length)
        across = np.array([-dx[1], dx[0]])
        assert_allclose((after - before) @ across, 0, atol=1e-14 * size * length)


@pytest.mark.parametrize("short", [2.5710321542181067e-75, 2e-16, 1e-12])
def test_a_motion_that_is_nothing_teaches_nothing_however_the_force_jumps(short):
    rows = [[short, 0.0, 1.0, 0.0], [0.1, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]]
    x, R, stiffness = walked([np.array(row) for row in rows])
    assert_array_equal(stiffness[:2], [TOTAL] * 2)
    assert_allclose(stiffness[2] @ (x[2] - x[1]), R[2] - R[1], atol=1e-12)


motions = st.lists(
    st.tuples(st.floats(-1, 1), st.floats(-1, 1), st.floats(-1, 1), st.integers(-300, 0)),
    min_size=2,
    max_size=8,
)


@given(motions, st.floats(-300, 300))
def test_the_stiffness_is_as_good_as_the_forces_whatever_the_size_of_the_motion(motion, specimen):
    largest, rows, last = 0.0, [], np.zeros(2)
    for a, b, error, power in motion:
        force = specimen * last[1]
        largest = max(largest, np.linalg.norm(np.abs(K @ last) + np.abs(EQUATION.L[0] * force)))
        # the sensor is off by a share of the largest force so far; 0.9: it adds to that itself
        rows.append(np.array([a, b, force + 0.9 * RESOLUTION * error * largest, 0.0]))
        rows[-1][:2] *= 10.0**power
        last = rows[-1][:2]
    true, known = K + np.diag([0.0, specimen]), np.linalg.norm(TOTAL)
    off = np.linalg.norm(walked(rows)[2] - true, axis=(1, 2))
    # each lesson adds at most |K_0| across what was wrong before: squares add up
    allowed = np.sqrt(np.linalg.norm(TOTAL - true) ** 2 + known**2 * np.arange(len(rows)))
    assert np.all(off <= allowed * (1 + 1e-9))


sixty_fourths = st.lists(
    st.lists(st.integers(-64, 64), min_size=4, max_size=4), min_size=3, max_size=6
).map(lambda rows: np.array(rows) / 64)


@given(sixty_fourths, st.integers(-400, 400))
def test_a_motion_of_another_size_teaches_the_same(rows, power):  # a power of two: no round-off
    assert_array_equal(walked(2.0**power * rows)[2], walked(rows)[2])


def test_a_step_that_is_too_short_teaches_nothing():  # C20
    rows = [np.array([0.1, 0.2, 5.0, 0.0])] * 3
    assert_array_equal(walked(rows)[2][0], TOTAL)  # the structure stood still before
    assert_array_equal(walked(rows, least_increment=0.3)[2], [TOTAL] * 3)
    assert not np.array_equal(walked(rows, least_increment=0.2)[2][2], TOTAL)


@pytest.mark.parametrize("delay", [0.0, DT, 2.5 * DT])
def test_as_long_as_the_stiffness_is_right_it_is_the_full_model(delay):
    rng = np.random.default_rng(1)
    x = np.cumsum(rng.normal(size=(40, 2)), axis=0) * 1e-3
    f = 50.0 * np.vstack([[0.0], x[:-1, 1:]])  # the specimen is the spring of the model
    ahead = rng.normal(size=(40, int(np.ceil(delay / DT))))
    rows = np.hstack([x, f, ahead])
    given = {"delay": delay, "interface_stiffness": 50.0}
    full = respond(ModelBased(**given).block(SITE), rows)
    assert_allclose(respond(ModelBroyden(**given).block(SITE), rows), full, atol=1e-12)


def test_a_softened_specimen_is_followed_where_the_initial_stiffness_misleads():
    one = EquationOfMotion(
        *(np.array([[v]]) for v in (1.0, 0.0, 0.0)),
        L=np.eye(1),
        B=np.zeros((1, 0)),
        displacement=np.zeros(1),
        velocity=np.zeros(1),
    )
    site = Site(tick=DT / 2, interval=DT, stage=DT, equation=one)
    x = [0.0, 1e-3]
    for _ in range(40):
        x.append(2 * x[-1] - x[-2] - DT**2 * 10.0 * x[-1])  # central differences, k = 10
    target, force = np.array(x[1:]), 10.0 * np.array(x[:-1])
    rows = np.column_stack([target, force])

    def missed(cls):
        u = respond(cls(delay=2 * DT, interface_stiffness=100.0).block(site), rows)[:, 0]
        return np.abs(u[5:-2] - target[7:]).max()

    assert missed(ModelBroyden) < 1e-9 * np.abs(target).max()
    assert missed(ModelBased) > 1e-3 * np.abs(target).max()
