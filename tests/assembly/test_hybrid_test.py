"""Seven descriptions wired into one loop: what runs when, and what does not fit together."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from rths.errors import InputError
from rths.run.virtual import simulate


def test_dead_time_of_whole_steps_returns_the_commands_sent_before(rig, make):
    record = simulate(rig(step=4e-3, transfer=make("transfer", "dead_time", delay=8e-3)))
    command, moved = record["compensator.command"], record["transfer.displacement"]
    assert_array_equal(moved[8:], command[:-8])
    assert_array_equal(moved[:8], 0.0)


def test_row_k_belongs_to_the_time_k_h(rig, make):
    """Update, then sample: with an ideal actuator the force of row k is that of row k's target."""
    record = simulate(rig(transfer=make("transfer", "dead_time", delay=0.0), step=4e-3))
    assert_array_equal(record["specimen.force"], 2250.0 * record["integrator.target"])
    assert_array_equal(record["transfer.displacement"], record["compensator.command"])
    t = record.time("excitation.signal")
    assert_allclose(record["excitation.signal"][:, 0], np.sin(6 * np.pi * t), atol=1e-12)
    assert_allclose(t, np.arange(len(t)) * 4e-3, rtol=1e-12)


def test_target_of_a_step_is_reached_at_its_end(rig):
    record = simulate(rig(step=4e-3))
    displacement = record["structure.displacement"][:, 0]  # at t = 0, 4 ms, ...
    assert_array_equal(record["integrator.target"][::4, 0], displacement)
    ramp = record["integrator.target"][:, 0]
    middle = 0.25 * ramp[:-4:4] + 0.75 * ramp[4::4]
    assert_allclose(ramp[3::4][: len(middle)], middle, rtol=1e-12, atol=1e-18)


def test_held_command_waits_for_the_end_of_the_step(rig):
    ramp = simulate(rig(step=4e-3, ramp="hold"))["integrator.target"][:, 0]
    for late in (1, 2, 3):
        assert_array_equal(ramp[late::4][:50], ramp[:-1:4][:50])


def test_equation_of_motion_holds_in_the_record(rig):
    """M a + C v + K x + f = -M a_g at every step, with the force that was measured then."""
    record = simulate(rig(step=2e-3, duration=1.0))
    x, v, a = (record[f"structure.{n}"][:, 0] for n in ("displacement", "velocity", "acceleration"))
    f, e = record["feedback.force"][::2, 0], record["excitation.signal"][:, 0]
    residue = 2.2 * a + 15.0 * v + 2250.0 * x + f + 2.2 * e
    assert_allclose(residue, 0.0, atol=1e-9 * np.abs(2.2 * a).max())


@pytest.mark.parametrize("role", ["compensator", "transfer", "specimen", "feedback"])
@pytest.mark.parametrize("times", [1, 3])
def test_role_must_be_given_once_or_for_each_actuator(rig, building, role, times):
    one = getattr(rig(), role)
    with pytest.raises(InputError) as error:
        rig(structure=building(0, 1), **{role: (one,) * times})
    assert error.value.field == role
    assert f"{times} times for 2 actuator(s)" in error.value.problem
    assert "once for each" in error.value.remedy


def test_each_actuator_has_its_own_settings(rig, building, make):
    delays, stiffnesses = (0.002, 0.007), (1000.0, 300.0)
    test = rig(
        structure=building(0, 1),
        transfer=tuple(make("transfer", "dead_time", delay=d) for d in delays),
        specimen=tuple(make("specimen", "spring", stiffness=k) for k in stiffnesses),
    )
    record = simulate(test)
    for c, (delay, k) in enumerate(zip(delays, stiffnesses, strict=True)):
        q = round(delay / 1e-3)
        moved = record["transfer.displacement"][:, c]
        assert_array_equal(moved[q:], record["compensator.command"][:-q, c])
        assert_array_equal(record["specimen.force"][:, c], k * moved)


def test_settings_for_all_are_settings_for_each(rig, building, make):
    one = make("transfer", "second_order", frequency=30.0, damping=0.8)
    alike = simulate(rig(structure=building(0, 1), transfer=one))
    each = simulate(rig(structure=building(0, 1), transfer=(one, one)))
    assert alike.rows.tobytes() == each.rows.tobytes()


def test_specimen_in_a_storey_feels_the_deformation_between_floors(rig, building):
    record = simulate(rig(structure=building(0, 1, attached="storey")))
    x = record["structure.displacement"]
    target = record["integrator.target"]
    assert_allclose(target[1:, 0], x[1:, 0], rtol=1e-12)
    assert_allclose(target[1:, 1], (x[:, 1] - x[:, 0])[1:], rtol=0, atol=1e-15)


def test_floors_are_picked_in_the_order_given(rig, building):
    there = simulate(rig(structure=building(0, 1, attached="floor")))
    back = simulate(rig(structure=building(1, 0, attached="floor")))
    assert_array_equal(there["integrator.target"], back["integrator.target"][:, ::-1])


def test_two_half_springs_are_one_spring(rig, make):
    """Two actuators on one degree of freedom share its force."""
    both = make("structure", "linear", mass=2.2, damping=15.0, stiffness=2250.0, interface=(0, 0))
    half = make("specimen", "spring", stiffness=1125.0)
    x = simulate(rig(structure=both, specimen=half))["structure.displacement"]
    assert_allclose(x, simulate(rig())["structure.displacement"], rtol=1e-9, atol=1e-15)


def test_scales_and_count_multiply_what_one_small_specimen_gives(rig, make):
    plain = simulate(rig(specimen=make("specimen", "spring", stiffness=2250.0)))
    small = make("specimen", "spring", stiffness=2250.0, force_scale=3.0, length_scale=6.0, count=2)
    scaled = simulate(rig(specimen=small))
    assert_allclose(scaled["specimen.force"], plain["specimen.force"], rtol=1e-9, atol=1e-12)


def test_emulated_test_has_no_gap(rig, make):
    hybrid = rig(
        compensator=make("compensator", "polynomial", delay=0.003),
        feedback=make("feedback", "noise", force=1.0),
        name="rig",
    )
    whole = hybrid.reference_test()
    record = simulate(whole)
    assert whole.name == "rig, emulated"
    assert_array_equal(record["transfer.displacement"], record["integrator.target"])
    assert_array_equal(record["feedback.force"], 2250.0 * record["integrator.target"])
    alone = rig(
        structure=make("structure", "linear", mass=2.2, damping=15.0, stiffness=4500.0),
        specimen=make("specimen", "spring", stiffness=0.0),
    )
    x = simulate(alone)["structure.displacement"]
    assert_allclose(record["structure.displacement"], x, rtol=1e-9, atol=1e-15)


def test_emulated_test_of_several_actuators(rig, building, make):
    transfers = tuple(make("transfer", "dead_time", delay=d) for d in (0.002, 0.007))
    record = simulate(rig(structure=building(0, 1), transfer=transfers).reference_test())
    assert_array_equal(record["transfer.displacement"], record["integrator.target"])


def test_only_what_is_asked_for_is_recorded(rig):
    full, few = simulate(rig()), simulate(rig(record=("feedback.force", "integrator.target[0]")))
    assert list(few) == ["feedback.force", "integrator.target[0]"]
    assert_array_equal(few["feedback.force"], full["feedback.force"])
    assert_array_equal(few["integrator.target[0]"], full["integrator.target"])


@pytest.mark.parametrize("name", ["feedback.torque", "feedback.force[1]", "Feedback.force", ""])
def test_unknown_signal_to_record_is_refused(rig, name):
    with pytest.raises(InputError) as error:
        rig(record=("feedback.force", name))
    assert error.value.field == "record.signals"
    assert error.value.value == name
    assert error.value.remedy


@pytest.mark.parametrize(
    ("name", "limit"),
    [
        ("feedback.torque", 1.0),
        ("feedback.force[1]", 1.0),
        ("excitation.signal", 1.0),
        ("structure.displacement", 1.0),
        ("feedback.force", 0.0),
        ("feedback.force", (2.0, 1.0)),
        ("feedback.force", (1.0, 1.0)),
        ("feedback.force", float("nan")),
    ],
)
def test_limit_that_makes_no_sense_is_refused(rig, name, limit):
    with pytest.raises(InputError) as error:
        rig(limits={name: limit})
    assert error.value.field == f"limits.{name}"
    assert error.value.remedy


def test_limit_stops_the_run_where_it_is_passed(rig):
    free = simulate(rig())["compensator.command"][:, 0]
    bound = 0.5 * np.abs(free).max()
    record = simulate(rig(limits={"compensator.command": bound}))
    first = int(np.argmax(np.abs(free) > bound))
    assert (record.stop.reason, record.stop.tick) == ("limit", first)
    assert record.stop.signal == "compensator.command"
    assert abs(record.stop.value) > bound >= np.abs(record["compensator.command"]).max()
    assert record.stop.limit == (-bound, bound)
    assert_array_equal(record["compensator.command"][:, 0], free[:first])


def test_one_sided_limits_and_elements(rig, building):
    test = rig(structure=building(0, 1), excitation=rig().excitation, duration=0.5)
    free = simulate(test)["feedback.force"][:, 1]
    high = 0.3 * free.max()
    limits = {"feedback.force[1]": (-1e9, high), "feedback.force[0]": 1e9}
    record = simulate(test.with_values({"limits": limits}))
    assert record.stop.tick == int(np.argmax(free > high))
    assert record.stop.signal == "feedback.force[1]"


def test_everything_is_guarded_against_what_is_not_finite(rig, make):
    """Central differences far beyond ω dt = 2 double at every step, until they overflow."""
    stiff = make("structure", "linear", mass=1e-6, damping=0.0, stiffness=2250.0)
    record = simulate(rig(structure=stiff, duration=5.0))
    assert record.stop.reason == "not finite"
    assert np.isfinite(record["compensator.command"]).all()
    assert len(record.rows) == record.stop.tick


def test_one_compensator_for_all_channels_cannot_be_one_of_several(rig, building, make):
    joint = make("compensator", "model_based", delay=0.003, interface_stiffness=2250.0)
    other = make("compensator", "none")
    rig(structure=building(0, 1), compensator=joint)
    for pair in ((joint, other), (other, joint), (joint, joint)):
        with pytest.raises(InputError) as error:
            rig(structure=building(0, 1), compensator=pair)
        assert error.value.field == "compensator"
        assert "once" in error.value.remedy


def test_force_on_a_degree_of_freedom_that_is_not_there_is_refused(rig, make):
    force = make("excitation", "sine", amplitude=1.0, frequency=1.0, acting="force", dof=1)
    with pytest.raises(InputError, match=r"excitation\.dof = 1: does not exist"):
        rig(excitation=force)


def test_random_numbers_differ_between_channels_and_seeds(rig, building, make):
    noisy = {"feedback": make("feedback", "noise", force=1.0), "structure": building(0, 1)}
    free = make("excitation", "free_vibration")
    force = simulate(rig(excitation=free, **noisy))["feedback.force"]
    assert not np.array_equal(force[:, 0], force[:, 1])
    other = simulate(rig(excitation=free, seed=1, **noisy))["feedback.force"]
    assert not np.array_equal(force, other)
