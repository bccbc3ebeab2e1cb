"""Laws that learn: what they have done so far bounds nothing, so less of it is enough to doubt."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rths.stability import quiet_noise, quiet_pushes
from rths.stability.bench import Bench
from rths.stability.certificate import certify
from rths.stability.quiet_end import Release
from rths.stability.quiet_noise import QuietNoise, _hear_twin, listen
from rths.stability.rehearsal import Rehearsal
from rths.stability.structural_modes import modes_of
from rths.stability.timeline import quiet_window_of
from rths.stability.trial import Trial
from rths.stability.verdict import _trial_text, judge_trial

STIFFNESS = 4000.0
WINDOWS = 60


@pytest.fixture(scope="module")
def late_friction(rig, make):
    """Friction that is measured 20 ms late: it moves a fast inverse for ever, a little or a lot."""

    def made(friction, **given):
        return rig(
            excitation=make("excitation", "sine", amplitude=0.5, frequency=0.8),
            structure=make(
                "structure", "linear", mass=100.0, stiffness=STIFFNESS, damping_ratios=0.01
            ),
            transfer=make("transfer", "dead_time", delay=0.02),
            specimen=make(
                "specimen", "mr_bingham", friction=friction, damping=0.0, stiffness=500.0
            ),
            tick=1 / 512,
            duration=10.0,
            **{"compensator": make("compensator", "inverse_rls", delay=0.02, order=4)} | given,
        )

    return made


@pytest.mark.parametrize("noise", [0.0, 1e-6])
def test_what_goes_on_by_itself_and_learns_is_not_decided(late_friction, make, noise):
    given = {"feedback": make("feedback", "noise", displacement=noise)} if noise else {}
    test = late_friction(5.0, **given)
    rehearsal = Rehearsal(test)
    end = rehearsal.run(rehearsal.start, rehearsal.ticks).state
    quiet = rehearsal.run(end, 300 * 512, quiet=True, noise=False).rows[-512:]
    assert np.ptp(quiet, axis=0).max() > 1e-4  # 0.3 % of its motion, after five minutes
    found = certify(test, margins=False)
    assert found.verdict == "undecided"
    assert "by itself, and learns from that" in found.sentence


def test_four_times_the_friction_lets_the_same_loop_chatter(late_friction):
    found = certify(late_friction(20.0), margins=False)
    assert found.verdict == "unstable"
    assert "keeps oscillating" in found.sentence


def test_what_goes_on_by_itself_without_learning_is_measured_by_what_matters(late_friction, make):
    fixed = make("compensator", "polynomial", delay=0.02, order=1)
    found = certify(late_friction(5.0, compensator=fixed), margins=False)
    assert found.trial.noise.own == 0.0
    assert "learns" not in found.sentence


@pytest.mark.parametrize(("own", "verdict"), [(1e-4, "tested"), (1e-3, "undecided")])
def test_a_fortieth_of_what_matters_is_enough_to_learn_from(own, verdict):
    noise = QuietNoise(40.0, 0.0, 0.0, 3.0, own=own)
    trial = Trial(1e-2, 0.02, 3.1, 0.3, None, (), (), noise, learns=True)
    assert judge_trial(trial, -1.0, 1e-3).verdict == verdict


@pytest.mark.parametrize("left", [0.03, 0.01])
@pytest.mark.parametrize(("learns", "rate"), [(False, -1.0), (True, -1.0), (False, 1.0)])
def test_the_decay_of_what_learns_or_grows_at_rest_is_seen_to_its_end(learns, rate, left):
    # of a push by the motion 3 % are left, or 1 %, and 2 % matter
    ends = 1.0, left, 4.0, 140.0, 2e-4, False, False
    release = Release(1e-3, 1, 1, "decays", *ends, middle=1.3 * left)
    trial = Trial(1e-3, 0.02, 3.1, 0.3, None, (), (release,), None, learns=learns)
    found = judge_trial(trial, rate, 1e-3)
    asked = left > 0.02 and (learns or rate > 0)
    assert found.verdict == ("undecided" if asked else "tested")
    assert ("is left after 140 s" in found.reason) == asked


@pytest.mark.parametrize(("count", "verdict"), [(1, "tested"), (2, "undecided")])
def test_what_goes_on_next_to_what_matters_is_met_more_than_once(count, verdict):
    goes_on = Release(1e-3, 1, 1, "decays", 1.0, 0.012, 4.0, 140.0, 1e-5, False, True)
    trial = Trial(1e-3, 0.02, 3.1, 0.3, None, (), (goes_on,) * count, None)
    assert judge_trial(trial, -1.0, 1e-3).verdict == verdict


def listened(test, windows=WINDOWS):
    """What noise alone does to a test, and what is said about that."""
    bench = Bench(test, modes_of(test))
    y, window = bench.yardstick, quiet_window_of(bench.rehearsal, bench.modes)
    noise = listen(bench.line, y, window, windows, early=True)
    about = float(y.motion.max()), y.matters, y.limit, bench.window * test.tick
    trial = Trial(*about, None, (), (), noise, learns=bench.rehearsal.learns)
    return noise, judge_trial(trial, -1.0, test.tick)


@pytest.mark.parametrize(("sensor", "verdict"), [(86e-6, "undecided"), (0.86e-6, "tested")])
def test_a_law_that_lets_noise_in_for_ever_is_not_decided(shaken, make, sensor, verdict):
    # the sensor of displacement reaches the loop by the law alone: 86 um of noise are 0.4 mm of 2
    law = make("compensator", "adaptive_time_series", delay=0.0186, quiet=86e-6, order=2)
    feedback = make("feedback", "noise", displacement=sensor)
    test = shaken(0.05, 0.92, 1.0, 0.0129, 0.0186, compensator=law, feedback=feedback)
    noise, found = listened(test)
    assert noise.largest < 2 * noise.level  # it does not rise: it is there all the time
    assert found.verdict == verdict
    assert ("noise keeps it moving by" in found.reason) == (verdict == "undecided")
    assert (noise.kept > 0.1) == (verdict == "undecided")


def test_a_lightly_damped_mode_makes_as_much_of_noise_without_any_law(shaken, make):
    law = make("compensator", "adaptive_time_series", delay=0.01)
    feedback = make("feedback", "noise", force=20.0, displacement=5e-6)
    test = shaken(0.005, 0.3, 1.0, 0.3, 0.01, compensator=law, feedback=feedback, seed=3)
    noise, found = listened(test, windows=800)
    assert noise.largest > max(0.02, 4 * noise.level)  # chatter, were it not for the twin
    assert noise.largest == pytest.approx(noise.twin_largest, rel=0.05)
    assert not noise.chatters(0.02)
    assert found.verdict == "tested"
    assert noise.own == 0.0  # what is left without noise still falls


@pytest.mark.parametrize(
    ("own", "kept", "verdict"),
    [
        (6e-4, 2e-3, "tested"),
        (2e-3, 2e-3, "undecided"),
        (3e-3, 9e-3, "undecided"),  # a third of it, but a seventh of what matters
    ],
)
def test_what_noise_moves_by_more_is_no_motion_of_its_own(own, kept, verdict):
    noise = QuietNoise(40.0, 0.0, 0.0, 3.0, own=own, kept=kept)
    trial = Trial(1e-2, 0.02, 3.1, 0.3, None, (), (), noise, learns=True)
    assert judge_trial(trial, -1.0, 1e-3).verdict == verdict


@pytest.mark.parametrize(("middle", "verdict"), [(0.1, "tested"), (0.04, "undecided")])
def test_a_steady_decay_of_what_learns_is_a_decay(middle, verdict):
    # a lightly damped mode falls to a third in the second half of the time
    release = Release(
        1e-3, 1, 1, "decays", 1.0, 0.03, 0.6, 100.0, 5e-3, False, False, middle=middle
    )
    trial = Trial(1e-3, 0.02, 3.1, 0.3, None, (), (release,), None, learns=True)
    assert judge_trial(trial, -1.0, 1e-3).verdict == verdict


def test_what_noise_kept_moving_is_told(shaken, make):
    law = make("compensator", "adaptive_time_series", delay=0.01)
    feedback = make("feedback", "noise", force=20.0)
    test = shaken(0.05, 0.3, 1.0, 0.3, 0.01, compensator=law, feedback=feedback)
    bench = Bench(test, modes_of(test))
    window, motion = quiet_window_of(bench.rehearsal, bench.modes), bench.yardstick.motion[0]
    rows = bench.rehearsal.run(bench.line.end, WINDOWS * window, quiet=True).rows
    swings = 0.5 * np.ptp(rows.reshape(WINDOWS, window, -1), axis=1).max(axis=1)
    noise, _ = listened(test)
    assert noise.kept * motion == pytest.approx(np.median(swings[-7:]))
    told = _trial_text(Trial(motion, 0.02, 3.1, 0.3, None, noise=noise))
    assert f"which kept {1e6 * noise.kept * motion:.3g} µm moving" in told


def heard_twin(test, windows=100):
    bench = Bench(test, modes_of(test))
    window = quiet_window_of(bench.rehearsal, bench.modes)
    return _hear_twin(bench.rehearsal, bench.yardstick, window, windows)


def test_a_twin_that_vibrates_excuses_nothing(shaken, make):
    # it rings down for minutes from where it was let go, and has no noise of its own
    law = make("compensator", "adaptive_time_series", delay=0.0186, quiet=86e-6, order=2)
    feedback = make("feedback", "noise", displacement=86e-6)
    test = shaken(0.01, 0.92, 1.0, 0.0, 0.0186, compensator=law, feedback=feedback)
    free = replace(test, excitation=make("excitation", "free_vibration", displacement=0.002))
    assert heard_twin(free).max() == 0.0
    assert "noise keeps it moving by" in listened(free)[1].reason


def test_a_twin_hears_its_noise_alone(shaken, make):
    # white force on one mass: the variance of a mode under it is known
    feedback = make("feedback", "noise", force=20.0)
    test = shaken(0.02, 0.5, 1.0, 0.3, 0.01, feedback=feedback, seed=3)
    bench = Bench(test, modes_of(test))
    heard = heard_twin(test, 400)[50:, 0] * bench.yardstick.motion[0]
    k, c, s0 = 1000.0 * (2 * np.pi) ** 2, 2 * 0.02 * 1000.0 * 2 * np.pi * 0.5**0.5, 20.0**2 / 1024
    rms = np.sqrt(s0 / (2 * c * k))  # of the displacement, two-sided density s0
    assert np.median(heard) == pytest.approx(1.3 * rms, rel=0.3)  # half the way of a narrow band


def test_an_axis_in_noise_excuses_no_other(shaken, make):
    # a noise that is all of a small motion, beside a chatter of a tenth of a large one
    sizes = np.tile([0.1, 1.0], (40, 1))
    twin = np.tile([0.0, 1.0], (40, 1))
    found = quiet_noise._worst(QuietNoise(80.0, 0.0, 0.0, 2.0), sizes, twin, 0.05)
    assert found.kept == 0.1
    assert found.is_loud(0.05)
    burst = sizes.copy()
    burst[30:, 0] = 0.9
    assert quiet_noise._worst(found, burst, twin, 0.05).chatters(0.05)


def test_a_cycle_below_a_ring_down_is_waited_for(late_friction, make):
    test = late_friction(5.0, feedback=make("feedback", "noise", force=3.0))
    noise, found = listened(test, windows=100)
    assert noise.own > 0.003  # 0.6 % for ever, below a mode of 1 % damping that noise has moved
    assert "by itself" in found.reason


def test_what_learns_is_pushed_some_more_whatever_it_costs(late_friction, make, monkeypatch):
    monkeypatch.setattr(quiet_pushes, "MOST_WORK", 0)
    law = make("compensator", "adaptive_time_series", delay=0.02)
    found = certify(late_friction(5.0, compensator=law), margins=False)
    assert sum(not r.in_test for r in found.trial.releases) > 12 + quiet_pushes.FEWEST


def test_a_rise_of_next_to_nothing_hides_no_chatter():
    sizes = [1e-2] * 150 + [0.09] * 20 + [1e-5] * 300 + [1e-4] + [1e-5] * 300
    assert quiet_noise._rise(sizes, 0.02) == (1e-2, 0.09)


def test_what_learns_may_burst_before_there_is_a_level():
    sizes = [1e-3] * 20 + [0.5] * 20 + [1e-3] * 760
    assert quiet_noise._rise(sizes, 0.02)[1] < 4 * 0.02
    assert quiet_noise._rise(sizes, 0.02, early=True) == (1e-3, 0.5)


def test_a_rise_falls_if_its_own_channel_does(shaken, make, monkeypatch):
    # two axes: one stands in its noise, the other rises once, and hardly again
    later = np.tile([0.02, 1.0], (40, 1))
    first = later.copy()
    first[30:35, 0] = 0.3
    heard = iter([first, later])
    law = make("compensator", "adaptive_time_series", delay=0.01)
    test = shaken(0.05, 0.3, 1.0, 0.3, 0.01, compensator=law)
    bench = Bench(test, modes_of(test))
    monkeypatch.setattr(quiet_noise, "_listen_on", lambda *a: (bench.line.end, next(heard), 1.0))
    monkeypatch.setattr(quiet_noise, "_hear_twin", lambda *a: np.tile([0.0, 1.0], (40, 1)))
    found = listen(bench.line, bench.yardstick, bench.window, 40, early=False)
    assert found.chatters(0.02)
    assert found.falls
