"""Faults that certificates have had: stable was said and lost was meant, or the other way round."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rths.loop.block import Block, kernel
from rths.specimen.base import Specimen, describe
from rths.stability.bench import Bench
from rths.stability.certificate import certify
from rths.stability.course import fate_of
from rths.stability.disturbance import Pusher, ladder
from rths.stability.quiet_end import Release
from rths.stability.shadows import Follower, draw_starts, largest_lasting, sweep_largest
from rths.stability.structural_modes import modes_of, specimen_stiffness
from rths.stability.trial import Trial
from rths.stability.verdict import judge_trial

CRITICAL = 6.77e-3
"""Critical delay of the rig, s."""


@pytest.fixture(scope="module")
def late(rig, make):
    """The rig with 5 ms of delay, which it bears, a motion of 3 mm, and any other part."""
    strong = make("excitation", "sine", amplitude=5.0, frequency=1.5)

    def made(**given):
        quick = make("transfer", "dead_time", delay=5e-3)
        return rig(**{"transfer": quick, "excitation": strong, **given})

    return made


@pytest.mark.parametrize(("delay", "verdict"), [(5e-3, "proved"), (7.5e-3, "unstable")])
def test_cause_1_noise_is_an_input_and_roots_decide_with_it(late, make, delay, verdict):
    noise = make("feedback", "noise", force=0.5, displacement=1e-5)
    transfer = make("transfer", "dead_time", delay=delay)
    noisy = certify(late(feedback=noise, transfer=transfer), margins=False)
    clean = certify(late(transfer=transfer), margins=False)
    assert noisy.verdict == clean.verdict == verdict
    assert noisy.growth_rate == clean.growth_rate


def test_cause_2_a_motion_that_went_far_and_shrank_is_lost(late, make):
    # beyond the critical delay for a second and a half: it grows to some metres, and comes back
    fields = {"delay": 30e-3, "final_delay": 2e-3, "drift_time": 2.0}
    found = certify(late(transfer=make("transfer", "varying_dead_time", **fields)), margins=False)
    assert found.verdict == "unstable"


@pytest.mark.parametrize(
    ("sizes", "fate"),
    [
        ([1.0, 0.5, 0.2, 0.1], "decays"),
        ([1.0, 0.6, 0.61, 0.6], "keeps"),
        ([1.0, 0.5, 0.6, 0.9], "grows"),
        ([1.0, 0.5, 0.011, 0.012], "decays"),  # what is left does not matter
    ],
)
def test_cause_2_what_neither_decays_nor_grows_is_not_stable(sizes, fate):
    assert fate_of(sizes, 0.02) == fate


def test_a_motion_that_gets_smaller_may_come_down_to_a_cycle(late, make):
    # play keeps it moving by a hundred times its gap; it takes 50 s to come down to that
    frame = make("structure", "linear", mass=2.2, damping=11.5, stiffness=2250.0)
    loose = {"actuator": {"kind": "dead_time", "delay": 5e-3}, "gap": 2e-6}
    found = certify(late(structure=frame, transfer=make("transfer", "backlash", **loose)), False)
    assert found.verdict == "unstable"


def test_what_a_quantiser_keeps_moving_is_no_growth():
    wobble = [8.0, 0.5, 0.09, 0.06, 0.09, 0.085, 0.1, 0.095]
    assert fate_of(wobble, 0.02) == "keeps"


@pytest.mark.parametrize(
    ("found", "lasting"),
    [
        ([0.2, 0.01, 0.001], 0.001),  # the answer of an inverse to a kink
        ([0.2], 0.0),
        ([0.001, 0.01, 0.2, 0.3, 0.25], 0.25),
        ([0.001, 0.001, 0.001, 0.2], 0.2),  # from after a memory to the end
    ],
)
def test_a_deviation_has_grown_if_it_lasts(found, lasting):
    assert largest_lasting(found) == lasting


def test_a_root_that_grows_until_the_delay_has_drifted_is_no_loss(late, make):
    fields = {"delay": 6.83e-3, "final_delay": 3e-3, "drift_time": 2.0}
    found = certify(late(transfer=make("transfer", "varying_dead_time", **fields)), margins=False)
    assert found.growth_rate > 0  # frozen at the start
    assert found.verdict == "tested"


def test_a_specimen_with_a_mass_on_its_joint_has_the_stiffness_of_both(late, make):
    # 2250 N/m behind a joint of 9000 N/m: 1800 N/m; the mass swings on at 5 Hz
    spring = {"kind": "spring", "stiffness": 2250.0}
    joint = {"joint_stiffness": 9000.0, "joint_damping": 5.0}
    test = late(specimen=make("specimen", "with_mass", mass=11.0, specimen=spring, **joint))
    assert specimen_stiffness(test, 0) == pytest.approx(1800.0, rel=0.05)


def test_what_is_left_is_told_in_lengths_of_its_own_channel(late, make):
    release = Release(1e-3, 1, 1, "keeps", 0.5, 0.5, 4.0, 9.0, 2e-5, False, False)
    other = replace(release, size=2e-3, first=0.9)
    trial = Trial(1e-3, 0.02, 5.0, 0.3, None, (), (release, other))
    assert "with 20 µm" in judge_trial(trial, -1.0, 1e-3).reason


def test_cause_3_all_modes_both_signs_and_all_sizes_are_tried(late, make):
    floors = make(
        "structure",
        "shear_building",
        masses=[1e3] * 5,
        stiffnesses=[4e5] * 5,
        damping_ratios=[0.05],
    )
    bench = Bench(late(structure=floors, duration=6.0), modes_of(late(structure=floors)))
    y = bench.yardstick
    pusher = Pusher(bench.rehearsal, bench.line.end, bench.modes, y, bench.shapes)
    starts = list(draw_starts(Follower(bench.line, y, pusher, None), 60))
    pushed = [s for s in starts if s.mode >= 0]
    assert {s.mode for s in pushed} == set(range(6))  # five modes, and the shortest pulse
    assert {s.size for s in pushed} == set(ladder(y))
    assert {(s.size, s.sign) for s in pushed} == {(a, s) for a in ladder(y) for s in (1, -1)}
    assert any(s.mode < 0 for s in starts)
    assert max(s.window for s in starts) == bench.line.windows - 1


@pytest.mark.parametrize("floors", [2, 3, 5, 6, 7])
def test_no_size_meets_one_mode_alone_and_the_largest_comes_in_every_window(late, make, floors):
    # seven modes in turn met six sizes in turn always alike: the largest push was never a slow one
    structure = make(
        "structure",
        "shear_building",
        masses=[1e3] * floors,
        stiffnesses=[4e5] * floors,
        damping_ratios=[0.05],
    )
    test = late(structure=structure, duration=6.0)
    bench = Bench(test, modes_of(test))
    y = bench.yardstick
    pusher = Pusher(bench.rehearsal, bench.line.end, bench.modes, y, bench.shapes)
    follower = Follower(bench.line, y, pusher, None)
    ways = {(s.size, s.mode, s.shape) for s in draw_starts(follower, 60) if s.mode >= 0}
    for size in ladder(y):
        assert len({way for way in ways if way[0] == size}) > 1
    largest = list(sweep_largest(follower))
    assert {s.size for s in largest} == {y.limit}
    slowest = [(s.window, s.sign) for s in largest if s.mode == 0]
    assert sorted(slowest) == [(w, s) for w in range(bench.line.windows) for s in (-1, 1)]
    assert largest[0].window == 0
    others = {s.mode for s in largest if s.mode > 0}
    assert len(others) == min(pusher.modes - 1, bench.line.windows)


@kernel
def hold_back(x, p, u, y):
    y[0] = p[0] * u[0] if u[0] < 0.0 else 0.0


@describe
class Cable(Specimen):
    """Resists to one side only."""

    kind = "cable"
    example = {}

    def block(self, site):
        return Block(hold_back, [40e3])


def test_cause_4_a_law_of_one_side_is_not_linear_without_force(late):
    found = certify(late(specimen=Cable()), margins=False)
    assert found.verdict == "unstable"
    assert len(found.nonlinear) == 1


@pytest.mark.parametrize(
    "fields",
    [
        {"delay": 5e-3, "swing": 4.9e-3, "swing_frequency": 0.05},  # the same at both ends
        {"delay": 5e-3, "final_delay": 9e-3, "drift_time": 15.0},
    ],
    ids=["swings", "drifts"],
)
def test_cause_5_a_loop_that_changes_is_looked_at_along_the_test(late, make, fields):
    transfer = make("transfer", "varying_dead_time", **fields)
    found = certify(late(transfer=transfer, duration=20.0), margins=False)
    assert found.growth_rate < 0  # frozen at the start
    assert found.verdict == "unstable"


def test_cause_5_a_fault_in_the_middle_is_no_linear_loop_at_all_times(late, make):
    fault = make("feedback", "fault", fault="stuck", start=1.0, duration=0.05)
    found = certify(late(feedback=fault), margins=False)
    assert found.trial is not None
    assert found.verdict == "tested"


@pytest.mark.parametrize(("gap", "verdict"), [(1e-4, "unstable"), (1e-8, "tested")])
def test_cause_6_a_cycle_is_measured_by_the_motion_and_not_by_a_quantiser(late, make, gap, verdict):
    # play in the actuator keeps the loop moving by about its gap; the converter by 0.3 µm
    loose = {"actuator": {"kind": "dead_time", "delay": 5e-3}, "gap": gap}
    fine = make("feedback", "quantisation", force_range=100.0, bits=16)
    test = late(transfer=make("transfer", "backlash", **loose), feedback=fine)
    assert certify(test, margins=False).verdict == verdict


def test_cause_6_rest_is_where_the_loop_comes_to_rest(late, make):
    # the preload of the damper moves the frame by some millimetres before anything else does
    damper = make("specimen", "mr_bouc_wen", voltage=[0.0], force_scale=0.01)
    found = certify(late(specimen=damper), margins=False)
    assert found.verdict == "tested"


def test_cause_6_noise_that_keeps_a_rig_moving_is_no_instability(late, make):
    friction = make("specimen", "power_law_damper", coefficient=15.0, exponent=0.8)
    noise = make("feedback", "noise", force=2.0)
    found = certify(late(specimen=friction, feedback=noise), margins=False)
    assert found.verdict == "tested"
    assert found.trial.noise.largest > 0


@kernel
def press(x, p, u, y):
    # p = stiffness, gap, stiffness beyond it
    y[0] = p[0] * u[0]
    if abs(u[0]) > p[1]:
        y[0] += p[2] * (u[0] - np.sign(u[0]) * p[1])


@describe
class Stop(Specimen):
    """A spring with a stop on either side; its gap is a bare number in a table of its own."""

    kind = "stop"
    example = {}
    law: dict[str, float]

    def block(self, site):
        return Block(press, [2250.0, self.law["gap"], 9000.0])


@pytest.mark.parametrize(("limit", "verdict"), [(0.03, "tested"), (0.1, "unstable")])
def test_cause_8_sizes_are_swept_to_the_limits_and_no_field_is_read(late, limit, verdict):
    test = late(specimen=Stop(law={"gap": 0.02}), limits={"compensator.command": limit})
    assert certify(test, margins=False).verdict == verdict  # the test itself moves 3 mm
