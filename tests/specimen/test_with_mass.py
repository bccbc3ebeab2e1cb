from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.linalg import expm

from rths.errors import InputError
from rths.loop.solo import frequency_response, respond
from rths.site import Site
from rths.specimen.with_mass import WithMass
from rths.trust import grant_trust

SPRING = {"kind": "spring", "stiffness": 4e4}
M, K_S, K_J, C_J = 298.0, 4e4, 2e6, 900.0


def with_joint(mass=M, joint=K_J, damping=C_J, specimen=SPRING):
    return WithMass(mass=mass, specimen=specimen, joint_stiffness=joint, joint_damping=damping)


def test_constant_acceleration_of_a_rigid_joint_gives_mass_times_acceleration():
    h, a = 1e-3, 3.0
    x = 0.5 * a * (h * np.arange(60)) ** 2
    f = respond(WithMass(mass=M, specimen=SPRING).block(Site(h, h)), x)[:, 0]
    assert_allclose(f[2:], M * a + K_S * x[2:], rtol=1e-9)


@pytest.mark.parametrize("f", [2.0, 12.0, 30.0])
def test_the_response_of_a_flexible_joint_is_that_of_the_mass_behind_it(f):
    w, h = 2 * np.pi * f, 1e-4
    block = with_joint().block(Site(h, h))
    joint = K_J + 1j * w * C_J
    exact = joint * (K_S - M * w**2) / (joint + K_S - M * w**2)
    found = frequency_response(block, f, h, cycles=round(20 * f))
    # the velocity of the joint at the end of a tick is its mean over the tick: half a tick late
    assert_allclose(found, exact, rtol=0, atol=2e-3 * abs(exact) + w * C_J * w * h)


def test_the_flexible_joint_is_second_order_in_its_steps():
    """Held at the actuator, the mass swings freely: compare with the exact solution."""
    k, found, ticks = K_J + K_S, [], 1e-3 / 2.0 ** np.arange(4)
    w = np.sqrt(k / M)
    for h in ticks:
        block = with_joint(damping=0.0).block(Site(h, h))
        assert block.params[4] == 1  # one part a tick, so that the tick is the step
        x, y = block.states.copy(), np.zeros(1)
        x[1], x[3] = 1e-3, -k * 1e-3 / M  # displaced, at rest, with the acceleration that follows
        for _ in range(round(0.1 / h)):
            block.kernel(x, block.params, np.zeros(1), y)
        found.append(abs(x[1] - 1e-3 * np.cos(w * 0.1)))
    order = np.polyfit(np.log(ticks), np.log(found), 1)[0]
    assert 1.9 < order < 2.1


@pytest.mark.parametrize("f", [1.0, 5.0, 10.0])
def test_the_response_of_a_rigid_joint_is_spring_less_inertia_a_tick_late(f):
    w, h = 2 * np.pi * f, 1e-3
    found = frequency_response(WithMass(mass=M, specimen=SPRING).block(Site(h, h)), f, h)
    z = np.exp(1j * w * h)
    assert_allclose(found, K_S + M * ((1 - 1 / z) / h) ** 2, rtol=1e-9)
    assert_allclose(found, K_S - M * w**2 / z, rtol=1e-3)


@pytest.mark.parametrize("f", [1.0, 5.0, 10.0])
def test_a_stiff_joint_is_a_rigid_one(f):
    w, h = 2 * np.pi * f, 1e-4
    block = with_joint(joint=4e8, damping=4e5).block(Site(h, h))
    assert_allclose(frequency_response(block, f, h), K_S - M * w**2, atol=0.01 * M * w**2)


def test_the_mass_rests_where_joint_and_specimen_balance():
    block = with_joint().block(Site(1e-3, 1e-3, displacement=0.02))
    expected = K_J * K_S / (K_J + K_S) * 0.02
    assert_allclose(respond(block, np.full(50, 0.02)), expected, rtol=1e-9)


@pytest.mark.parametrize(
    "inner",
    [
        {"kind": "bilinear", "stiffness": 4e4, "yield_displacement": 1e-3},
        {"kind": "coulomb", "friction": 50.0, "slip_displacement": 1e-4},
        {"kind": "bouc_wen", "stiffness": 4e4, "yield_displacement": 1e-3},
        {"kind": "mr_bouc_wen"},
    ],
)
def test_any_specimen_behind_it_rests_too(inner):
    f = respond(with_joint(specimen=inner).block(Site(1e-3, 1e-3, displacement=0.01)), [0.01] * 50)
    assert_allclose(f[:, 0], f[0, 0], rtol=1e-6)


def test_the_loop_vibrates_like_two_masses(free_response):
    """Numerical mass and spring, joint, physical mass and spring: a chain of two."""
    mass, k, d = 600.0, 1.6e5, 1e-3
    given = {"start": d, "tick": 1e-4, "duration": 2.0}
    run = free_response(with_joint(damping=0.0), mass, 0.0, k, **given)["displacement"]
    K = np.array([[k + K_J, -K_J], [-K_J, K_J + K_S]])
    A = np.zeros((4, 4))
    A[:2, 2:] = np.eye(2)
    A[2:, :2] = -np.diag([1 / mass, 1 / M]) @ K
    s = np.array([d, K_J * d / (K_J + K_S), 0, 0])
    E, exact = expm(A * 1e-4), []
    for _ in run:
        exact.append(s[0])
        s = E @ s
    assert_allclose(run, exact, atol=0.01 * d)


@pytest.mark.parametrize(("share", "stays"), [(0.9, True), (1.1, False)])
def test_a_rigid_mass_in_the_loop_must_be_smaller_than_the_numerical_one(
    free_response, share, stays
):
    # M (z-1)²/z = -m (z-1)²/z²: a root at z = -m/M, whatever the tick
    specimen = WithMass(mass=share * 100.0, specimen={"kind": "spring", "stiffness": 0.0})
    given = {"start": 1e-3, "tick": 1e-3, "duration": 1.0}
    run = free_response(specimen, 100.0, 0.0, 4e3, **given)
    assert (np.abs(run["displacement"]).max() < 2e-3) == stays


OWN = """
from rths.loop.block import Block, kernel
from rths.specimen.base import Specimen, describe

@kernel
def step(x, p, u, y):
    y[0] = 0.0
    return 7 if u[0] > 0.5 else 0

@describe
class Mine(Specimen):
    def block(self, site):
        return Block(step)
"""


@pytest.mark.parametrize("joint", [{}, {"joint_stiffness": 1e9}], ids=["rigid", "flexible"])
def test_the_stop_code_of_the_specimen_is_handed_on(joint, tmp_path, monkeypatch):
    (tmp_path / "fragile.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    with grant_trust(True):
        made = WithMass(mass=1e3, specimen={"kind": "fragile.py:Mine"}, **joint)
        block = made.block(Site(1e-3, 1e-3))
    positions = np.array([0.0, 0.2, 0.4, 0.6, 0.8])
    assert len(respond(block, positions)) == 3


def test_a_mass_too_light_for_its_tick_is_refused():
    with pytest.raises(InputError, match="too light"):
        with_joint(mass=1e-4).block(Site(1e-3, 1e-3))


@pytest.mark.parametrize(
    ("inner", "complaint"),
    [
        ({"kind": "sprin", "stiffness": 1.0}, "Did you mean 'spring'"),
        ({"stiffness": 1.0}, "kind"),
        ({"kind": "spring"}, "stiffness"),
        ({"kind": "spring", "stiffness": 1.0, "count": 6}, "scale or a count"),
    ],
)
def test_a_table_that_is_no_specimen_is_refused(inner, complaint):
    with pytest.raises(InputError, match=complaint):
        WithMass(mass=1.0, specimen=inner)


@pytest.mark.parametrize("joint", [None, K_J])
@pytest.mark.parametrize("engine", ["interpreted", "fused"])
def test_all_loops_agree_to_the_last_bit(engine, joint):
    x = np.cumsum(np.random.default_rng(3).normal(size=200)) * 1e-4
    inner = {"kind": "bouc_wen", "stiffness": 4e4, "yield_displacement": 1e-3}
    block = with_joint(joint=joint, specimen=inner).block(Site(1e-3, 1e-3))
    assert np.array_equal(respond(block, x, engine), respond(block, x, "table"))
