"""Plans measured by what they are not: by another actuator, by a preload, by no limit at all."""

from __future__ import annotations

from dataclasses import replace
from math import pi

import numpy as np
import pytest

from benchmarks.certificates.own_blocks import Stiffening
from rths import simulate
from rths.assembly.safety import Safety
from rths.stability.bench import Bench
from rths.stability.certificate import certify
from rths.stability.counterexample import Counterexample, _shows, push
from rths.stability.disturbance import Start
from rths.stability.quiet_noise import QuietNoise, _rise, quiet_length
from rths.stability.rehearsal import Pulse, Rehearsal
from rths.stability.structural_modes import modes_of
from rths.stability.trial import Trial
from rths.stability.verdict import judge_trial
from rths.stability.yardstick import Yardstick

MASSES, RATES = np.array([20e3, 1e3]), 2 * pi * np.array([1.0, 3.0])


@pytest.fixture(scope="module")
def two_axes(rig, make):
    """A heavy mass that the ground shakes by 0.11 m, and a light one that hardly moves."""

    def made(influence, share, damping, rates=RATES, **given):
        stiffness, own = MASSES * rates**2, np.array(share) * MASSES * rates**2
        return rig(
            structure=make(
                "structure",
                "linear",
                mass=np.diag(MASSES).tolist(),
                stiffness=np.diag(stiffness - own).tolist(),
                damping=np.diag(2 * np.array(damping) * rates * MASSES).tolist(),
                interface=(0, 1),
                influence=influence,
            ),
            excitation=make("excitation", "ground_motion", scale=1.0, length=20.0),
            tick=1 / 1024,
            duration=30.0,
            **{"specimen": tuple(make("specimen", "spring", stiffness=k) for k in own)} | given,
        )

    return made


@pytest.fixture(scope="module")
def held(two_axes, make):
    """The light mass is held by friction, and late: moved by a tenth of the other it runs away."""
    spring, own = (0.3, 0.7) * MASSES * RATES**2
    friction = make("specimen", "mr_bingham", friction=110.0, damping=0.0, stiffness=own)
    return two_axes(
        [1.0, 0.15],
        (0.3, 0.7),
        (0.05, 0.01),
        specimen=(make("specimen", "spring", stiffness=spring), friction),
        transfer=tuple(make("transfer", "dead_time", delay=d) for d in (10e-3, 3e-3)),
        compensator=(
            make("compensator", "polynomial", delay=10e-3, order=2),
            make("compensator", "none"),
        ),
        limits={"compensator.command": 0.25},
    )


def test_an_actuator_that_moves_little_is_pushed_up_to_the_limits_too(held, monkeypatch):
    rehearsal = Rehearsal(held)
    pushed = rehearsal.run(rehearsal.start, rehearsal.ticks, Pulse(12 * 1024, 170, (0.0, 5e3)))
    light = np.abs(pushed.rows[:, 1])
    assert light[13 * 1024 : 14 * 1024].max() < 0.04  # a sixth of the limit
    assert light[-1024:].max() > 0.2  # and it grows
    found = certify(held, margins=False)
    assert found.verdict == "unstable"
    assert found.counterexample.words == "a push"
    monkeypatch.setattr(Yardstick, "uneven", False)
    assert certify(held, margins=False).verdict == "tested"


def test_an_actuator_by_itself_goes_as_far_as_its_limit_allows(held):
    bench = Bench(held, modes_of(held))
    y = bench.yardstick
    most, least = y.motion.max(), y.motion.min()
    assert y.uneven
    assert most > 20 * least
    assert y.shares(0.5, alone=False) == pytest.approx([0.5, 0.5])
    assert y.shares(0.5, alone=True) == pytest.approx([0.5, 0.5 * most / least])
    assert y.unit(1) * y.limit == pytest.approx(0.125)
    far = np.zeros((1, 6))
    far[0, 1] = 40 * least  # lost unless that is what it was pushed by
    assert y.is_lost(far)
    assert not y.is_lost(far, y.shares(1.0, alone=True))
    assert y.is_lost(far, y.shares(1.0, alone=False))
    assert Start(0, 1.0, 1, 0, channel=1).alone


def test_the_way_of_a_preload_to_its_place_is_no_motion_of_the_test(rig, make):
    def bench(offset):
        damper = make(
            "specimen", "mr_bingham", friction=0.0, damping=4.0, stiffness=1e3, offset=offset
        )
        test = rig(specimen=damper, transfer=make("transfer", "dead_time", delay=1e-3))
        return Bench(test, modes_of(test))

    plain, loaded = bench(0.0), bench(40.0)
    assert np.ptp(loaded.line.motion[:, 0]) > 3 * np.ptp(plain.line.motion[:, 0])
    assert loaded.yardstick.motion == pytest.approx(plain.yardstick.motion, rel=1e-9)


def test_a_free_vibration_is_measured_by_itself(rig, make):
    free = make("excitation", "free_vibration", displacement=(4e-3,))
    test = rig(excitation=free, transfer=make("transfer", "dead_time", delay=1e-3))
    assert 2e-3 < Bench(test, modes_of(test)).yardstick.motion[0] < 4e-3


@pytest.fixture(scope="module")
def half_late(rig, make):
    """One mass at 3 Hz, half of whose stiffness is the specimen's, shaken for 8 s of 40."""

    def made(scale, **given):
        mass, rate = 1000.0, 6 * pi
        half = 0.5 * mass * rate**2
        return rig(
            structure=make(
                "structure", "linear", mass=mass, stiffness=half, damping=0.06 * mass * rate
            ),
            specimen=make("specimen", "spring", stiffness=half),
            excitation=make("excitation", "ground_motion", scale=scale, length=8.0),
            duration=40.0,
            **given,
        )

    return made


def test_a_pushed_copy_that_leaves_the_limits_and_comes_back_is_not_called_tested(half_late, make):
    # 30 ms late for 3 s in the quiet: a push by 1.6 mm becomes 21 mm, and the plan ends at 16 mm
    test = half_late(
        0.2,
        transfer=make("transfer", "dead_time", delay=2e-3),
        feedback=make("feedback", "fault", fault="late", start=20.0, duration=3.0, size=0.03),
        tick=1 / 1024,
        limits={"compensator.command": 0.016},
    )
    found = certify(test, margins=False)
    assert found.verdict == "undecided"
    assert "leaves a limit of the plan on its way" in found.sentence
    beyond = [s for s in found.trial.shadows if s.beyond]
    assert min(s.largest * found.trial.motion for s in beyond) > 0.016


@pytest.mark.parametrize("jump", [600.0, 1000.0])
def test_an_axis_that_nothing_moves_may_come_to_rest_elsewhere(two_axes, make, jump):
    # 1000 N are 2.8 mm where the other axis moves by 111 mm
    fault = make("feedback", "fault", fault="jump", start=5.0, size=jump)
    test = two_axes(
        [1.0, 0.0],
        (0.3, 0.5),
        (0.05, 0.05),
        transfer=make("transfer", "dead_time", delay=2e-3),
        feedback=(make("feedback", "direct"), fault),
    )
    assert certify(test, margins=False).verdict == "proved"


@pytest.mark.parametrize(("falls", "verdict"), [(False, "unstable"), (True, "undecided")])
def test_what_rises_less_each_time_is_no_chatter(falls, verdict):
    noise = QuietNoise(40.0, 0.01, 0.5, 3.0, falls=falls)
    found = judge_trial(Trial(1e-3, 0.02, 3.1, 0.3, None, (), (), noise), -1.0, 1e-3)
    assert found.verdict == verdict
    assert ("to no more each time" in found.reason) == falls


def test_a_delay_that_swings_slowly_lets_a_loop_rise_less_each_time(half_late, make):
    # from 1 to 11 ms in 20 s: nine times as much in each bad spell, a half over all
    test = half_late(
        0.05,
        transfer=make(
            "transfer", "varying_dead_time", delay=6e-3, swing=5e-3, swing_frequency=0.05
        ),
        tick=1 / 256,
    )
    rehearsal = Rehearsal(test)
    end = rehearsal.run(rehearsal.start, rehearsal.ticks).state
    quiet = np.abs(rehearsal.run(end, 80 * 256, quiet=True).rows[:, 0]).reshape(4, -1).max(axis=1)
    assert np.all(quiet[1:] < 0.6 * quiet[:-1])
    found = certify(test, margins=False)
    assert found.verdict == "undecided"
    assert "to no more each time" in found.sentence


def test_a_stiff_axis_beside_a_soft_one_is_pushed_by_itself(two_axes, make):
    # 0.5 and 10 Hz: a push of both moves the soft one by 200 mm and the stiff one by 11 at most,
    # which decays; 44 mm are the beginning of a run-away
    rates = 2 * pi * np.array([0.5, 10.0])
    soft, stiff = (0.3, 0.5) * MASSES * rates**2
    test = two_axes(
        [1.0, 0.1],
        (0.3, 0.5),
        (0.1, 0.005),
        rates,
        specimen=(
            make("specimen", "spring", stiffness=soft),
            make("specimen", "mr_bingham", friction=1e3, damping=0.0, stiffness=stiff),
        ),
        transfer=tuple(make("transfer", "dead_time", delay=d) for d in (10e-3, 1e-3)),
        compensator=(
            make("compensator", "polynomial", delay=10e-3, order=2),
            make("compensator", "none"),
        ),
        limits={"compensator.command": 0.4},
    )
    found = certify(test, margins=False)
    assert found.verdict == "unstable"
    assert "pushed by 200 mm" in found.sentence


def test_every_actuator_has_its_own_limit_and_what_has_none_is_told(held):
    own = replace(held, limits={"compensator.command[0]": 0.25, "compensator.command[1]": 0.01})
    y = Bench(own, modes_of(own)).yardstick
    assert [y.unit(c) * y.limit for c in (0, 1)] == pytest.approx([0.125, 0.005])
    free = replace(held, limits={})
    found = certify(free, margins=False, share=0.05)
    assert found.verdict == "tested"
    assert "mm (by actuator)" in found.sentence


def test_a_guard_that_ends_the_rehearsed_test_leaves_it_undecided(held):
    quick = Safety(rate=0.05, velocity=0.2)
    found = certify(replace(held, safety=quick, limits={"compensator.command": 0.4}), share=0.05)
    assert found.verdict in ("undecided", "unstable")
    assert Bench(replace(held, safety=quick), modes_of(held)).excess.startswith("a guard ends")
    slow = replace(held, safety=Safety(rate=0.05, velocity=5.0))
    assert not Bench(slow, modes_of(held)).excess


def test_a_command_that_is_faded_in_is_rehearsed_as_it_is_run(rig, make):
    test = rig(
        transfer=make("transfer", "dead_time", delay=2e-3),
        safety=Safety(rate=0.05, fade_in=1.0),
        limits={"compensator.command": 0.5},
        record=("integrator.target", "transfer.displacement"),
    )
    run = simulate(test)
    rehearsal = Rehearsal(test, fades=True)
    rows = rehearsal.run(rehearsal.start, rehearsal.ticks).rows
    n = round(test.duration / test.tick)
    for column, name in ((0, "integrator.target"), (2, "transfer.displacement")):
        seen = run[name][:n, 0]
        np.testing.assert_allclose(rows[:n, column], seen, atol=1e-12 * np.abs(seen).max())
    plain = Rehearsal(test)
    other = plain.run(plain.start, n).rows
    assert np.abs(other[:500, 2] - rows[:500, 2]).max() > 0.1 * np.abs(rows[:500, 2]).max()
    found = certify(test, margins=False)
    assert found.verdict == "proved"
    assert any("after 1 s, when its command is faded in" in note for note in found.notes)


def test_a_preload_beside_which_a_test_is_small_is_no_loss(rig, make):
    # 11 mm to its place, and a motion of 0.2 mm
    test = rig(
        structure=make("structure", "linear", mass=300.0, stiffness=5.8e3, damping=53.0),
        specimen=make("specimen", "mr_bouc_wen"),
        excitation=make("excitation", "ground_motion", scale=0.05, length=10.0),
        transfer=make("transfer", "dead_time", delay=2e-3),
        tick=1 / 1024,
        duration=12.0,
    )
    bench = Bench(test, modes_of(test))
    y = bench.yardstick
    assert y.way[0] > 30 * y.motion[0]
    assert not any(y.is_lost(rows) for rows in bench.line.rows)
    assert not bench.excess


def test_noise_that_comes_and_goes_is_no_rise_and_a_slow_growth_is_one():
    rng, n, kept = np.random.default_rng(2), 900, np.exp(-2 / 5.3)  # 3 % at 1 Hz, windows of 2 s
    wave = np.zeros(n, complex)
    for k in range(1, n):
        wave[k] = kept * wave[k - 1] + rng.normal() + 1j * rng.normal()
    sizes = 0.02 * np.abs(wave[20:])
    level, largest = _rise(sizes.tolist(), 0.0)
    assert largest < 4 * level
    quietest = min(np.median(sizes[k : k + 5]) for k in range(n - 30))
    assert largest > 4 * quietest  # as it was measured
    level, largest = _rise((sizes * 1.005 ** np.arange(sizes.size)).tolist(), 0.0)
    assert largest > 20 * level


def test_what_the_excitation_moves_shows_no_loss(rig, make):
    test = rig(transfer=make("transfer", "dead_time", delay=2e-3))
    bench = Bench(test, modes_of(test))
    none = push(test, Pulse(500, 100, (0.0,)))
    assert not _shows(bench, Counterexample(none, "a push", test))


def test_an_excitation_can_end_without_a_kick(rig, make):
    test = rig(transfer=make("transfer", "dead_time", delay=2e-3), duration=3.0 + 1 / 6)
    rehearsal = Rehearsal(test)
    end = rehearsal.run(rehearsal.start, rehearsal.ticks).state
    smooth = rehearsal.end_smoothly(end, 2000)
    after = rehearsal.run(smooth, 2000, quiet=True).rows[:, 0]
    kicked = rehearsal.run(end, 2000, quiet=True).rows[:, 0]
    driven = rehearsal.run(end, 2000).rows[:, 0]
    assert np.abs(after).max() < 0.1 * np.abs(kicked).max()
    assert np.abs(driven[-700:]).max() > 5 * np.abs(kicked[-700:]).max()  # it had gone on


def test_a_quiet_end_is_long_enough_to_hear_a_rise(held):
    assert quiet_length(Rehearsal(held), 10_000_000, share=0.01) == 10


def test_a_mode_is_pushed_until_the_actuator_that_moves_little_is_at_its_limit(rig, make):
    """Pushed by 24.7 mm in mode 2 it is lost whenever that comes; by itself never."""
    test = rig(
        excitation=make("excitation", "ground_motion", scale=0.0173806),
        structure=make(
            "structure",
            "shear_building",
            masses=[1115.5682, 889.3763],
            stiffnesses=[107064.717, 85999.803],
            interface=(0, 1),
            rayleigh=(0.01053853, 0.01053853),
        ),
        integrator=make("integrator", "exact", interface_stiffness=7335.9925),
        transfer=(
            make(
                "transfer",
                "varying_dead_time",
                delay=0.0173208,
                swing=0.01387325,
                swing_frequency=2.2852028,
            ),
            make(
                "transfer",
                "series",
                links=[
                    {"kind": "dead_time", "delay": 0.00997069},
                    {"kind": "first_order", "time_constant": 0.00735012},
                ],
            ),
        ),
        specimen=(
            Stiffening(stiffness=3754.2838, cubic=1.2761348e8),
            make(
                "specimen",
                "mr_elastic_plastic",
                slip_force=40.48307,
                slip_displacement=0.00386289,
                damping=355.06808,
            ),
        ),
        limits={"compensator.command": 0.04949407},
        tick=1 / 512,
        duration=11.0,
    )
    bench = Bench(test, modes_of(test))
    quiet, _, pusher = bench.left_alone
    assert bench.yardstick.uneven
    far = Start(0, bench.yardstick.limit, 1, 0)
    alike = pusher.aim_furthest(far, 1)
    assert quiet.release(pusher, alike).fate == "lost"
    assert quiet.release(pusher, replace(far, channel=0, mode=1)).fate == "decays"
    lengths = bench.yardstick.lengths(alone=True)
    assert bench.yardstick.unit(alike.channel) == lengths.max() > bench.yardstick.motion.min()
    assert certify(test, margins=False).verdict == "unstable"


@pytest.mark.parametrize(
    ("share", "verdict", "told"),
    [(0.05, "undecided", "times as far as a limit"), (0.5, "proved", "limit of the plan ends")],
)
def test_a_proof_whose_test_goes_ten_limits_far_is_none(rig, make, share, verdict, told):
    test = rig(transfer=make("transfer", "dead_time", delay=1e-3))
    largest = np.abs(simulate(test)["compensator.command"]).max()
    found = certify(replace(test, limits={"compensator.command": share * largest}), margins=False)
    assert found.verdict == verdict
    assert told in " ".join((found.sentence, *found.notes))
