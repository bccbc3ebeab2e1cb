from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp

from rths.errors import InputError
from rths.loop.solo import respond
from rths.site import Site
from rths.specimen.mr_bouc_wen import MrBoucWen, X

DAMPER = MrBoucWen()
Z_U = (DAMPER.A / (DAMPER.beta + DAMPER.gamma)) ** 0.5


def force(x, h, **given):
    return respond(MrBoucWen(**given).block(Site(h, h)), x)[:, 0]


def rates(d, h, v, u):
    """Right side of the paper's equations, written as they stand there."""
    p = d
    alpha, c0, c1 = p.alpha_a + p.alpha_b * u, p.c0_a + p.c0_b * u, p.c1_a + p.c1_b * u

    def f(t, s):
        x, y, z = s
        dy = (alpha * z + c0 * v + p.k0 * (x - y)) / (c0 + c1)
        dz = -p.gamma * abs(v - dy) * z * abs(z) ** (p.n - 1)
        dz += -p.beta * (v - dy) * abs(z) ** p.n + p.A * (v - dy)
        return [v, dy, dz]

    def answer(x, y, z):
        return c1 * f(0, [x, y, z])[1] + p.k1 * (x - p.x0)

    return f, answer


def reference(d, x, h, u):
    """Solve tick by tick with another integrator, the displacement running straight."""
    state, found = np.zeros(3), []
    for before, after in zip(np.append(0.0, x[:-1]), x, strict=True):
        f, answer = rates(d, h, (after - before) / h, u)
        state = solve_ivp(f, (0, h), state, method="LSODA", rtol=1e-10, atol=1e-14).y[:, -1]
        found.append(answer(*state))
    return np.array(found)


@pytest.mark.parametrize("voltage", [0.0, 2.25])
@pytest.mark.parametrize("h", [1e-3, 5e-3])
def test_it_agrees_with_another_integrator_on_the_same_motion(voltage, h):
    t = h * np.arange(1, 121)
    x = 0.015 * np.sin(2 * np.pi * 2.5 * t)
    f = force(x, h, voltage=voltage)
    expected = reference(MrBoucWen(), x, h, voltage)
    assert_allclose(f, expected, rtol=0, atol=2e-4 * np.abs(expected).max())


@pytest.mark.parametrize("voltage", [0.0, 2.25])
def test_a_motion_of_nine_metres_per_second_agrees_though_its_steps_are_few(voltage):
    # z_u/A is 21 um: 18 mm in a tick would take 3500 steps, all but the first of them at z_u
    h = 1 / 512
    x = 0.3 * np.sin(2 * np.pi * 5.0 * h * np.arange(1, 103))
    expected = reference(MrBoucWen(), x, h, voltage)
    f = force(x, h, voltage=voltage)
    assert_allclose(f, expected, rtol=0, atol=1e-6 * np.abs(expected).max())


@pytest.mark.parametrize("k0", [0.0, 3e5])
def test_other_parameters_and_exponents_agree_too(k0):
    given = {"n": 1.5, "beta": 4e4, "gamma": 1e4, "A": 120.0, "k0": k0, "x0": 0.0}
    x = 0.01 * np.sin(2 * np.pi * 2e-3 * np.arange(1, 301))
    expected = reference(MrBoucWen(**given), x, 2e-3, 0.0)
    f = force(x, 2e-3, **given)
    assert_allclose(f, expected, rtol=0, atol=2e-4 * np.abs(expected).max())


def test_a_smooth_motion_is_first_order_in_the_tick_as_its_backward_difference_is():
    ticks, ends = (4e-3, 2e-3, 1e-3, 2e-5), []
    for h in ticks:
        t = h * np.arange(round(0.72 / h) + 1)
        ends.append(force(0.01 * np.sin(2 * np.pi * 1.3 * t), h, voltage=1.0)[-1])
    wrong = np.abs(np.array(ends[:3]) - ends[3])
    assert 0.8 < np.polyfit(np.log(ticks[:3]), np.log(wrong), 1)[0] < 1.3


def test_at_rest_only_the_accumulator_pushes():
    assert_allclose(force(np.zeros(20), 1e-3), -DAMPER.k1 * DAMPER.x0)
    assert np.all(force(np.zeros(20), 1e-3, x0=0.0) == 0.0)


def test_a_steady_pull_saturates_the_hysteresis():
    # once z is z_u, y' obeys a linear equation: the force is its closed form
    h, v = 1e-3, 0.05
    t = h * np.arange(1, 400)
    block = DAMPER.block(Site(h, h))
    x, p, y = block.states.copy(), block.params, np.zeros(1)
    for d in v * t:
        block.kernel(x, p, np.array([d]), y)
    assert_allclose(x[2], Z_U, rtol=1e-9)
    c0, c1 = DAMPER.c0_a, DAMPER.c1_a
    rate = (DAMPER.alpha_a * Z_U + c0 * v + DAMPER.k0 * (x[0] - x[1])) / (c0 + c1)
    assert_allclose(y[0], c1 * rate + DAMPER.k1 * (x[0] - DAMPER.x0), rtol=1e-9)


@pytest.mark.parametrize("speed", [1e-4, 1.0, 1e3])
def test_z_stays_bounded_whatever_the_motion(speed):
    h = 1e-3
    block = MrBoucWen(voltage=2.25).block(Site(h, h))
    x, y = block.states.copy(), np.zeros(1)
    for d in np.cumsum(np.random.default_rng(1).normal(size=60)) * speed * h:
        block.kernel(x, block.params, np.array([d]), y)
        assert abs(x[2]) <= Z_U * (1 + 1e-12)
        assert np.isfinite(y[0])


def test_more_voltage_gives_more_force():
    x = 0.015 * np.sin(2 * np.pi * 2.5e-3 * np.arange(800))
    peaks = [force(x, 1e-3, voltage=v).max() for v in (0.0, 0.75, 1.5, 2.25)]
    assert np.all(np.diff(peaks) > 200)
    assert 1300 < peaks[-1] < 1800  # about 1.5 kN at 2.25 V in the paper's figures


def test_the_voltage_arrives_with_its_lag():
    h = 1e-3
    block = MrBoucWen(voltage=(0.0, 2.0, 1.0), voltage_times=(0.0, 0.01, 0.02)).block(Site(h, h))
    x, y, u = block.states.copy(), np.zeros(1), []
    for _ in range(40):
        block.kernel(x, block.params, np.zeros(1), y)
        u.append(x[3])
    # a voltage that holds from tick 10 on acts in the 10th tick's interval for the first time
    n = np.arange(10, 20)
    assert np.all(np.array(u[:10]) == 0)
    assert_allclose(u[10:20], 2 * (1 - np.exp(-190 * h * (n - 9))), rtol=1e-12)
    assert_allclose(u[39], 1 + (u[19] - 1) * np.exp(-190 * h * 20), rtol=1e-12)


def test_a_constant_voltage_has_been_on_for_long():
    block = MrBoucWen(voltage=1.5).block(Site(1e-3, 1e-3))
    x = block.states.copy()
    block.kernel(x, block.params, np.zeros(1), np.zeros(1))
    assert x[3] == 1.5


@pytest.mark.parametrize("times", [(0.0,), (0.0, 1.0, 0.5), (0.1, 0.2, 0.3)])
def test_times_that_do_not_fit_the_voltages_are_refused(times):
    with pytest.raises(InputError, match="voltage_times"):
        MrBoucWen(voltage=(0.0, 1.0, 2.0), voltage_times=times)


@pytest.mark.parametrize("engine", ["interpreted", "fused"])
def test_all_loops_agree_to_the_last_bit(engine):
    x = np.cumsum(np.random.default_rng(3).normal(size=300)) * 1e-4
    block = MrBoucWen(voltage=(0.0, 2.0), voltage_times=(0.0, 0.1)).block(Site(1e-3, 1e-3))
    assert np.array_equal(respond(block, x, engine), respond(block, x, "table"))


@pytest.mark.parametrize(("voltage", "counted"), [([1.0], 0), ([1.0, 2.0], 50)])
def test_ticks_are_counted_while_another_voltage_is_to_come(voltage, counted):
    """What goes on counting is a clock, and a certificate follows it for ten minutes."""
    times = [0.05 * k for k in range(len(voltage))]
    block = MrBoucWen(voltage=voltage, voltage_times=times).block(Site(1e-3, 1e-3))
    x, y = np.array(block.states, float), np.zeros(block.outputs)
    for _ in range(200):
        block.kernel(x, block.params, np.zeros(1), y)
    assert x[X.tick] == counted
    assert x[X.u] == pytest.approx(voltage[-1])
