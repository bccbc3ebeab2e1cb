"""What an integrator tells of the response agrees with its targets and with the forces."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from rths.equation import EquationOfMotion
from rths.errors import InputError
from rths.integrator.base import ModelBased, schemes
from rths.loop.block import Block, kernel
from rths.loop.solo import respond
from rths.registry import find

KINDS = schemes()
SPLIT = ("alpha_os", "exact", "newmark_average")  # their target is a predictor
OWN_KERNEL = ("central_difference", "explicit_newmark", "lsrt2")  # the others share that of lsrt2
SPECIMEN = 400.0


def made(kind):
    cls = find("integrator", kind)
    return cls(interface_stiffness=SPECIMEN) if issubclass(cls, ModelBased) else cls()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("drive", ["sine", "free"])
@pytest.mark.parametrize("masses", [1, 3])
def test_the_response_starts_from_the_initial_state(small_test, run, kind, drive, masses):
    test = small_test(kind, 0.01, masses, drive=drive, duration=0.1)
    found, e = run(test), test.equation
    force = e.B @ found["excitation.signal"][0] if drive == "sine" else np.zeros(masses)
    balance = force - e.K @ e.displacement - e.C @ e.velocity
    balance -= SPECIMEN * e.L.T @ e.L @ e.displacement
    assert_array_equal(found["structure.displacement"][0], e.displacement)
    assert_allclose(found["structure.velocity"][0], e.velocity, atol=1e-15)
    assert_allclose(found["structure.acceleration"][0], np.linalg.solve(e.M, balance), atol=1e-11)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("drive", ["sine", "free"])
def test_the_first_step_is_right_to_second_order(small_test, run, kind, drive):
    """x_1 = x_0 + dt v_0 + dt²/2 a_0 + O(dt³): half the step, an eighth of the rest."""
    rest = []
    for dt in (2e-3, 1e-3):
        test = small_test(kind, dt, drive=drive, duration=0.1)
        found, one = run(test), test.integrator.stages
        x, v, a = (found[f"structure.{s}"] for s in ("displacement", "velocity", "acceleration"))
        rest.append(abs(x[one, 0] - x[0, 0] - dt * v[0, 0] - dt**2 / 2 * a[0, 0]))
    if kind in ("central_difference", "explicit_newmark"):
        assert max(rest) < 1e-16  # it is their rule
    else:
        assert rest[0] / rest[1] > 7.6


@pytest.mark.parametrize("kind", KINDS)
def test_displacement_is_what_was_told_as_target(small_test, run, kind):
    found = run(small_test(kind, 0.01, 3, kind in SPLIT))
    target = found["integrator.target"][:, 0]
    if kind in SPLIT:
        gap = np.abs(target - found["structure.displacement"][:, 0])
        assert 0 < gap.max() < 2 * 0.01**2 * np.abs(found["structure.acceleration"]).max()
    else:
        assert_array_equal(target, found["structure.displacement"][:, 0])


@pytest.mark.parametrize("kind", KINDS)
def test_forces_balance_at_every_step(small_test, run, kind):
    """M a + C v + K x + L' f = B e, with the force at x also where the target is a predictor."""
    test = small_test(kind, 0.01, 3, kind in SPLIT)
    found, e = run(test), test.equation
    x, v, a = (found[f"structure.{s}"] for s in ("displacement", "velocity", "acceleration"))
    left = a @ e.M.T + v @ e.C.T + x @ e.K.T + SPECIMEN * x @ (e.L.T @ e.L)
    right = found["excitation.signal"] @ e.B.T
    assert_allclose(left, right, atol=1e-9 * np.abs(right).max())


def test_lsrt2_knows_the_velocity_that_follows(small_test, run):
    found = run(small_test("lsrt2", 0.01, 3))
    assert_array_equal(found["structure.next_velocity"][:-1], found["structure.velocity"][1:])


@pytest.mark.parametrize("kind", ["cr", "kr_alpha", "mkr_alpha"])
def test_the_next_velocity_of_a_stiff_mode_stays_bounded(small_test, run, kind):
    """v + dt a would overshoot by Ω²; what the scheme goes on with does not."""
    stiff = find("structure", "linear")(mass=2.0, damping=0.0, stiffness=2e8)
    found = run(small_test(kind, 0.01, structure=stiff, drive="free", duration=1.0))
    speed = 10 * np.abs(found["structure.displacement"]).max() / 0.01
    velocity, acceleration = found["structure.velocity"], found["structure.acceleration"]
    assert np.abs(velocity).max() < speed
    assert np.abs(velocity + 0.01 * acceleration).max() > 100 * speed


@pytest.mark.parametrize("kind", KINDS)
def test_targets_are_the_same_whether_the_response_is_wanted_or_not(small_test, kind):
    e = small_test(kind, 0.01, 3).equation
    u = np.column_stack([np.linspace(0, 3, 40) ** 2, np.cos(np.arange(40.0))])
    bare = respond(made(kind).block(e, 0.01, e.size), u)
    full = respond(made(kind).block(e, 0.01, 5 * e.size), u)
    assert_array_equal(bare, full[:, : e.size])


@kernel
def linear(x, p, u, y):
    # p = K by rows
    for i in range(y.size):
        s = 0.0
        for j in range(u.size):
            s += p[i * u.size + j] * u[j]
        y[i] = s


@pytest.mark.parametrize("kind", KINDS)
def test_a_linear_law_given_as_nonlinear_changes_nothing(small_test, run, kind):
    """r(x) = K x by a block of its own, called at each target, gives the linear response."""
    given = small_test(kind, 0.01, 3, drive="free")
    K = given.structure.matrices()[2]

    class Disguised(type(given.structure)):
        def restoring(self):
            return Block(linear, K.ravel(), outputs=3)

    s = given.structure
    same = Disguised(masses=s.masses, stiffnesses=s.stiffnesses, damping_ratios=s.damping_ratios)
    found = run(small_test(kind, 0.01, 3, drive="free", structure=same))
    for signal in ("integrator.target", "structure.velocity", "structure.acceleration"):
        want = run(given)[signal]
        assert_allclose(found[signal], want, atol=1e-11 * np.abs(want).max())


@pytest.mark.parametrize("kind", KINDS)
def test_all_loops_agree_to_the_last_bit(small_test, run, kind):
    test = small_test(kind, 0.01, 3, duration=0.5)
    want = run(test, "interpreted")
    for engine in ("table", "fused") if kind in OWN_KERNEL else ("table",):
        found = run(test, engine)
        for signal in want:
            assert_array_equal(found[signal], want[signal])


def test_a_stiffness_that_does_not_fit_the_actuators_is_refused():
    e = EquationOfMotion(
        np.eye(2), np.eye(2), np.eye(2), np.eye(2), np.zeros((2, 0)), np.zeros(2), np.zeros(2)
    )
    cr = find("integrator", "cr")
    with pytest.raises(InputError, match=r"interface_stiffness.*3x3 for 2 actuator"):
        cr(interface_stiffness=np.eye(3)).block(e, 0.01, 2)
    full = cr(interface_stiffness=[[5.0, 1.0], [1.0, 7.0]]).total_stiffness(e)
    assert_array_equal(full, [[6.0, 1.0], [1.0, 8.0]])
    assert_array_equal(cr(interface_stiffness=5.0).total_stiffness(e), 6 * np.eye(2))
