"""A motion that goes on where the emulated structure comes to rest is kept up by the loop."""

from dataclasses import replace

import pytest

from rths.stability.bench import Bench
from rths.stability.quiet_end import QuietLoop
from rths.stability.quiet_pushes import is_cycle
from rths.stability.structural_modes import modes_of
from rths.stability.sustained import FALLS, is_steady, sustain
from rths.stability.timeline import quiet_window_of
from rths.stability.trial import Trial
from rths.stability.verdict import judge_trial


@pytest.fixture(scope="module")
def late_saturating(rig, make):
    # swings by 1.65 times its saturation for ever, W16 of [wallace2005]
    fields = {"stiffness": 2250.0, "saturation_displacement": 4e-3}
    shaking = make("excitation", "sine", amplitude=2.0, frequency=1.5)
    return rig(specimen=make("specimen", "saturating_spring", **fields), excitation=shaking)


@pytest.fixture(scope="module")
def undamped(rig, make):
    structure = make("structure", "linear", mass=2.2, damping=0.0, stiffness=2250.0)
    return rig(structure=structure, transfer=make("transfer", "dead_time", delay=0.0))


def left_moving(test):
    """What a test has left moving, marked, with what is said of it alone."""
    bench = Bench(test, modes_of(test))
    y, window = bench.yardstick, quiet_window_of(bench.rehearsal, bench.modes)
    alone = QuietLoop(bench.rehearsal, bench.line.end, window, y).settle()
    found = sustain(alone, test, y, window, round(alone.time / (window * test.tick)))
    trial = Trial(float(y.motion.max()), y.matters, y.limit, 1.0, None, (), (found,))
    return found, judge_trial(trial, -1.0, test.tick)


def test_a_cycle_that_a_late_specimen_keeps_up_is_the_loops_own(late_saturating):
    found, said = left_moving(late_saturating)
    assert found.fate == "keeps"
    assert found.sustained
    assert found.moves == pytest.approx(1.6519 * 4e-3, rel=5e-3)
    assert said.verdict == "unstable"
    assert "keeps oscillating" in said.reason


def test_the_motion_of_a_structure_without_damping_is_its_own(undamped):
    found, said = left_moving(undamped)
    assert found.fate == "keeps"
    assert not found.sustained  # its twin swings on as well
    assert said.verdict == "undecided"


@pytest.mark.parametrize(("falls", "steady"), [(0.9 * FALLS, True), (1.1 * FALLS, False)])
def test_steady_is_what_falls_by_less_than_its_share(undamped, falls, steady):
    found, _ = left_moving(undamped)
    assert is_steady(replace(found, kept=1.0 - falls)) == steady
    assert found.kept == pytest.approx(1.0, abs=1e-3)


def test_uneven_chatter_of_one_size_is_a_cycle(undamped):
    # three motions at 22 Hz after pushes of 3 and of 65, uneven by a quarter: was on the border
    found, _ = left_moving(undamped)
    chatter = [
        replace(found, first=first, left=left, middle=3.3, kept=kept)
        for first, left, kept in ((2.95, 3.07, 1.004), (65.1, 3.05, 0.993))
    ]
    assert is_cycle(chatter)
    assert not is_cycle([replace(r, kept=0.96) for r in chatter])  # two slow decays that met
