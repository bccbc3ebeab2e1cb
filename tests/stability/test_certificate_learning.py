"""Laws that learn: what they have done so far bounds nothing, so less of it is enough to doubt."""

from __future__ import annotations

import numpy as np
import pytest

from rths.stability.certificate import certify
from rths.stability.quiet_end import Release
from rths.stability.quiet_noise import QuietNoise
from rths.stability.rehearsal import Rehearsal
from rths.stability.trial import Trial
from rths.stability.verdict import judge_trial

STIFFNESS = 4000.0


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


@pytest.mark.parametrize(("learns", "verdict"), [(False, "tested"), (True, "undecided")])
def test_the_decay_of_what_learns_is_seen_to_its_end(learns, verdict):
    # 3 % of the motion are left of a push by it, and 2 % matter
    release = Release(1e-3, 1, 1, "decays", 1.0, 0.03, 4.0, 140.0, 2e-4, False, False)
    trial = Trial(1e-3, 0.02, 3.1, 0.3, None, (), (release,), None, learns=learns)
    found = judge_trial(trial, -1.0, 1e-3)
    assert found.verdict == verdict
    assert ("is left after 140 s" in found.reason) == learns
