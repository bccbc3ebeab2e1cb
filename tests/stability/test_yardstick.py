"""What matters is measured by the emulated test, by noise and by limits."""

from __future__ import annotations

import numpy as np
import pytest

from rths.stability.abreast import Ahead
from rths.stability.bench import Bench
from rths.stability.structural_modes import modes_of
from rths.stability.yardstick import CERTAIN, FAR, SHARE, motion_bounds


@pytest.fixture(scope="module")
def bench(rig, make):
    def made(**given):
        strong = make("excitation", "sine", amplitude=5.0, frequency=1.5)
        test = rig(**{"excitation": strong, **given})
        return Bench(test, modes_of(test))

    return made


def test_a_test_that_runs_away_is_not_measured_by_itself(bench, make):
    lost = bench(transfer=make("transfer", "dead_time", delay=20e-3))
    good = bench(transfer=make("transfer", "dead_time", delay=0.0))
    assert lost.own_yardstick.motion[0] > 10 * good.own_yardstick.motion[0]
    assert lost.yardstick.motion[0] == pytest.approx(good.own_yardstick.motion[0], rel=1e-3)
    assert lost.try_test(-1.0, Ahead()).lost is not None


def test_noise_that_is_louder_than_a_share_of_the_motion_is_what_matters(bench, make):
    quick = make("transfer", "dead_time", delay=5e-3)
    assert bench(transfer=quick).yardstick.matters == SHARE
    loud = bench(transfer=quick, feedback=make("feedback", "noise", force=0.3)).yardstick
    assert loud.matters == pytest.approx(5 * loud.noise)
    assert SHARE < loud.matters < CERTAIN


def test_noise_hides_no_motion_that_is_a_twentieth_of_the_test(bench, make):
    # 30 N of noise keep a loop moving that bears it no more than it bears its delay
    quick = make("transfer", "dead_time", delay=5e-3)
    deaf = bench(transfer=quick, feedback=make("feedback", "noise", force=30.0)).yardstick
    assert deaf.noise > 0.1
    assert deaf.matters == CERTAIN


def test_pushes_stay_within_the_limits_and_what_is_far_is_beyond_all_that_comes_back(bench):
    found = bench(limits={"compensator.command": 0.025, "specimen.force": 1e9}).yardstick
    assert found.limit * found.motion[0] == pytest.approx(0.0125)
    just = 0.99 * FAR * found.motion[0]
    target, command, moved = np.eye(3)
    for row in (target, moved):
        assert not found.is_lost(just * row)
        assert found.is_lost(1.02 * just * row)
        assert not found.is_lost(1.02 * just * row, 2.0)  # pushed by two motions
    assert not found.is_lost(just * found.limit * command)
    assert found.is_lost(1.02 * just * found.limit * command)
    assert found.is_lost(np.nan * command)


def test_limits_of_motions_alone_are_lengths(storeys):
    assert np.isinf(motion_bounds(storeys(limits={"specimen.force": 1e5}))).all()
    limits = {"integrator.target[1]": (-0.03, 0.02), "compensator.command": 0.05}
    assert motion_bounds(storeys(limits=limits)).tolist() == [0.05, 0.02]
    assert motion_bounds(storeys(limits={"compensator.command[0]": (0.0, 0.01)}))[0] == 0.01
