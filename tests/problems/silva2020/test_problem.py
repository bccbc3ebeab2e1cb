"""The problem itself: frame, plant, sensors and time stepping, each against its closed form."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from rths.errors import InputError
from rths.loop.solo import respond
from rths.problems.silva2020.candidates import nominal_model
from rths.problems.silva2020.frame import (
    CASES,
    MASS,
    numerical_part,
    specimen_damping,
    whole_matrices,
)
from rths.problems.silva2020.integration import HeldRungeKutta, Shaking
from rths.problems.silva2020.plant import FORWARD, GAIN, INTERACTION, QUANTUM, Plant
from rths.problems.silva2020.problem import BUILT_IN, TICK, draw_plants, hybrid_test, motion
from rths.problems.silva2020.sensors import MODULUS, MULTIPLIER, Sensors, draw_normal
from rths.site import Site

SITE = Site(tick=TICK, interval=TICK)
C_OF_CASE_1 = [  # of the authors' program
    [14084.275745299876, -7873.031460913151, 440.4514988426247],
    [-7873.031460913151, 14943.622937895665, -6348.672096305331],
    [440.45149884262497, -6348.672096305332, 7223.101316804461],
]
FREQUENCIES = {1: (3.6124, 15.9966, 38.0862), 2: (3.4443, 15.2521, 36.3137),
               3: (3.1683, 14.0299, 33.4038), 4: (3.6124, 15.9966, 38.0862)}  # fmt: skip


def test_damping_is_that_of_the_rounded_frequencies():
    assert_allclose(whole_matrices(1)[1], C_OF_CASE_1, rtol=1e-9, atol=1e-6)


@pytest.mark.parametrize("case", CASES)
def test_frequencies_are_as_published(case):
    M, _, K = whole_matrices(case)
    w = np.sqrt(np.linalg.eigvalsh(K) / M[0, 0])
    assert_allclose(w / (2 * np.pi), FREQUENCIES[case], atol=1e-4)


@pytest.mark.parametrize("stiffness", [1.19e6, 1.05e6])
def test_numerical_part_and_specimen_are_the_frame_whole(stiffness):
    part = numerical_part(2, stiffness)
    corner = np.diag([1.0, 0.0, 0.0])
    own = MASS, specimen_damping(stiffness), stiffness
    for mine, of_whole, e in zip(part.matrices(), whole_matrices(2), own, strict=True):
        assert_allclose(mine + e * corner, of_whole, rtol=1e-12)
    M_n = part.matrices()[0]
    assert_allclose(M_n @ part.influence_vector(), 1100.0)  # the full mass stands before a_g


def test_damping_of_the_specimen_is_not_the_rounded_one():
    assert specimen_damping(1.19e6) == pytest.approx(114.2209, abs=1e-4)


A = (21675605752000, 543546586564.93, 2328489794.427, 8421777.184035512, 12590.60145864, 29.13)
B = 2.18384863e13


def test_inverse_of_the_nominal_plant_is_its_published_polynomial():
    # the printed polynomial has c_e = 114.2225, one part in 10^5 above its formula
    assert_allclose(nominal_model(0.0), np.array(A) / B, rtol=2e-7)


@pytest.mark.parametrize(("f", "size"), [(3.6, 0.92), (16.0, 0.47)])
def test_response_of_the_plant_is_the_closed_form(f, size):
    n = round(6 / f / TICK) * 4
    angle = 2 * np.pi * f * TICK * np.arange(n)
    command = 1e-2 * np.sin(angle)
    x = respond(Plant(variant="exact").block(SITE), np.append(0.0, command[:-1]))[:, 0]
    late = slice(n // 2, None)
    basis = np.column_stack([np.sin(angle[late]), np.cos(angle[late])])
    got = complex(*np.linalg.lstsq(basis, x[late] / 1e-2, rcond=None)[0])
    s = 2j * np.pi * f
    hold = np.exp(-s * TICK / 2)
    exact = B / sum(a * s**i for i, a in enumerate(A)) * hold
    assert_allclose(got, exact, rtol=2e-3)  # the quantum of the command
    assert abs(got) == pytest.approx(size, abs=0.005)


def test_differences_take_most_of_the_damping_at_67_hertz():
    assert Plant(variant="exact").damping(TICK) == pytest.approx(0.0190, abs=5e-5)
    assert Plant(variant="difference").damping(TICK) == pytest.approx(0.0039, abs=5e-5)


def stepped(plant, commands):
    """Runge-Kutta stages as written down, one tick after the other: x and f at each tick."""
    k, c, h = plant.stiffness, specimen_damping(plant.stiffness), TICK
    z, xs = np.zeros(5), [0.0, 0.0, 0.0]
    rows = []

    def rate(s, speed, u):
        q, dq, F, x, v = s
        force = (F - c * v - k * x) / MASS
        servo = FORWARD * (GAIN * u - x) - plant.beta1 * dq - plant.beta2 * q
        return np.array([dq, servo, q - INTERACTION * speed - plant.a3 * F, v, force])

    for u in np.round(commands / QUANTUM) * QUANTUM:
        x0 = z[3]
        exact = plant.variant == "exact"
        k1 = rate(z, z[4] if exact else (x0 - xs[-2]) / h, u)
        s = z + h / 2 * k1
        k2 = rate(s, s[4] if exact else (s[3] - x0) / (h / 2), u)
        s = z + h / 2 * k2
        k3 = rate(s, s[4] if exact else (s[3] - x0) / (h / 2), u)
        s = z + h * k3
        k4 = rate(s, s[4] if exact else (s[3] - x0) / h, u)
        z = z + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        xs.append(z[3])
        v, before = (xs[-1] - xs[-2]) / h, (xs[-2] - xs[-3]) / h
        f = z[2] if exact else k * xs[-1] + c * v + MASS * (v - before) / h
        rows.append((xs[-1], f))
    return np.array(rows)


@pytest.mark.parametrize("variant", ["difference", "exact"])
def test_plant_is_the_stages_of_runge_kutta_as_written(variant):
    plant = draw_plants(3, 5, variant)[2]
    commands = 1e-3 * np.cumsum(np.random.default_rng(3).standard_normal(300)) / 10
    expected = stepped(plant, commands)
    got = respond(plant.block(SITE), commands)
    assert_allclose(got, expected, rtol=1e-9, atol=1e-9 * np.abs(expected).max(axis=0).min())


def test_generator_is_the_minimal_standard():
    i = 1
    for _ in range(10_000):
        i = MULTIPLIER * i % MODULUS
    assert i == 1043618065  # [park1988]: the check every implementation must pass


def test_noise_is_normal():
    x = np.array([1144108930.0])
    z = np.array([draw_normal(x) for _ in range(20_000)])
    assert abs(z.mean()) < 4 / np.sqrt(z.size)
    assert z.std() == pytest.approx(1.0, abs=4 / np.sqrt(2 * z.size))
    assert np.mean(z**4) == pytest.approx(3.0, abs=4 * np.sqrt(96 / z.size))


@pytest.mark.parametrize("seed", [MODULUS, 2 * MODULUS])
def test_a_start_from_which_the_generator_never_moves_is_refused(seed):
    with pytest.raises(InputError, match="cannot start"):
        Sensors(seed=seed)


def test_both_sensors_have_one_sequence_and_the_force_is_a_tick_late():
    sensors, still = Sensors(), np.zeros(500)
    x = respond(sensors.displacement_block(SITE), still)[:, 0]
    f = respond(sensors.block(SITE), still)[:, 0]
    assert f[0] == 0.0
    assert_allclose(f[1:] / sensors.force, x[:-1] / sensors.displacement, rtol=1e-12)


def test_integrator_is_the_stages_of_runge_kutta_as_written():
    test = hybrid_test(3, motion(BUILT_IN, None), nothing())
    e = test.equation
    block = HeldRungeKutta().block(e, TICK, 15)
    rng = np.random.default_rng(4)
    inputs = rng.standard_normal((200, 2)) * [500.0, 1.0]
    got = respond(block, inputs)
    s = np.zeros(6)
    for row, (f, a) in zip(got, inputs, strict=True):
        assert_allclose(row[3:6], s[:3], rtol=1e-9, atol=1e-15)
        load = e.B[:, 0] * a - e.L[0] * f

        def rate(s, load=load):
            return np.append(s[3:], np.linalg.solve(e.M, load - e.C @ s[3:] - e.K @ s[:3]))

        k1 = rate(s)
        k2 = rate(s + TICK / 2 * k1)
        k3 = rate(s + TICK / 2 * k2)
        s = s + TICK / 6 * (k1 + 2 * k2 + 2 * k3 + rate(s + TICK * k3))
        assert_allclose(row[:3], s[:3], rtol=1e-9, atol=1e-15)
        assert_allclose(row[12:], s[3:], rtol=1e-9, atol=1e-13)


def nothing():
    from rths.compensator.none import NoCompensation

    return NoCompensation()


def test_excitation_is_taken_in_the_middle_of_the_step():
    shaking = Shaking(motion=BUILT_IN, start=5.0)
    got = respond(shaking.block(Site(tick=TICK, interval=TICK, stage=TICK)), np.empty((30_000, 0)))
    both = shaking.sample(TICK)
    assert_allclose(got[:-1, 0], (both[:29_999] + both[1:30_000]) / 2, atol=2e-3)
    assert_array_equal(got[: int(5 / TICK) - 1], 0.0)


def test_perturbed_plants_repeat_and_spread_as_stated():
    plants = draw_plants(2000, 7, "exact")
    assert plants[:10] == draw_plants(10, 7, "exact")
    for name, mean, sigma in (("stiffness", 1.19e6, 5e4), ("beta1", 425, 3.3),
                              ("beta2", 9.9976e4, 3.3e3), ("a3", 3.3, 1.3)):  # fmt: skip
        values = np.array([getattr(p, name) for p in plants])
        assert values.mean() == pytest.approx(mean, abs=4 * sigma / np.sqrt(2000))
        assert values.std() == pytest.approx(sigma, rel=0.1)


def test_a_few_in_a_thousand_plants_are_unstable_by_themselves():
    damping = np.array([p.damping(TICK) for p in draw_plants(1000, 1, "difference")])
    assert 0 < np.mean(damping < 0) < 0.01
    assert np.median(damping) == pytest.approx(0.0038, abs=2e-4)
    assert np.quantile(damping, 0.05) == pytest.approx(0.0017, abs=3e-4)


def test_unknown_motions_and_cases_are_refused():
    with pytest.raises(InputError, match="by --data"):
        motion("kobe", None)
    with pytest.raises(InputError, match="from 1 to 4"):
        whole_matrices(5)
